"""Reading files, timelines and histories."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import RECORDINGS, ROOT, curls, inputs

import reptrace

sys.path.insert(0, str(ROOT / "tools"))
import reptrace_timeline  # noqa: E402


def test_frames_are_in_standard_units():
    frame = reptrace.read(RECORDINGS / "pulldown-headerless")
    assert frame.attrs["units"]["time"] == "s"
    assert frame.attrs["unitsOfSource"]["time"] == "ms"
    steps = np.diff(frame["timestamp"])
    assert 0.005 < np.median(steps) < 0.1
    length = np.sqrt((frame[[f"totalAcceleration{a}" for a in "XYZ"]] ** 2).sum(axis=1))
    assert 0.8 < length.median() < 1.2


def test_declared_sets_and_phases_are_columns():
    frame = reptrace.read(RECORDINGS / "bench-chunks")
    assert frame["setId"].notna().any()
    assert frame.attrs["clock"] in ("device", "unix")


def test_sets_without_ids_or_with_the_same_id_stay_separate(tmp_path):
    rows = [dict(zip(curls(5), row, strict=True)) for row in zip(*curls(5).values(), strict=True)]
    samples = lambda start: [row | {"timestamp": row["timestamp"] + start} for row in rows]  # noqa: E731
    # Rest before the first set is not a set.
    anonymous = [{"samples": samples(0)[:100]}] + [
        line
        for start in (100, 200)
        for line in ({"type": "startSet"}, {"samples": samples(start)}, {"type": "endSet"})
    ]
    sessions = [
        {"samples": samples(start), "metadata": {"sessionId": session, "setId": "1"}}
        for start, session in ((0, "A"), (100, "B"))
    ]
    taken = [{"samples": samples(0), "setId": "1 (3)"}] + [
        {"samples": samples(start), "sessionId": session, "setId": "1"}
        for start, session in ((100, "A"), (200, "B"))
    ]
    for lines, names in (
        (anonymous, ["set 1", "set 2"]), (sessions, ["1", "1 (2)"]),
        (taken, ["1 (3)", "1", "1 (3) (3)"]),
    ):  # fmt: skip
        path = tmp_path / "recording.ndjson"
        path.write_text("\n".join(map(json.dumps, lines)))
        frame = reptrace.read(path)
        assert list(frame["setId"].dropna().unique()) == names
        assert [one.count for one in reptrace.count(frame)] == [5] * len(names)


def test_a_set_without_samples(tmp_path):
    pq = pytest.importorskip("reptrace.parquet")
    path = tmp_path / "empty.ndjson"
    path.write_text('{"type": "startSet"}\n{"samples": []}\n{"type": "endSet"}\n')
    assert [one.count for one in reptrace.count(path)] == [0]
    assert len(reptrace.count(reptrace.read(path))) == 0
    assert pq.recordings_to_parquet([path], tmp_path / "out") == []
    assert pd.read_parquet(tmp_path / "out/sets.parquet")["reps"].tolist() == [0]


def test_warnings_name_the_caller(tmp_path):
    (tmp_path / "good.csv").write_bytes((RECORDINGS / "row-sensorlog.csv").read_bytes())
    (tmp_path / "bad.json").write_text('{"samples": [')
    for call in (reptrace.read, reptrace.count, reptrace.read_all):
        with pytest.warns(UserWarning, match="bad.json") as found:
            call(tmp_path)
        assert found[0].filename == __file__


def test_whole_folders():
    frames = reptrace.read_all(RECORDINGS)
    assert len(frames) >= len(inputs())
    assert all(isinstance(frame, pd.DataFrame) for frame in frames.values())


def test_unreadable_files_give_the_reason(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        reptrace.read(tmp_path / "none.csv")
    bad = tmp_path / "bad.json"
    bad.write_text('{"samples": [')
    with pytest.raises(reptrace.UndecodableError, match="bad.json"):
        reptrace.read(bad)
    with pytest.raises(reptrace.UndecodableError):
        reptrace.read(tmp_path)
    with pytest.raises(reptrace.RepTraceError, match="read_all"):
        reptrace.read(RECORDINGS)
    with pytest.raises(ValueError, match="format is word"):
        reptrace.read(RECORDINGS / "row-sensorlog.csv", format="word")
    with pytest.raises(ValueError, match="null byte"):
        reptrace.read(f"{RECORDINGS}/row-sensorlog.csv\0x")


@pytest.mark.parametrize("lossless", [True, False])
def test_timelines_are_decoded_unchanged(lossless):
    data = curls()
    counted = reptrace.count(data)[0]
    blob = reptrace.encode_timeline(data, set=counted, lossless=lossless)
    back = reptrace.decode_timeline(bytearray(blob))
    assert back.set.count == counted.count
    for name, values in data.items():
        if lossless:
            assert (back.samples[name].to_numpy().view(np.uint64) == values.view(np.uint64)).all()
        else:
            assert np.abs(back.samples[name] - values).max() <= 1.0001e-4
    # The format's independent reader agrees.
    oracle = reptrace_timeline.decode(blob)
    for name, values in oracle.samples.items():
        assert (np.asarray(values) == back.samples[name].to_numpy()).all()


def test_timelines_keep_the_clock():
    frame = pd.DataFrame(curls())
    clock = lambda **more: reptrace.decode_timeline(reptrace.encode_timeline(frame, **more)).metadata["clock"]  # noqa: E731
    assert clock() == "device"
    assert clock(clock="unix") == "unix"
    frame.attrs["clock"] = "unix"
    assert clock() == "unix"
    with pytest.raises(ValueError, match="clock is"):
        clock(clock="wall")
    dates = pd.to_datetime(frame["timestamp"] + 1.7e9, unit="s").dt.round("ms")
    for dated in (frame.assign(timestamp=dates), frame.drop(columns="timestamp").set_index(dates)):
        dated.attrs["clock"] = "device"
        found = reptrace.decode_timeline(reptrace.encode_timeline(dated))
        assert found.metadata["clock"] == "unix"
        assert found.samples["timestamp"][0] == 1.7e9


def test_damaged_timelines_are_rejected():
    blob = bytearray(reptrace.encode_timeline(curls()))
    for place in range(0, len(blob), 97):
        damaged = bytearray(blob)
        damaged[place] ^= 0x10
        with pytest.raises(reptrace.UndecodableError):
            reptrace.decode_timeline(bytes(damaged))
    for length in range(0, len(blob), 211):
        with pytest.raises(reptrace.UndecodableError):
            reptrace.decode_timeline(bytes(blob[:length]))


def test_histories(store, process):
    with reptrace.History(store) as history:
        sets = history.sets()
        lines = [
            line
            for name in ["bench-chunks", "row-sensorlog.csv", "curl-seed-names.csv"]
            for line in process(RECORDINGS / name)
        ]
        assert sorted(sets["reps"]) == sorted(line["reps"] for line in lines)
        reps = history.reps()
        assert len(reps) == sets["reps"].sum()
        assert len(history.workouts()) >= 1
        samples = history.samples(sets["set"][0])
        assert len(samples) > 100
        assert samples.attrs["units"]
        expected = dict(reptrace_timeline.stored_timelines(store))
        for set_id in sets["set"]:
            mine = history.samples(set_id)
            for name, values in expected[set_id].samples.items():
                assert (mine[name].to_numpy().view(np.uint64)
                        == np.asarray(values, dtype=float).view(np.uint64)).all()  # fmt: skip
        with pytest.raises(KeyError):
            history.samples("nothing")
    with pytest.raises(reptrace.RepTraceError, match="closed"):
        history.sets()
    with pytest.raises(FileNotFoundError):
        reptrace.History(store.parent / "none.sqlite")
    with pytest.raises(reptrace.UnreadableError):
        reptrace.History(store.parent)
    other = store.parent / "other.sqlite"
    other.write_bytes(b"SQLite format 3\0" + bytes(84))
    with pytest.raises(reptrace.UndecodableError):
        reptrace.History(other)


def test_keys_of_a_history_are_the_same_in_all_tables(store, tmp_path):
    with reptrace.History(store) as history:
        sets, reps, workouts = history.sets(), history.reps(), history.workouts()
        samples = [history.samples(one) for one in sets["set"]]
    assert sets["set"].is_unique
    assert len(sets.merge(reps, on="set", suffixes=("", "_rep"))) == len(reps)
    assert len(sets.merge(workouts, on="workout")) == len(sets)
    assert set(pd.concat(samples)["set"]) == set(sets["set"])
    assert set(pd.concat(samples).merge(sets, on="set")["number"]) == {1, 2}
    assert sets["date"].dtype == workouts["date"].dtype == "datetime64[us, UTC]"

    parquet = pytest.importorskip("reptrace.parquet")
    for source, out in ((store, tmp_path / "store"), (RECORDINGS, tmp_path / "files")):
        assert parquet.main([str(source), str(out)]) == 0
        tables = {name: pd.read_parquet(out / f"{name}.parquet") for name in ("sets", "reps", "samples")}
        assert tables["sets"]["set"].is_unique
        assert len(tables["sets"].merge(tables["reps"], on="set")) == len(tables["reps"]) > 0
        assert set(tables["samples"]["set"].dropna()) == set(tables["sets"].query("reps > 0")["set"])
        assert tables["sets"]["date"].dtype == sets["date"].dtype
    named = reptrace.count_all(RECORDINGS).sets
    assert pd.read_parquet(tmp_path / "files/sets.parquet")["set"].tolist() == named["set"].tolist()


def test_an_empty_history_has_the_same_types(store, tmp_path):
    empty = tmp_path / "empty.sqlite"
    with sqlite3.connect(store) as source, sqlite3.connect(empty) as target:
        source.backup(target)
        target.execute("PRAGMA foreign_keys = ON")
        target.execute("DELETE FROM workout")
    with reptrace.History(store) as full, reptrace.History(empty) as history:
        for name in ("sets", "reps", "workouts"):
            mine = getattr(history, name)()
            assert len(mine) == 0
            assert mine.dtypes.to_dict() == getattr(full, name)().dtypes.to_dict(), name


def test_parquet(store, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    duckdb = pytest.importorskip("duckdb")
    out = tmp_path / "out"
    subprocess.run([sys.executable, "-m", "reptrace.parquet", store, out], check=True)
    with reptrace.History(store) as history:
        sets, reps = history.sets(), history.reps()
    assert len(pd.read_parquet(out / "sets.parquet")) == len(sets)
    schema = pq.read_schema(out / "reps.parquet")
    assert schema.field("duration").metadata[b"unit"] == b"s"
    assert schema.metadata[b"reptrace.version"].decode() == reptrace.__version__
    found = duckdb.sql(f"SELECT sum(reps) FROM '{out}/sets.parquet'").fetchall()
    assert found == [(len(reps),)]
    [(counted,)] = duckdb.sql(f"SELECT count(*) FROM '{out}/samples.parquet'").fetchall()
    assert counted > 0
    assert (out / "sets.parquet").stat().st_mode & 0o077 == 0
    folder = tmp_path / "folder"
    subprocess.run(
        [sys.executable, "-m", "reptrace.parquet", RECORDINGS / "row-sensorlog.csv", folder],
        check=True,
    )
    assert len(pd.read_parquet(folder / "sets.parquet")) == 1


def test_parquet_files_appear_together(tmp_path, monkeypatch):
    parquet = pytest.importorskip("reptrace.parquet")
    output = parquet._Output(tmp_path, "nothing")

    def fails():
        raise OSError("no space")

    monkeypatch.setattr(output._writers["samples"], "close", fails)
    with pytest.raises(OSError, match="no space"):
        output.finish()
    assert list(tmp_path.glob("*.parquet")) == []


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    data = pd.DataFrame(curls())
    axes = reptrace.plot(reptrace.count(data), data)
    assert "8 reps" in axes.get_title(loc="left")
    assert len(axes.texts) == 8
    expected = axes.lines[0].get_xdata()
    dated = data.assign(timestamp=pd.to_datetime(data["timestamp"] + 1.7e9, unit="s"))
    thousandths = data.assign(timestamp=data["timestamp"] * 1e3)
    for samples, more in (
        (curls(), {}), (data[::-1], {}), (dated, {}), (thousandths, {"units": {"time": "ms"}}),
        (data.drop(columns="timestamp"), {"rate": 50}), (dated.set_index("timestamp"), {}),
    ):  # fmt: skip
        axes = reptrace.plot(reptrace.count(samples, **more), samples, **more)
        assert np.allclose(axes.lines[0].get_xdata(), expected, atol=1e-5)
