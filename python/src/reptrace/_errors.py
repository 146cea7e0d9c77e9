"""What can go wrong."""

from __future__ import annotations


class RepTraceError(Exception):
    """The library could not do what was asked; the text says why."""


class UndecodableError(RepTraceError, ValueError):
    """A file, timeline or snapshot is damaged, or none at all."""


class InvalidArgumentError(RepTraceError, ValueError):
    """A value is impossible."""


class InvalidStateError(RepTraceError, RuntimeError):
    """The call does not fit the object's state."""


class NotFoundError(RepTraceError, FileNotFoundError):
    """There is no such file."""


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
