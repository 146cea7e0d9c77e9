"""Counting on a cluster, as far as it can be tested without one; `Tests/Cluster` has the rest."""

from __future__ import annotations

import pytest
from conftest import RECORDINGS

pytest.importorskip("pyarrow")

from reptrace import spark  # noqa: E402


@pytest.mark.parametrize(("probability", "sets"), [(None, 2), (0, 3), (1, 0)])
def test_the_set_probability_can_be_set(probability, sets):
    path = RECORDINGS / "curl-seed-names.csv"
    for rows in (
        spark._count_path(f"file://{path}", declared=False, set_probability=probability),
        spark._count_content(str(path), path.read_bytes(), declared=False, set_probability=probability),
    ):
        assert [row["error"] for row in rows] == [None] * max(1, sets)
        assert [row["set"] for row in rows if row["set"]] == [f"{row['recording']}#{n + 1}" for n, row in
                                                              enumerate(rows[:sets])]  # fmt: skip
        # A recording without a set also has a row.
        assert sets > 0 or rows == [dict.fromkeys(rows[0]) | {"recording": rows[0]["recording"], "reps": 0}]


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_invalid_set_probabilities_are_rejected_before_a_job_begins(probability, capsys):
    with pytest.raises(ValueError, match=r"set_probability is .*; expected 0 to 1"):
        spark.count_recordings(None, [], set_probability=probability)
    with pytest.raises(ValueError, match=r"set_probability is .*; expected 0 to 1"):
        spark.count_samples(None, set_probability=probability)
    with pytest.raises(SystemExit):
        spark.main(["--input", "in", "--output", "out", f"--set-probability={probability}"])
    assert "--set-probability and --set-prior are between 0 and 1" in capsys.readouterr().err
