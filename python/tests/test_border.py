"""The interface of the native library: any argument gives a status, never a crash."""

from __future__ import annotations

import ctypes
import json
import random
from ctypes import POINTER, byref, c_int, c_size_t, c_uint8, c_void_p, sizeof

import numpy as np
import pytest

from reptrace import _native

VALUES = np.random.default_rng(3).normal(size=4096)
PHASES = np.random.default_rng(4).integers(0, 4, 512).astype(np.uint8)
ABSURD = [float("nan"), float("inf"), -float("inf"), 1e300, -1e300, 5e-324, -0.0, 2.0**63]


def some_values(at_random: random.Random, count: int) -> np.ndarray:
    kind = at_random.randrange(4)
    if kind == 0:
        return np.arange(count) / 50
    values = VALUES[:count].copy()
    if kind == 1:
        for _ in range(min(count, 5)):
            values[at_random.randrange(count)] = at_random.choice(ABSURD)
    return np.sort(values) if kind == 2 else values


def some_samples(at_random: random.Random, kept: list) -> _native.Samples:
    """Returns samples that are valid about half of the time; `kept` keeps their memory alive."""
    count = at_random.choice([0, 1, 2, 50, 400])
    columns = (_native.Column * 24)()
    channels = [0, *at_random.sample(range(1, 23), 12)]
    for column, channel in zip(columns, channels, strict=False):
        values = some_values(at_random, max(count, 1) * 2)
        kept.append(values)
        column.channel = channel
        column.values = values.ctypes.data
        column.stride = at_random.choice([0, 8, 8, 16])
    samples = _native.Samples(
        count=count, columns=columns, column_count=at_random.choice([1, 4, 13]), units=_native.Units()
    )
    kept += [columns, samples]
    if at_random.random() < 0.3:
        samples.phases = PHASES.ctypes.data
    spoil = at_random.randrange(16)
    column = columns[at_random.randrange(3)]
    if spoil == 0:
        samples.struct_size = at_random.choice([0, 1, sizeof(_native.Samples) - 1, 2**64 - 1])
    elif spoil == 1:
        samples.count = at_random.choice([2**63, 2**64 - 1, 2**56])
    elif spoil == 2:
        samples.column_count = at_random.choice([0, 24, 2**63, 2**64 - 1])
    elif spoil == 3:
        samples.columns = POINTER(_native.Column)()
    elif spoil == 4:
        column.values = None
    elif spoil == 5:
        column.channel = at_random.randrange(256)
    elif spoil == 6:
        column.stride = at_random.choice([1, 4, 7, -1])
    elif spoil == 7:
        column.values = (column.values or 0) + at_random.choice([1, 4])
    elif spoil == 8:
        (c_uint8 * 8).from_buffer(samples.units)[at_random.randrange(7)] = at_random.randrange(256)
    return samples


def some_hints(at_random: random.Random) -> _native.HintsStruct | None:
    if at_random.random() < 0.5:
        return None
    hints = _native.HintsStruct(
        exercise=at_random.choice([None, b"", b"curl", b"\xff\xfe", b"x" * 10_000]),
        expected_period=at_random.choice([0.0, 2.0, 1e-9, -1.0, *ABSURD]),
        target_reps=at_random.choice([0, 8, 2**32 - 1]),
        minimum_reps=at_random.choice([0, 3, 2**32 - 1]),
        alternating=at_random.randrange(-3, 4),
        set_probability=at_random.choice([0.0, 0.0, 0.3, 1.0, -0.1, *ABSURD]),
        set_prior=at_random.choice([0.0, 0.0, 0.05, 1.0, -0.1, *ABSURD]),
    )
    if at_random.random() < 0.1:
        hints.struct_size = at_random.randrange(sizeof(hints))
    return hints


def pointer(value):
    return None if value is None else byref(value)


def status(name, *arguments) -> int:
    error = _native.Error() if len(name) % 2 else None
    found = getattr(_native.library, f"reptrace_{name}")(*arguments, pointer(error))
    assert 0 <= found <= 6
    if error is not None and found:
        assert error.status == found
        assert error.message
    return found


@pytest.mark.parametrize("seed", range(300))
def test_any_argument_gives_a_status(seed):
    at_random = random.Random(seed)
    kept: list = []
    samples, hints = some_samples(at_random, kept), some_hints(at_random)
    handle = _native.Handle("sets")
    if status(
        "sets_count", byref(samples), at_random.randrange(-1, 3), pointer(hints), byref(handle.pointer)
    ):
        assert not handle.pointer
    size = _native.library.reptrace_sets_size(handle.pointer)
    for index in (0, size, 2**64 - 1):
        found = _native.SetStruct()
        if at_random.random() < 0.2:
            found.struct_size = at_random.randrange(sizeof(found))
        status("sets_get", handle.pointer, index, byref(found))
        analysis = _native.Handle("bytes")
        if status("sets_analyze", handle.pointer, index, byref(analysis.pointer)) == 0:
            assert "reps" in json.loads(_native.content(analysis))

    detector = _native.Handle("detector")
    status("detector_create", at_random.randrange(2), pointer(hints), byref(detector.pointer))
    event, taken = _native.EventStruct(), c_int()
    for _ in range(6):
        samples = some_samples(at_random, kept)
        status("detector_append", detector.pointer, byref(samples))
        call = at_random.choice(["begin_set", "end_set", "finish", None])
        if call == "begin_set":
            status("detector_begin_set", detector.pointer, pointer(some_hints(at_random)))
        elif call:
            status(f"detector_{call}", detector.pointer)
        if at_random.randrange(4) == 0:
            state = _native.Handle("bytes")
            if status("detector_snapshot", detector.pointer, byref(state.pointer)):
                assert not state.pointer
        while status("detector_take_event", detector.pointer, byref(event), byref(taken)) == 0 and taken:
            pass
    state = _native.Handle("bytes")
    if status("detector_snapshot", detector.pointer, byref(state.pointer)):
        assert not detector.pointer
    snapshot = bytearray(_native.content(state) if state.pointer else b"")
    for _ in range(at_random.randrange(3) if snapshot else 0):
        snapshot[at_random.randrange(len(snapshot))] ^= 1 << at_random.randrange(8)
    is_whole = state.pointer and snapshot == _native.content(state)
    restored = _native.Handle("detector")
    found = status("detector_restore", bytes(snapshot), len(snapshot), byref(restored.pointer))
    assert found == (0 if is_whole else 4)
    if is_whole:
        status("detector_append", restored.pointer, byref(samples))

    encoded = _native.Handle("bytes")
    found = _native.SetStruct(
        cause=at_random.randrange(3),
        start=at_random.choice(ABSURD),
        end=at_random.choice(ABSURD),
        rep_count=at_random.choice([0, 0, 1, 2**64 - 1]),
    )
    if status(
        "timeline_encode", byref(samples), byref(found), at_random.randrange(3), byref(encoded.pointer)
    ):
        return
    blob = bytearray(_native.content(encoded))
    size = len(blob)
    for _ in range(at_random.randrange(3)):
        blob[at_random.randrange(size)] ^= 1 << at_random.randrange(8)
    timeline = _native.Handle("timeline")
    length = at_random.choice([size, size, at_random.randrange(size)])
    status("timeline_decode", bytes(blob), length, byref(timeline.pointer))
    values, count = POINTER(ctypes.c_double)(), c_size_t()
    status("timeline_column", timeline.pointer, at_random.randrange(256), byref(values), byref(count))


def test_null_is_rejected_everywhere():
    null = c_void_p()
    refused = {
        "sets_count": (None, 0, None, None),
        "sets_get": (null, 0, None),
        "sets_analyze": (null, 0, None),
        "detector_create": (1, None, None),
        "detector_append": (null, None),
        "detector_begin_set": (null, None),
        "detector_end_set": (null,),
        "detector_finish": (null,),
        "detector_take_event": (null, None, None),
        "detector_snapshot": (null, None),
        "detector_restore": (None, 9, None),
        "recordings_open": (None, None, None),
        "recording_column": (null, 0, 0, None, None),
        "recording_count": (null, 0, 0, None, None),
        "inputs_open": (None, 1, None, None),
        "inputs_load": (null, 0, None),
        "evaluation_open": (None, None, None, None, None, None),
        "evaluation_count": (null, 0),
        "evaluation_report": (null, None, 0, None),
        "timeline_encode": (None, None, 0, None),
        "timeline_decode": (None, 9, None),
        "timeline_column": (null, 0, None, None),
        "timeline_set": (null, None, None),
    }
    for name, arguments in refused.items():
        assert status(name, *arguments) == 1, name
    for kind in ("sets", "detector", "bytes", "recordings", "inputs", "evaluation", "timeline"):
        getattr(_native.library, f"reptrace_{kind}_destroy")(null)
    assert _native.library.reptrace_bytes_data(null) is None
    assert _native.library.reptrace_recording_metadata(null, 0) is None
