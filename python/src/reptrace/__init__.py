"""Count repetitions in the motion data of a watch.

>>> import reptrace
>>> frame = reptrace.read("workout.csv")
>>> sets = reptrace.count(frame)
>>> sets.to_frame()

Counting, decoding and timelines run in the native library; results are identical to those of the
command ``reptrace``.
"""

from ._batch import CountedRecordings, analyse, count_all
from ._counting import Detector, Event, Hints, count
from ._errors import (
    InvalidArgumentError,
    InvalidStateError,
    NotFoundError,
    RepTraceError,
    UndecodableError,
    UnreadableError,
)
from ._evaluation import Evaluation, evaluate
from ._history import History
from ._native import version as _version
from ._plotting import plot
from ._recordings import read, read_all
from ._session import SavedSession, Session
from ._sets import CountedSet, Rep, Sets
from ._timelines import Timeline, decode_timeline, encode_timeline

__version__ = _version()

__all__ = [
    "CountedRecordings",
    "CountedSet",
    "Detector",
    "Evaluation",
    "Event",
    "Hints",
    "History",
    "InvalidArgumentError",
    "InvalidStateError",
    "NotFoundError",
    "Rep",
    "RepTraceError",
    "SavedSession",
    "Session",
    "Sets",
    "Timeline",
    "UndecodableError",
    "UnreadableError",
    "analyse",
    "count",
    "count_all",
    "decode_timeline",
    "encode_timeline",
    "evaluate",
    "plot",
    "read",
    "read_all",
]
