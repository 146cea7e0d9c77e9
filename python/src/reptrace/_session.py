"""Sessions of a stream: they convert messages to results, and their state can be saved."""

from __future__ import annotations

import json
from collections.abc import Iterable
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint64, c_void_p
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._counting import check_set_options

_handle, _result, _error = c_void_p, POINTER(c_void_p), POINTER(_native.Error)


class _Options(_native._Sized):
    _fields_ = [
        ("struct_size", c_size_t),
        ("gap_wait", c_double),
        ("set_probability", c_double),
        ("set_prior", c_double),
        ("ended_sets", c_uint64),
        ("samples", c_uint64),
        ("message_bytes", c_uint64),
    ]


_native.bind(
    {
        "session_create": (c_int32, [POINTER(_Options), _result, _error]),
        "session_restore": (c_int32, [POINTER(_Options), c_char_p, c_size_t, _result, _error]),
        "session_append": (c_int32, [_handle, c_char_p, POINTER(c_uint64), c_size_t, _error]),
        "session_finish": (c_int32, [_handle, c_int, _error]),
        "session_take": (c_int32, [_handle, _result, _result, _error]),
        "session_save": (c_int32, [_handle, _result, _result, POINTER(c_int), _error]),
        "session_snapshot": (c_int32, [_handle, _result, _error]),
        "session_is_idle": (c_int, [_handle]),
        "session_destroy": (None, [_handle]),
    },
    _native.library,
)


class SavedSession(NamedTuple):
    """The state of a session in parts.

    Attributes
    ----------
    head : bytes
        Replaces the previously saved head.
    messages : bytes
        Messages since the session was last saved.
    replaces : bool
        True if they replace the previously saved messages, False if they follow them.
    """

    head: bytes
    messages: bytes
    replaces: bool


class Session:
    """One session of ``reptrace stream``, without a process and a store.

    Parameters
    ----------
    gap_wait : float, optional
        Seconds of signal that live detection waits for a missing chunk; 10 by default.
    set_probability, set_prior : float, optional
        As in `count`.
    ended_sets : int, optional
        Number of ended sets that are kept for late chunks; 8 by default.

    Notes
    -----
    `append` and `finish` return results as dicts: events of the stream's protocol (``event``), recordings
    that were finalized (``recording``), with their sets and with their samples in ``segments``, each of them
    a ``timeline`` for `decode_timeline`, and statements that a history stores (``step``). All three are
    independent of how messages are divided among calls, and of restoring the session between them.
    Use a session from one thread at a time.

    Examples
    --------
    >>> session = reptrace.Session()
    >>> for message in messages:
    ...     for result in session.append([message]):
    ...         print(result)
    ...     session = reptrace.Session.restore(session.snapshot())
    """

    def __init__(
        self,
        *,
        gap_wait: float | None = None,
        set_probability: float | None = None,
        set_prior: float | None = None,
        ended_sets: int | None = None,
    ) -> None:
        self._create("session_create", _options(gap_wait, set_probability, set_prior, ended_sets))

    def _create(self, function: str, options: _Options, *arguments: Any) -> None:
        self._session = _native.Handle("session")
        _native.call(function, byref(options), *arguments, byref(self._session.pointer))

    @classmethod
    def restore(
        cls,
        snapshot: bytes,
        *,
        gap_wait: float | None = None,
        set_probability: float | None = None,
        set_prior: float | None = None,
        ended_sets: int | None = None,
    ) -> Session:
        """Resume from `snapshot`, or from the last head of `save` and all messages after it.

        Raises
        ------
        UndecodableError
            If the bytes are damaged or from another version.
        """
        session = cls.__new__(cls)
        options = _options(gap_wait, set_probability, set_prior, ended_sets)
        session._create("session_restore", options, snapshot, c_size_t(len(snapshot)))
        return session

    def append(self, messages: Iterable[bytes | str]) -> list[dict[str, Any]]:
        """Append messages in order and return the results, with an ``error`` for each invalid message."""
        self.feed([message.encode() if isinstance(message, str) else message for message in messages])
        return [result for _, result in self.take()]

    def feed(self, messages: list[bytes]) -> None:
        """Append messages; `take` returns the results."""
        ends = np.cumsum([len(message) for message in messages], dtype=np.uint64)
        _native.call(
            "session_append", self._session.pointer, b"".join(messages),
            ends.ctypes.data_as(POINTER(c_uint64)), c_size_t(len(messages)),
        )  # fmt: skip

    def finish(self, *, forget: bool = False) -> list[dict[str, Any]]:
        """Finalize all open sets and return the results.

        Parameters
        ----------
        forget : bool
            True if the session has ended: it discards its samples, and rejects messages for its sets.
        """
        self._finish(forget=forget)
        return [result for _, result in self.take()]

    def _finish(self, *, forget: bool) -> None:
        _native.call("session_finish", self._session.pointer, c_int(forget))

    def take(self) -> list[tuple[bytes, dict[str, Any]]]:
        """Return the results since the last call, each as JSON and decoded."""
        lines, timelines = _native.Handle("bytes"), _native.Handle("bytes")
        _native.call("session_take", self._session.pointer, byref(lines.pointer), byref(timelines.pointer))
        results = [(line, json.loads(line)) for line in _native.content(lines).splitlines()]
        samples = memoryview(_native.content(timelines))
        for _, result in results:
            for segment in result.get("segments", ()):
                segment["timeline"] = bytes(samples[: segment["size"]])
                samples = samples[segment["size"] :]
        return results

    def snapshot(self) -> bytes:
        """Return the whole state. It contains health data: protect it like the samples."""
        state = _native.Handle("bytes")
        _native.call("session_snapshot", self._session.pointer, byref(state.pointer))
        return _native.content(state)

    def save(self) -> SavedSession:
        """Return the state in parts, so that the samples of an open set are not written again each time."""
        head, messages, replaces = _native.Handle("bytes"), _native.Handle("bytes"), c_int()
        _native.call(
            "session_save",
            self._session.pointer,
            byref(head.pointer),
            byref(messages.pointer),
            byref(replaces),
        )
        return SavedSession(_native.content(head), _native.content(messages), bool(replaces.value))

    @property
    def idle(self) -> bool:
        """True if no set is open."""
        return bool(_native.library.reptrace_session_is_idle(self._session.pointer))


def _options(
    gap_wait: float | None, set_probability: float | None, set_prior: float | None, ended_sets: int | None
) -> _Options:  # fmt: skip
    check_set_options(set_probability, set_prior)
    if ended_sets is not None and not 1 <= ended_sets < 2**32:
        raise ValueError(f"ended_sets is {ended_sets!r}; expected 1 to {2**32 - 1}")
    return _Options(
        gap_wait=gap_wait or 0.0,
        # The library interprets zero as the default.
        set_probability=0.0 if set_probability is None else set_probability or 5e-324,
        set_prior=set_prior or 0.0,
        ended_sets=ended_sets or 0,
    )
