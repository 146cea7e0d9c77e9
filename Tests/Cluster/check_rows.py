"""Finite frames of messages, and arguments that are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pyspark.sql.functions import from_json

from reptrace.spark import count_stream, errors
from reptrace.spark import main as spark_command


def check(spark: Any) -> None:
    """Parsed columns lose no digit, and text that is no UTF-8 is an error of the message, not of the query."""
    samples = [
        {"timestamp": f"2025-06-01T10:00:00.{20_000 * index + 7:06}Z", "accelerationX": 1 / (index + 3)}
        for index in range(40)
    ]
    messages = [{"samples": samples}, {"type": "endWorkout"}]
    lines = [(n, json.dumps(message | {"sessionId": 2**53 + 1})) for n, message in enumerate(messages)]
    text = spark.createDataFrame(lines, "number int, value string")
    schema = "sessionId long, type string, samples array<struct<timestamp: timestamp, accelerationX: double>>"
    columns = text.select("number", from_json("value", schema).alias("message")).select("number", "message.*")
    expected, found = (
        [
            (row["session"], row["samples"], row["digest"])
            for row in rows.where("kind = 'recording'").collect()
        ]
        for rows in (count_stream(frame, order="number") for frame in (text, columns))
    )
    assert found == expected and expected[0][:2] == (f"{2**53 + 1}", 40), (found, expected)
    refused = errors(count_stream(spark.sql("SELECT cast(X'7B22FF' AS string) AS value"))).collect()
    assert ["not UTF-8" in row["error"] for row in refused] == [True], refused


def check_refusals(rows: Path) -> None:
    """A folder that has rows of another checkpoint, and one that is not there."""
    for status, arguments in (
        (2, ["--output", rows]),
        (1, ["--output", rows / "none", "--input", rows / "none"]),
    ):
        try:
            spark_command(["stream", "--once", "--checkpoint", f"{rows}-none", *map(str, arguments)])
        except SystemExit as end:
            assert end.code == status, end
        else:
            raise AssertionError(f"not refused: {arguments}")
