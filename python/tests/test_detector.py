"""Counting as samples arrive."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import curls

import reptrace


def chunks(data, size):
    for first in range(0, len(data["timestamp"]), size):
        yield {name: values[first : first + size] for name, values in data.items()}


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
def test_events_do_not_depend_on_chunking(size):
    data = curls()
    detector = reptrace.Detector()
    events = [event for chunk in chunks(data, size) for event in detector.append(chunk)]
    events += detector.finish()
    assert events[0].kind == "setStarted"
    assert events[0].cause == "detected"
    assert events[-1].kind == "setEnded"
    assert events[-1].set.count == 8
    assert [e.count for e in events if e.kind in ("rep", "repCorrected")][-1] == 8
    whole = reptrace.Detector()
    assert whole.append(data) + whole.finish() == events
    found = reptrace.count(data)[0]
    assert events[-1].set.reps == found.reps


def test_dates_continue_from_batch_to_batch():
    data = curls()
    data["timestamp"] = pd.Series(pd.to_datetime(data["timestamp"], unit="s"))
    whole, cut = reptrace.Detector(), reptrace.Detector()
    events = [event for chunk in chunks(data, 100) for event in cut.append(chunk)]
    assert events + cut.finish() == whole.append(data) + whole.finish()


def test_unordered_samples_are_rejected():
    data = curls()
    detector = reptrace.Detector()
    with pytest.raises(ValueError, match="expected samples in order of time"):
        detector.append({name: values[::-1] for name, values in data.items()})
    events = detector.append(data)
    with pytest.raises(ValueError, match="before that of the last sample"):
        detector.append(data)
    assert (events + detector.finish())[-1].set.count == 8
    # The next signal may have another clock.
    assert (detector.append(data) + detector.finish())[-1].set.count == 8


def test_declared_sets():
    detector = reptrace.Detector(finds_sets=False)
    data = curls(6)
    events = detector.begin_set(reptrace.Hints(target_reps=6))
    events += detector.append(data)
    events += detector.end_set()
    assert [e.kind for e in events if e.kind.startswith("set")] == ["setStarted", "setEnded"]
    assert events[-1].set.count == 6
    assert events[-1].set.cause == "declared"
    with pytest.raises(reptrace.InvalidStateError, match="no set was declared"):
        detector.end_set()
    assert detector.append(data) == []
    assert detector.finish() == []


@pytest.mark.parametrize("declared", [True, False])
def test_a_detector_resumes_from_a_snapshot(declared):
    whole, cut = reptrace.Detector(), reptrace.Detector()
    if declared:
        assert whole.begin_set() == cut.begin_set()
    for chunk in chunks(curls(), 90):
        cut = reptrace.Detector.restore(cut.snapshot())
        assert cut.append(chunk) == whole.append(chunk)
    assert cut.finish() == whole.finish()


@pytest.mark.parametrize("hints", [None, reptrace.Hints(exercise="curl")])
def test_the_set_probability_can_be_set(hints):
    for probability, sets in ((None, 1), (0, 1), (0.3, 1), (1, 0)):
        detector = reptrace.Detector(hints=hints, set_probability=probability)
        # The probability is part of the state.
        for one in (detector, reptrace.Detector.restore(detector.snapshot())):
            events = one.append(curls()) + one.finish()
            assert [event.kind for event in events].count("setEnded") == sets


def test_invalid_snapshots_are_rejected():
    snapshot = reptrace.Detector().snapshot()
    for damaged in (b"", b"RTSN", snapshot[:-1], snapshot[:100] + b"?" + snapshot[101:]):
        with pytest.raises(reptrace.UndecodableError):
            reptrace.Detector.restore(damaged)


def test_invalid_calls_do_not_harm_a_detector():
    detector = reptrace.Detector()
    with pytest.raises(ValueError):
        detector.append({"timestamp": np.array([np.nan]), "rotationX": np.zeros(1)})
    data = curls()
    events = detector.append(data) + detector.finish()
    assert events[-1].set.count == 8
