"""Counting on a cluster: ``python -m reptrace.spark``, or from a Spark program.

Every worker needs this package. Recordings are counted where their rows are, and only results leave a
worker. A recording that cannot be read gives a row with an ``error``, not a failed task.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from . import RepTraceError, Sets, count
from ._batch import Paths, path_list
from ._counting import check_set_options
from ._sets import set_key

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ._spark_postgres import sink  # noqa: F401
    from ._spark_stream import count_stream, errors, events, latest, reps, samples, sets  # noqa: F401

_REP = pa.struct([("start", pa.float64()), ("end", pa.float64()), ("confidence", pa.float64())])
_ROWS = pa.schema(
    [
        ("recording", pa.string()),
        ("set", pa.string()),
        ("number", pa.int32()),
        ("cause", pa.string()),
        ("start", pa.float64()),
        ("end", pa.float64()),
        ("reps", pa.int32()),
        ("confidence", pa.float64()),
        ("repEvents", pa.list_(_REP)),
        ("error", pa.string()),
    ]
)
#: The same for Spark.
_ROWS_DDL = (
    "recording string, set string, number int, cause string, start double, `end` double, reps int, "
    "confidence double, repEvents array<struct<start: double, `end`: double, confidence: double>>, "
    "error string"
)


_STREAM = ("count_stream", "errors", "events", "latest", "reps", "samples", "sets", "sink")


def __getattr__(name: str) -> Any:
    """Imports the functions of streams on first use, because they require pyspark."""
    if name not in _STREAM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _spark_postgres, _spark_stream

    return getattr(_spark_postgres if name == "sink" else _spark_stream, name)


class Counted(NamedTuple):
    """The results of a count.

    Attributes
    ----------
    sets : DataFrame
        A row per set: recording, set (its name in both tables), number (in the recording), cause, start, end,
        reps, confidence, error. A recording without sets has a row with 0 reps and no set; one that cannot
        be read has a row with an error.
    reps : DataFrame
        A row per rep: recording, set, rep, start, end, confidence.

    Both are computed lazily. ``sets`` is cached if both are written.
    """

    sets: DataFrame
    reps: DataFrame


def _rows(recording: str, sets: Sets) -> list[dict[str, Any]]:
    if not len(sets):
        return [dict.fromkeys(_ROWS.names) | {"recording": recording, "reps": 0}]
    return [
        {
            "recording": recording,
            "set": set_key(recording, number),
            "number": number,
            "cause": one.cause,
            "start": one.start,
            "end": one.end,
            "reps": one.count,
            "confidence": one.confidence,
            "repEvents": [
                {"start": rep.start, "end": rep.end, "confidence": rep.confidence} for rep in one.reps
            ],
            "error": None,
        }
        for number, one in enumerate(sets, 1)
    ]


def _error(recording: str, error: Exception) -> dict[str, Any]:
    return dict.fromkeys(_ROWS.names) | {"recording": recording, "error": str(error)}


def _count_path(path: str, **options: Any) -> list[dict[str, Any]]:
    local = path.removeprefix("file://").removeprefix("file:")
    try:
        return _rows(path, count(local, **options))
    except (RepTraceError, ValueError) as error:
        return [_error(path, error)]


def _count_content(path: str, content: bytes, **options: Any) -> list[dict[str, Any]]:
    """Counts a file that Spark has read, under its own name, by which some formats are recognized."""
    with tempfile.TemporaryDirectory(prefix="reptrace-") as folder:
        local = Path(folder) / (os.path.basename(path) or "recording")
        local.write_bytes(content)
        try:
            return _rows(path, count(local, **options))
        except (RepTraceError, ValueError) as error:
            text = str(error).replace(str(local), path).replace(folder, os.path.dirname(path))
            return [_error(path, RepTraceError(text))]


def count_recordings(
    spark: SparkSession, recordings: Paths | DataFrame, *, declared: bool = False,
    partitions: int | None = None, set_probability: float | None = None, set_prior: float | None = None,
) -> Counted:  # fmt: skip
    """Count recordings on a cluster.

    Parameters
    ----------
    spark : SparkSession
        The session.
    recordings : paths or DataFrame
        Paths that every worker can read, one recording each; or a DataFrame of Spark's format
        ``binaryFile`` (columns ``path`` and ``content``), one file per recording.
    declared : bool
        True if each recording contains exactly one set.
    partitions : int, optional
        Number of tasks that paths are divided into; four per core by default.
    set_probability, set_prior : float, optional
        As in `reptrace.count`.

    Returns
    -------
    Counted
    """
    # Raise once rather than as the error of every recording.
    check_set_options(set_probability, set_prior)
    from pyspark.sql import DataFrame

    options = {"declared": declared, "set_probability": set_probability, "set_prior": set_prior}
    if isinstance(recordings, DataFrame):
        if not {"path", "content"} <= set(recordings.columns):
            raise ValueError(f"columns are {recordings.columns}; expected path and content, as of binaryFile")
        source = recordings.select("path", "content")
    else:
        paths = [(path,) for path in path_list(recordings)]
        if partitions is None:
            partitions = 4 * spark.sparkContext.defaultParallelism
        slices = max(1, min(len(paths), partitions))
        source = spark.createDataFrame(spark.sparkContext.parallelize(paths, slices), "path string")

    def counting(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                rows = (
                    _count_content(row["path"], row["content"], **options)
                    if "content" in row
                    else _count_path(row["path"], **options)
                )
                yield from pa.Table.from_pylist(rows, schema=_ROWS).to_batches()

    return _counted(source.mapInArrow(counting, _ROWS_DDL))


def count_samples(
    frame: DataFrame, by: str = "recording", *, declared: bool = False,
    set_probability: float | None = None, set_prior: float | None = None,
) -> Counted:  # fmt: skip
    """Count recordings whose samples are rows of a DataFrame.

    Parameters
    ----------
    frame : DataFrame
        Columns as of `reptrace.read`, in standard units, and a column that names the recording.
        Rows may be in any order; ``timestamp`` orders them.
    by : str
        The column that names the recording.
    declared : bool
        True if each recording contains exactly one set.
    set_probability, set_prior : float, optional
        As in `reptrace.count`.

    Returns
    -------
    Counted

    Notes
    -----
    All samples of a recording must fit into the memory of one worker.
    """
    check_set_options(set_probability, set_prior)

    def counting(key: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
        name = str(key[0].as_py())
        try:
            samples = table.drop_columns([by]).to_pandas()
            found = count(samples, declared=declared, set_probability=set_probability, set_prior=set_prior)
            rows = _rows(name, found)
        except (RepTraceError, ValueError, KeyError) as error:
            rows = [_error(name, error)]
        return pa.Table.from_pylist(rows, schema=_ROWS)

    return _counted(frame.groupBy(by).applyInArrow(counting, _ROWS_DDL))


def _counted(rows: DataFrame) -> Counted:
    from pyspark.sql.functions import col, posexplode

    sets = rows.drop("repEvents")
    reps = (
        rows.where(col("set").isNotNull())
        .select("recording", "set", posexplode("repEvents").alias("index", "event"))
        .select(
            "recording", "set", (col("index") + 1).alias("rep"),
            col("event.start").alias("start"), col("event.end").alias("end"),
            col("event.confidence").alias("confidence"),
        )
    )  # fmt: skip
    return Counted(sets, reps)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["stream"]:
        from ._spark_command import main as stream

        return stream(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="reptrace.spark",
        description="Counts the recordings of a folder on Spark and writes sets and reps as Parquet. "
        "`reptrace.spark stream` counts chunks while they come.",
    )
    parser.add_argument("--input", required=True, help="a folder or pattern of files, one recording each")
    parser.add_argument("--output", required=True, help="a folder for sets/ and reps/")
    parser.add_argument("--declared", action="store_true", help="each recording holds exactly one set")
    parser.add_argument(
        "--set-probability", type=float, metavar="PROBABILITY",
        help="the probability from which movements are a set, between 0 and 1",
    )  # fmt: skip
    parser.add_argument(
        "--set-prior", type=float, metavar="PROBABILITY",
        help="how many of the repeated movements are sets: about 0.5 in workouts, 0.05 over whole days",
    )  # fmt: skip
    parser.add_argument(
        "--partition-by", choices=["date"], help="divide the output by the date the files were written"
    )
    options = parser.parse_args(arguments)
    try:
        check_set_options(options.set_probability, options.set_prior)
    except ValueError:
        parser.error("--set-probability and --set-prior are between 0 and 1")

    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col, to_date

    spark = SparkSession.builder.appName("reptrace").getOrCreate()
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(options.input)
    counted = count_recordings(
        spark,
        files,
        declared=options.declared,
        set_probability=options.set_probability,
        set_prior=options.set_prior,
    )
    sets, reps = counted.sets.cache(), counted.reps
    keys: list[str] = []
    if options.partition_by == "date":
        dates = files.select(col("path").alias("recording"), to_date("modificationTime").alias("date"))
        sets, reps = (frame.join(dates, "recording", "left") for frame in (sets, reps))
        keys = ["date"]
    for name, frame in (("sets", sets), ("reps", reps)):
        frame.write.mode("overwrite").partitionBy(*keys).parquet(f"{options.output}/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
