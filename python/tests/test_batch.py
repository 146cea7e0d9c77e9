"""Many recordings, counted, analyzed and evaluated like the command."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import RECORDINGS, ROOT, curls

import reptrace

LABELS = ROOT / "fixtures/labels.csv"


@pytest.fixture(scope="module")
def batch(command, tmp_path_factory):
    """Returns the tables of `reptrace process --out`, by name."""
    out = tmp_path_factory.mktemp("batch")
    subprocess.run([command, "process", RECORDINGS, "--out", out], check=True, capture_output=True)
    return {name: pd.read_csv(out / f"{name}.csv") for name in ("sets", "reps", "recordings")}


@pytest.mark.parametrize("workers", [None, 1, 3])
def test_counts_of_a_folder_equal_the_command(batch, workers):
    counted = reptrace.count_all(RECORDINGS, workers=workers)
    mine, theirs = counted.sets, batch["sets"]
    assert mine["recording"].tolist() == theirs["recording"].tolist()
    assert mine["number"].tolist() == theirs["set"].tolist()
    assert mine["reps"].tolist() == theirs["reps"].tolist()
    for name in ("start", "end", "confidence"):
        assert np.allclose(mine[name], theirs[name], atol=6e-4)
    assert len(counted.reps) == len(batch["reps"])
    assert counted.recordings["recording"].tolist() == batch["recordings"]["recording"].tolist()
    assert counted.recordings["samples"].tolist() == batch["recordings"]["samples"].tolist()
    assert np.allclose(counted.recordings["duration"], batch["recordings"]["duration"], atol=0.006)
    assert counted.recordings["error"].isna().all()


def test_analysis_of_reps_equals_the_command(batch):
    analysed = reptrace.analyse(RECORDINGS)
    figures = [name for name in batch["reps"] if name not in ("recording", "set", "rep", "start", "end")]
    assert set(figures) <= set(analysed.reps)
    for name in figures:
        expected = batch["reps"][name].to_numpy(dtype=float)
        assert np.allclose(analysed.reps[name], expected, atol=6e-4, equal_nan=True), name
    assert analysed.reps["similarity"].notna().mean() > 0.9
    assert analysed.sets["consistency"].between(0, 1).sum() == analysed.sets["consistency"].notna().sum() > 5


def test_analysis_of_samples_equals_that_of_their_file():
    path = RECORDINGS / "row-sensorlog.csv"
    of_file, of_frame = reptrace.analyse(path), reptrace.analyse(reptrace.read(path))
    for name in ("recordings", "sets", "reps"):
        mine, theirs = (
            getattr(one, name).drop(columns="warnings", errors="ignore") for one in (of_frame, of_file)
        )
        pd.testing.assert_frame_equal(mine, theirs)
    shuffled = reptrace.analyse(pd.DataFrame(curls()).sample(frac=1, random_state=1))
    pd.testing.assert_frame_equal(shuffled.reps, reptrace.analyse(curls()).reps)
    assert shuffled.recordings["reps"].tolist() == [8]


def test_recordings_without_sets_and_unreadable_ones_have_rows(tmp_path):
    still = pd.DataFrame({name: values[:200] for name, values in curls().items()})
    still.to_csv(tmp_path / "still.csv", index=False)
    (tmp_path / "bad.json").write_text('{"samples": [')
    (tmp_path / "empty").mkdir()
    paths = [tmp_path / "still.csv", tmp_path / "bad.json", tmp_path / "none.csv", tmp_path / "empty"]
    with pytest.warns(UserWarning, match=r"bad\.json|none\.csv|empty") as warned:
        counted = reptrace.count_all(paths)
    assert len(warned) == 3
    assert {one.filename for one in warned} == {__file__}
    rows = counted.recordings.set_index("recording")
    assert list(rows.index) == list(map(str, paths))
    assert rows["sets"].tolist() == [0, 0, 0, 0]
    assert rows["error"].isna().tolist() == [True, False, False, False]
    assert "no such file" in rows.loc[str(paths[2]), "error"]
    assert "3 cannot be read" in repr(counted)
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        reptrace.count_all(tmp_path / "none.csv")
    with pytest.raises(reptrace.UndecodableError, match=r"bad\.json"):
        reptrace.count_all([tmp_path / "bad.json"])


def test_empty_results_have_the_types_of_full_ones(tmp_path):
    still = pd.DataFrame({name: values[:200] for name, values in curls().items()})
    still.to_csv(tmp_path / "still.csv", index=False)
    pd.DataFrame(curls()).to_csv(tmp_path / "curls.csv", index=False)
    for call in (reptrace.count_all, reptrace.analyse):
        empty, full = call(tmp_path / "still.csv"), call(tmp_path / "curls.csv")
        for name in ("recordings", "sets", "reps"):
            assert getattr(empty, name).dtypes.tolist() == getattr(full, name).dtypes.tolist()
        assert len(empty.sets) == len(empty.reps) == 0 < len(full.reps)
        nothing = call([])
        assert nothing.sets.dtypes.tolist() == full.sets.dtypes.tolist()


def test_sets_have_the_same_name_in_all_tables():
    counted = reptrace.count_all(RECORDINGS)
    assert counted.sets["set"].is_unique
    merged = counted.sets.merge(counted.reps, on="set", suffixes=("", "_rep"))
    assert len(merged) == len(counted.reps)
    assert (merged["start_rep"] >= merged["start"] - 1e-9).all()
    path = RECORDINGS / "curl-seed-names.csv"
    sets = reptrace.count(path)
    mine = counted.sets[counted.sets["recording"] == str(path)]
    assert sets.to_frame()["set"].tolist() == mine["set"].tolist() == [f"{path}#1", f"{path}#2"]
    assert sets[1:].to_frame()["set"].tolist() == sets[1:].reps["set"].unique().tolist() == [f"{path}#2"]


def test_invalid_paths_and_workers_are_rejected():
    for workers in (0, -1, "many"):
        with pytest.raises(ValueError, match="workers is"):
            reptrace.count_all(RECORDINGS, workers=workers)
    with pytest.raises(TypeError, match="a path is 7"):
        reptrace.count_all([7])
    with pytest.raises(ValueError, match="a file tells"):
        reptrace.analyse(RECORDINGS, rate=50)
    with pytest.raises(ValueError, match="set_probability is"):
        reptrace.count_all(RECORDINGS, set_probability=2)
    with pytest.raises(ValueError, match="format is word"):
        reptrace.count_all(RECORDINGS, format="word")


@pytest.mark.parametrize("mode", ["found", "given"])
def test_evaluation_equals_the_command(command, mode):
    found = subprocess.run(
        [command, "evaluate", LABELS, "--recordings", RECORDINGS, "--mode", mode, "--by", "difficulty,rate",
         "--output", "json"],
        check=True, capture_output=True,
    )  # fmt: skip
    report = json.loads(found.stdout)
    frame = pd.read_csv(LABELS)
    for labels in (LABELS, frame, pd.read_csv(LABELS, dtype=str), dict(frame)):
        evaluation = reptrace.evaluate(labels, RECORDINGS, mode=mode, by=["difficulty", "rate"])
        assert evaluation.accuracy.loc["total"].to_dict() == report["total"]
        assert list(evaluation.accuracy.index) == [*report["exercises"], "total"]
        assert list(evaluation.by["rate"].index) == list(report["by:rate"])
        rows = [report[name] for name in evaluation.times.index]
        assert evaluation.times.to_dict("records") == rows
        assert "repStart" in evaluation.times.index
        assert evaluation.calibration.to_dict("records") == report["calibration"]["bins"]
        assert evaluation.rep_calibration.to_dict("records") == report["repCalibration"]["bins"]
        for name in ("setsFound", "setsMissed", "repsMissed"):
            assert evaluation.figures[name] == report[name]
        assert evaluation.figures["brier"] == report["calibration"]["brier"]
        assert evaluation.sets["counted"].tolist() == [one["counted"] for one in report["sets"]]
        joined = pd.read_csv(LABELS).join(evaluation.sets[["counted"]])
        assert (joined["counted"] == joined["reps"]).sum() == report["total"]["exact"]
    assert "sets exact" in repr(evaluation)


def test_labels_may_be_filtered_and_contain_line_breaks():
    labels = pd.read_csv(LABELS).assign(note='two\nlines, "quoted"')
    some = labels[labels["exercise"].isin(["row", "squat"])]
    evaluation = reptrace.evaluate(some, RECORDINGS, workers=2)
    assert evaluation.sets["reps"].to_dict() == some["reps"].to_dict()
    assert evaluation.sets["recording"].to_dict() == some["recording"].to_dict()


def test_invalid_evaluations_are_rejected(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        reptrace.evaluate(tmp_path / "none.csv", RECORDINGS)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        reptrace.evaluate(LABELS, tmp_path / "none")
    bad = tmp_path / "labels.csv"
    bad.write_text("recording,reps\na,many\n")
    with pytest.raises(reptrace.UndecodableError, match=r"labels\.csv: line 2: expected a number in reps"):
        reptrace.evaluate(bad, RECORDINGS)
    bad.write_bytes(b"recording,reps\n\xff,1\n")
    with pytest.raises(reptrace.UndecodableError, match="UTF-8"):
        reptrace.evaluate(bad, RECORDINGS)
    with pytest.raises(reptrace.RepTraceError, match="no recording named a"):
        reptrace.evaluate(pd.DataFrame({"recording": ["a"], "reps": [3]}), RECORDINGS)
    labels = pd.read_csv(LABELS)
    for arguments, message in (
        ({"mode": "guess"}, "mode is 'guess'"), ({"by": "color"}, "no values in a column 'color'"),
        ({"rate": 1e9}, "rate is"), ({"margin": float("nan")}, "margin is"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            reptrace.evaluate(labels, RECORDINGS, **arguments)
    missing = pd.concat([labels, pd.DataFrame({"recording": ["nowhere"], "reps": [3]})])
    with pytest.warns(UserWarning, match="no recording named nowhere") as warned:
        assert len(reptrace.evaluate(missing, RECORDINGS).sets) == len(labels)
    assert warned[0].filename == __file__


def test_evaluation_without_exercises_has_the_same_types():
    labels = pd.read_csv(LABELS)
    full = reptrace.evaluate(labels, RECORDINGS)
    bare = reptrace.evaluate(
        labels[["recording", "reps"]].groupby("recording", as_index=False).sum(), RECORDINGS
    )
    for name in ("sets", "accuracy", "times", "calibration", "rep_calibration"):
        assert getattr(bare, name).dtypes.tolist() == getattr(full, name).dtypes.tolist(), name
    assert len(bare.times) == 0


def test_notebooks_show_tables():
    sets = reptrace.count(curls())
    assert [sets[0]._repr_html_().count(text) for text in ("<tr", "<td>8</td>")] == [2, 1]
    assert sets._repr_html_() == sets[0]._repr_html_()
    assert RECORDINGS.name in reptrace.count_all(RECORDINGS)._repr_html_()
    html = reptrace.evaluate(LABELS, RECORDINGS)._repr_html_()
    assert "meanAbsoluteError" in html and "overheadPress" in html and "total" in html
