"""``python -m reptrace.spark stream``."""

from __future__ import annotations

import argparse
from typing import Any

from ._spark_stream import count_stream


def main(arguments: list[str]) -> int:
    """Run ``python -m reptrace.spark stream``."""
    parser = argparse.ArgumentParser(
        prog="reptrace.spark stream",
        description="Counts sessions of chunks while they come, with Spark's Structured Streaming.",
    )
    parser.add_argument("--input", help="a folder or pattern of files, for formats of files")
    parser.add_argument(
        "--format", default="text", help="Spark's source: text (a message a line), json, kafka, …"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the source; may be repeated",
    )
    parser.add_argument(
        "--schema", help="the columns of files that need it, such as 'session string, value string'"
    )
    parser.add_argument("--message", default="value", help="the column of the message")
    parser.add_argument("--session", default="session", help="the column of the session; for Kafka, key")
    parser.add_argument("--person", help="the column of the person")
    parser.add_argument("--time", help="the column with the time of arrival; for Kafka, timestamp")
    parser.add_argument("--order", help="the column that orders a session's messages; for Kafka, offset")
    parser.add_argument("--late", default="10 minutes", help="how late a message may arrive")
    parser.add_argument(
        "--silence", default="1 hour", help="how long a session is silent before it has ended"
    )
    parser.add_argument("--output", help="a folder for rows as Parquet, a folder for each kind")
    parser.add_argument(
        "--postgres", metavar="ADDRESS", help="a central history (docs/sync.md) for finished sets"
    )
    parser.add_argument(
        "--checkpoint", required=True, help="a folder for the state, which every worker can write"
    )
    parser.add_argument("--trigger", default="10 seconds", help="the time between batches")
    parser.add_argument("--once", action="store_true", help="count what there is, and end")
    options = parser.parse_args(arguments)
    if not (options.output or options.postgres):
        parser.error("--output or --postgres is required")
    if any("=" not in option for option in options.option):
        parser.error("--option is NAME=VALUE")

    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("reptrace stream").getOrCreate()
    if options.output and _has_files(spark, options.output) and not _has_files(spark, options.checkpoint):
        # Spark numbers batches from 0 again, and would treat those in the folder as already written.
        parser.error(f"{options.output} has rows of another checkpoint: use a new folder, or its checkpoint")
    try:
        query = _writer(spark, options).start()
    except (PySparkException, ValueError) as error:
        parser.exit(1, f"reptrace.spark stream: {str(error).splitlines()[0]}\n")
    query.awaitTermination()
    return 0


def _has_files(spark: Any, folder: str) -> bool:
    path = spark._jvm.org.apache.hadoop.fs.Path(folder, "*")
    return bool(path.getFileSystem(spark._jsc.hadoopConfiguration()).globStatus(path))


def _writer(spark: Any, options: argparse.Namespace) -> Any:
    reader = spark.readStream.format(options.format).options(
        **dict(one.split("=", 1) for one in options.option)
    )
    if options.schema:
        reader = reader.schema(options.schema)
    rows = count_stream(
        reader.load(options.input) if options.input else reader.load(), session=options.session,
        person=options.person, message=options.message, time=options.time, order=options.order,
        late=options.late, silence=options.silence,
    )  # fmt: skip
    writer = rows.writeStream.option("checkpointLocation", options.checkpoint)
    writer = (
        writer.trigger(availableNow=True) if options.once else writer.trigger(processingTime=options.trigger)
    )
    if options.postgres:
        from ._spark_postgres import sink

        return writer.foreachBatch(sink(options.postgres, options.output))
    return writer.format("parquet").option("path", options.output).partitionBy("kind")
