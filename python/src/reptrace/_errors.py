"""Exceptions of the package."""

from __future__ import annotations


class RepTraceError(Exception):
    """The library failed; the message gives the reason."""


class UndecodableError(RepTraceError, ValueError):
    """A file, timeline or snapshot is damaged or has the wrong format."""


class InvalidArgumentError(RepTraceError, ValueError):
    """A value is invalid."""


class InvalidStateError(RepTraceError, RuntimeError):
    """The call is not allowed in the object's state."""


class NotFoundError(RepTraceError, FileNotFoundError):
    """A file does not exist."""


class UnreadableError(RepTraceError, OSError):
    """A file cannot be read."""


#: The exception of each status of the C interface.
CLASSES: dict[int, type[RepTraceError]] = {
    1: InvalidArgumentError,
    2: NotFoundError,
    3: UnreadableError,
    4: UndecodableError,
    5: InvalidStateError,
    6: UndecodableError,
}
