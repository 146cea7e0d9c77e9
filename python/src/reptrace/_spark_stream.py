"""Counting streams with Spark's Structured Streaming, which keeps the state of each session."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from ._counting import check_set_options
from ._errors import UndecodableError
from ._session import Session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_REPS = "array<struct<start: double, `end`: double, confidence: double>>"
#: The columns of all rows.
ROWS = (
    "person string, session string, kind string, number long, event string, key string, recording string, "
    "`set` string, position int, exercise string, cause string, start double, `end` double, unixTime double, "
    f"reps int, confidence double, repEvents {_REPS}, firstSample long, samples long, digest string, "
    "timeline binary, error string, message string"
)
_COLUMNS = [field.strip().split()[0].strip("`") for field in ROWS.replace(_REPS, "array").split(",")]
_STATE = "head binary, last long, timer long"

#: Options of `to_json`: dates with all digits, and no members for absent values.
_EXACT = {
    "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
    "timestampNTZFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
    "timeZone": "UTC",
    "ignoreNullFields": "true",
}
_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
_ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

#: Sessions of this process with their last saved heads, in order of their last use.
_sessions: OrderedDict[tuple[Any, ...], tuple[bytes, Session]] = OrderedDict()
#: Beyond this number, the least recently used session is dropped, and later restored from its state.
_SESSIONS_AT_MOST = 256


def _seconds(duration: str | float) -> float:
    """Parses a duration such as ``"90 seconds"`` or ``"1 hour"``."""
    return pd.Timedelta(duration).total_seconds() if isinstance(duration, str) else float(duration)


class _Counter(StatefulProcessor):  # type: ignore[misc,unused-ignore]
    """Counts the sessions of a partition, one key at a time."""

    def __init__(self, options: dict[str, Any], silence: float, keep: float) -> None:
        self.options = options
        self.silence, self.keep = int(silence * 1000), int(keep * 1000)

    def init(self, handle: Any) -> None:
        self.handle = handle
        self.state = handle.getValueState("session", _STATE)
        self.messages = handle.getListState("messages", "bytes binary")

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[pd.DataFrame]:
        state = self.state.get() if self.state.exists() else None
        session = self._session(key, state)
        _, last, timer = state or (None, 0, 0)
        frame = pd.concat(rows, ignore_index=True).sort_values("order", kind="stable")
        session.feed([bytes(message or b"null") for message in frame["message"]])
        # A row that could not be parsed has no time.
        times = frame["time"].dropna()
        last = max(int(last), int(times.max()) if len(times) else timerValues.getCurrentWatermarkInMs())
        end = last + self.silence
        if not timer or timer > end:
            if timer:
                self.handle.deleteTimer(timer)
            timer = end
            self.handle.registerTimer(timer)
        self._keep(key, session, last, timer)
        yield from _frames(key, session)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[pd.DataFrame]:
        state = self.state.get() if self.state.exists() else None
        if state is None or expiredTimerInfo.getExpiryTimeInMs() != state[2]:
            return
        last = int(state[1])
        # A timer set here expires with the next batch at the earliest, and there may be none.
        now = timerValues.getCurrentWatermarkInMs()
        if now < last + self.silence:
            # Messages have arrived since it was set.
            self.handle.registerTimer(last + self.silence)
            self.state.update((bytes(state[0]), last, last + self.silence))
            return
        session = self._session(key, state)
        # Returns nothing if the session has already ended.
        session._finish(forget=True)
        if now < last + self.silence + self.keep:
            timer = last + self.silence + self.keep
            self.handle.registerTimer(timer)
            self._keep(key, session, last, timer)
        else:
            _sessions.pop((key, str(self.options)), None)
            self.state.clear()
            self.messages.clear()
        yield from _frames(key, session)

    def _session(self, key: Any, state: Any) -> Session:
        if state is None:
            return Session(**self.options)
        head = bytes(state[0])
        known = _sessions.get((key, str(self.options)))
        # The head differs if a task failed or ran on another machine.
        if known and known[0] == head:
            return known[1]
        try:
            return Session.restore(
                head + b"".join(bytes(row[0]) for row in self.messages.get()), **self.options
            )
        except UndecodableError as error:
            raise UndecodableError(f"session {key}: {error}") from None

    def _keep(self, key: Any, session: Session, last: int, timer: int) -> None:
        saved = session.save()
        if saved.replaces:
            self.messages.clear()
        if saved.messages:
            self.messages.appendValue((saved.messages,))
        self.state.update((saved.head, last, timer))
        name = (key, str(self.options))
        _sessions[name] = (saved.head, session)
        _sessions.move_to_end(name)
        if len(_sessions) > _SESSIONS_AT_MOST:
            _sessions.popitem(last=False)

    def close(self) -> None:
        pass


def _frames(key: Any, session: Session) -> Iterator[pd.DataFrame]:
    rows = [
        {"person": key[0], "session": key[1], **row}
        for line, result in session.take()
        for row in _rows(line, result)
    ]
    if rows:
        # Without dtype=object, pandas would convert None to NaN.
        yield pd.DataFrame({name: [row.get(name) for row in rows] for name in _COLUMNS}, dtype=object)


def _rows(line: bytes, result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Returns the rows of a result of `Session`."""
    row = {"number": result["number"], "exercise": result.get("exerciseId")}
    if "recording" in result:
        row |= {"key": result["stream"], "recording": result["recording"]}
        yield row | {"kind": "recording", "samples": result["samples"], "digest": result["digest"],
                     "unixTime": result.get("unixTime"), "message": line.decode()}  # fmt: skip
        for position, one in enumerate(result["sets"], 1):
            yield row | {
                "kind": "set",
                "set": one["key"],
                "position": position,
                "cause": one["cause"],
                "start": one.get("start"),
                "end": one.get("end"),
                "unixTime": one.get("unixStart"),
                "reps": one["reps"],
                "confidence": one["confidence"],
                "repEvents": one["repEvents"],
            }
            # fmt: skip
        for position, segment in enumerate(result["segments"], 1):
            set_key = result["sets"][segment["set"]]["key"] if "set" in segment else None
            yield row | {"kind": "samples", "set": set_key, "position": position,
                         "firstSample": segment["firstSample"], "samples": segment["samples"],
                         "digest": segment["digest"], "timeline": segment["timeline"]}  # fmt: skip
        return
    event = result.get("event")
    row |= {"event": event or result["step"], "set": result.get("setId"), "unixTime": result.get("unixTime"),
            "message": line.decode()}  # fmt: skip
    if event is None:
        yield row | {"kind": "step"}
    elif event == "error":
        yield row | {"kind": "error", "error": f"{result['kind']}: {result['message']}"}
    else:
        yield row | {"kind": "event", "reps": result.get("reps", result.get("count")),
                     "confidence": result.get("confidence"),
                     "start": result.get("start", result.get("repStart")),
                     "end": result.get("end", result.get("repEnd"))}  # fmt: skip


def count_stream(
    chunks: DataFrame, *, session: str = "session", person: str | None = None, message: str = "value",
    time: str | None = None, order: str | None = None, late: str = "10 minutes", silence: str = "1 hour",
    keep: str = "1 day", ended_sets: int | None = None, gap_wait: float | None = None,
    set_probability: float | None = None,
    set_prior: float | None = None,
) -> DataFrame:  # fmt: skip
    """Count sessions of chunks and control messages on a cluster, as they arrive.

    Parameters
    ----------
    chunks : DataFrame
        A row per message of the stream's protocol: as JSON text or bytes in the column `message`, or, without
        that column, as columns (``sessionId``, ``setId``, ``samples``, …; all but `time`), with nulls for
        absent fields. A stream, or a finite frame.
    session : str
        The column that names the session, such as Kafka's key. If the column is missing, the session is read
        from each message, and every message must name it.
    person : str, optional
        The column that names the person. Sessions of two people may have the same name.
    message : str
        The column of the message; ``value`` in Kafka.
    time : str, optional
        The column with the time of arrival; by default the current time. Do not use a clock that senders can
        set: a fast one makes all others late.
    order : str, optional
        A column that orders the messages of a session within a batch, such as Kafka's offset or the sender's
        date; `time` by default.
    late : str
        Delay relative to other messages beyond which Spark drops a message.
    silence : str
        Time without messages after which a session ends, as by ``endWorkout``. Time advances with messages
        of any session.
    keep : str
        Time after that in which a late message is rejected rather than starting a new session.
    ended_sets : int, optional
        Number of ended sets of a session that are kept for late chunks; 8 by default.
    gap_wait, set_probability, set_prior : float, optional
        As in `Session`.

    Returns
    -------
    DataFrame
        Rows of several ``kind``: ``event``, ``error``, ``step``, ``recording``, ``set`` and ``samples``
        (docs/cluster.md). `events`, `errors`, `sets`, `reps` and `samples` select them.

    Notes
    -----
    An invalid message gives a row with an ``error``; the query continues.
    """
    check_set_options(set_probability, set_prior)
    options: dict[str, Any] = {
        "gap_wait": gap_wait,
        "set_probability": set_probability,
        "set_prior": set_prior,
        "ended_sets": ended_sets,
    }
    Session(**options)  # Reject invalid options early.
    from pyspark.sql import functions as f

    columns = set(chunks.columns)
    for name in (person, time, order):
        if name is not None and name not in columns:
            raise ValueError(f"no column is called {name!r}; there are {sorted(columns)}")
    if message in columns:
        text = f.col(message)
        fields = ("$.sessionId", "$.metadata.sessionId")
        named = [f.get_json_object(text.cast("string"), field) for field in fields]
    elif columns & {"sessionId", "samples"}:
        # The time of arrival is not a date of the message.
        text = f.to_json(f.struct(*(f.col(f"`{name}`") for name in chunks.columns if name != time)), _EXACT)
        named = [f.col("sessionId")]
    else:
        raise ValueError(
            f"no column is called {message!r}, 'sessionId' or 'samples'; there are {sorted(columns)}"
        )
    if session in columns:
        named = [f.col(session)]
    spark = chunks.sparkSession
    if spark.conf.get(_PROVIDER, None) is None:
        spark.conf.set(_PROVIDER, _ROCKSDB)
    sequence = order or time
    rows = chunks.select(
        f.upper(_name(*named)).alias("session"),
        _name(*([f.col(person)] if person else [])).alias("person"),
        # Invalid UTF-8 is an error of the message, not of the query.
        text.cast("binary").alias("message"),
        (f.col(time) if time else f.current_timestamp()).alias("arrival"),
        (f.col(sequence) if sequence else f.lit(None).cast("long")).alias("order"),
    ).withWatermark("arrival", late)
    return (
        rows.withColumn("time", f.unix_millis("arrival"))
        .groupBy("person", "session")
        .transformWithStateInPandas(
            _Counter(options, _seconds(silence), _seconds(keep)), ROWS, "Append", "EventTime"
        )
    )


def _name(*columns: Any) -> Any:
    """Returns the first of some columns that is not null, as valid text."""
    from pyspark.sql import functions as f

    return f.coalesce(*(f.make_valid_utf8(column.cast("string")) for column in columns), f.lit(""))


def _of(rows: DataFrame, kind: str, *columns: str) -> DataFrame:
    from pyspark.sql.functions import col

    return rows.where(col("kind") == kind).select("person", "session", "number", *columns)


def events(rows: DataFrame) -> DataFrame:
    """Return the events of the stream's protocol, with their JSON in ``message``."""
    return _of(
        rows, "event", "event", "set", "exercise", "start", "end", "unixTime", "reps", "confidence", "message"
    )


def errors(rows: DataFrame) -> DataFrame:
    """Return the invalid messages."""
    return _of(rows, "error", "error", "set", "message")


def sets(rows: DataFrame) -> DataFrame:
    """Return the finished sets, including each revision; ``sets(latest(rows))`` has only the last."""
    names = ["key", "recording", "set", "position", "exercise", "cause", "start", "end", "unixTime", "reps"]
    return _of(rows, "set", *names, "confidence", "repEvents")


def samples(rows: DataFrame) -> DataFrame:
    """Return the samples of sets and of rest, each row with a ``timeline`` for `decode_timeline`."""
    return _of(
        rows, "samples", "key", "recording", "set", "position", "firstSample", "samples", "digest", "timeline"
    )


def reps(rows: DataFrame) -> DataFrame:
    """Return the reps of the finished sets, a row each."""
    from pyspark.sql.functions import col, posexplode

    return (
        sets(rows)
        .select("person", "session", "number", "key", "set", posexplode("repEvents").alias("index", "event"))
        .select("person", "session", "number", "key", "set", (col("index") + 1).alias("rep"), "event.*")
    )


def latest(rows: DataFrame) -> DataFrame:
    """Return the valid rows of a finite frame of `count_stream`: the last revision for each ``key``."""
    from pyspark.sql import Window
    from pyspark.sql.functions import col
    from pyspark.sql.functions import max as greatest

    last = greatest("number").over(Window.partitionBy("person", "session", "key"))
    answers = rows.where(col("key").isNotNull()).withColumn("_last", last)
    return answers.where(col("number") == col("_last")).drop("_last")
