"""Parquet files of a history or of recordings: ``python -m reptrace.parquet STORE|PATH OUT``.

Writes ``sets.parquet``, ``reps.parquet`` and ``samples.parquet`` into the folder OUT. Units and provenance
are in the schemas' metadata: each column has ``unit`` and ``description``, each file ``reptrace.version``
and ``reptrace.source``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from . import RepTraceError, Sets, __version__, _counting, _native, _recordings
from ._batch import Paths, path_list
from ._history import History

_COLUMNS: dict[str, tuple[pa.DataType, str, str]] = {
    "recording": (pa.string(), "", "name of the recording"),
    "set": (pa.string(), "", "name of the set, the same in all files"),
    "number": (pa.int32(), "", "number of the set in its recording"),
    "workout": (pa.string(), "", "id of the workout"),
    "exercise": (pa.string(), "", "name of the exercise"),
    "user": (pa.string(), "", "name of the person"),
    "cause": (pa.string(), "", "declared or detected"),
    "date": (pa.timestamp("us", tz="UTC"), "", "when the set began"),
    "start": (pa.float64(), "s", "begin of the first rep, or of the rep"),
    "end": (pa.float64(), "s", "end of the last rep, or of the rep"),
    "reps": (pa.int32(), "", "repetitions; a person's count where there is one"),
    "detectedReps": (pa.int32(), "", "repetitions that the machine counted"),
    "correctedReps": (pa.int32(), "", "repetitions that a person counted"),
    "confidence": (pa.float64(), "", "probability that the count is exact, or that this is a rep"),
    "weight": (pa.float64(), "kg", "weight"),
    "rep": (pa.int32(), "", "number of the rep in its set"),
    "duration": (pa.float64(), "s", "end - start"),
}
_SETS = (
    "set", "recording", "number", "workout", "exercise", "user", "cause", "date", "start", "end", "reps",
    "detectedReps", "correctedReps", "confidence", "weight",
)  # fmt: skip
_REPS = ("set", "recording", "rep", "start", "end", "duration", "confidence")
_SAMPLE_UNITS = {
    "timestamp": "s", "acceleration": "g", "totalAcceleration": "g", "gravity": "g",
    "rotation": "rad/s", "roll": "rad", "pitch": "rad", "yaw": "rad", "magneticField": "uT",
    "quaternion": "",
}  # fmt: skip


def _field(name: str, type: pa.DataType, unit: str, description: str) -> pa.Field:
    return pa.field(name, type, metadata={"unit": unit, "description": description})


def _schema(names: Iterable[str], source: str) -> pa.Schema:
    fields = [_field(name, *_COLUMNS[name]) for name in names]
    return pa.schema(fields, metadata=_provenance(source))


def _sample_schema(source: str) -> pa.Schema:
    fields = [_field(name, *_COLUMNS[name]) for name in ("set", "recording")]
    for name in _native.CHANNELS:
        quantity = name.rstrip("WXYZ")
        fields.append(_field(name, pa.float64(), _SAMPLE_UNITS[quantity], quantity))
    return pa.schema(fields, metadata=_provenance(source))


def _provenance(source: str) -> dict[str, str]:
    return {"reptrace.version": __version__, "reptrace.source": source}


def _table(frame: pd.DataFrame, schema: pa.Schema) -> pa.Table:
    missing = {name: None for name in schema.names if name not in frame}
    return pa.Table.from_pandas(
        frame.assign(**missing)[schema.names], schema=schema, preserve_index=False
    ).replace_schema_metadata(schema.metadata)


class _Output:
    """Three files that appear when all of them are complete."""

    def __init__(self, folder: Path, source: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._schemas = {
            "sets": _schema(_SETS, source),
            "reps": _schema(_REPS, source),
            "samples": _sample_schema(source),
        }
        self._writers: dict[str, pq.ParquetWriter] = {}
        for name, schema in self._schemas.items():
            path = self._partial(name)
            # Health data must be readable only by their owner, from the first byte.
            os.close(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600))
            self._writers[name] = pq.ParquetWriter(path, schema, compression="zstd")

    def _partial(self, name: str) -> Path:
        return self._folder / f".{name}.parquet.partial"

    def write(self, name: str, frame: pd.DataFrame) -> None:
        if len(frame):
            self._writers[name].write_table(_table(frame, self._schemas[name]))

    def finish(self) -> None:
        for writer in self._writers.values():
            writer.close()
        for name in self._writers:
            os.replace(self._partial(name), self._folder / f"{name}.parquet")

    def discard(self) -> None:
        for name, writer in self._writers.items():
            writer.close()
            self._partial(name).unlink(missing_ok=True)


def _in_standard_units(samples: pd.DataFrame) -> pd.DataFrame:
    units = samples.attrs.get("units", {})
    result = samples.copy()
    for name in result.columns:
        unit = units.get(_recordings._QUANTITY_OF.get(name, ""), "")
        scale = _recordings._PER_STANDARD_UNIT.get(unit, 1.0)
        if scale != 1.0:
            result[name] = result[name] / scale
    result.attrs = {}
    return result


def history_to_parquet(history: History, out: str | os.PathLike[str]) -> None:
    """Write the sets, reps and samples of a history as three Parquet files.

    Parameters
    ----------
    history : History
        An open history.
    out : path
        A folder, which is created if missing. Files of earlier runs are replaced when all new ones are
        complete.

    Notes
    -----
    Samples are written set by set, in standard units.
    """
    output = _Output(Path(out), str(history.path))
    try:
        sets = history.sets()
        names = sets.set_index("set")["recording"]
        output.write("sets", sets)
        reps = history.reps()
        output.write("reps", reps.assign(recording=reps["set"].map(names)))
        for set_id in sets["set"]:
            try:
                samples = history.samples(set_id)
            except KeyError:
                continue  # a set that a person entered, without samples
            output.write("samples", _in_standard_units(samples).assign(recording=names[set_id]))
        output.finish()
    except BaseException:
        output.discard()
        raise


def recordings_to_parquet(paths: Paths, out: str | os.PathLike[str]) -> list[str]:
    """Count recordings, and write sets, reps and samples as three Parquet files.

    Parameters
    ----------
    paths : path or paths
        Files, and folders that are searched recursively.
    out : path
        As in `history_to_parquet`.

    Returns
    -------
    list of str
        The recordings that cannot be read, a line each.
    """
    sources = path_list(paths)
    output = _Output(Path(out), ", ".join(sources))
    failures: list[str] = []
    try:
        for recording in _opened(sources, failures):
            name = recording.metadata["name"]
            origin = recording.metadata.get("origin", 0.0)
            found = _counting.found_in_recording(recording, False, None, None, None)
            counted = Sets([one.counted for one in found], origin, name)
            samples = _recordings.frame(recording)
            samples.attrs = {}
            table = counted.to_frame()
            output.write("sets", table.assign(recording=name))
            output.write("reps", counted.reps.assign(recording=name))
            keys = pd.Series([None] * len(samples), dtype=object)
            for row in table.itertuples():
                keys[samples["timestamp"].between(row.start + origin, row.end + origin).to_numpy()] = row.set
            motion = [c for c in samples.columns if c in _native.CHANNELS]
            output.write("samples", samples[motion].assign(recording=name, set=keys))
        output.finish()
    except BaseException:
        output.discard()
        raise
    return failures


def _opened(paths: Iterable[str], failures: list[str]) -> Iterator[_recordings.OpenRecording]:
    for path in paths:
        try:
            yield from _recordings._open(path, None, None, None)
        except RepTraceError as error:
            failures.append(str(error))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m reptrace.parquet",
        description="Writes sets.parquet, reps.parquet and samples.parquet.",
    )
    parser.add_argument("source", help="a store, or a recording or folder of recordings")
    parser.add_argument("out", help="the folder for the three files")
    options = parser.parse_args(arguments)
    failures: list[str] = []
    try:
        if _is_store(options.source):
            with History(options.source) as history:
                history_to_parquet(history, options.out)
        else:
            failures = recordings_to_parquet([options.source], options.out)
    except (RepTraceError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 66 if isinstance(error, FileNotFoundError) else 65
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _is_store(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except IsADirectoryError:
        return False


if __name__ == "__main__":
    sys.exit(main())
