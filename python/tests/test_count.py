"""Counting: equal to the command, whatever form the data have."""

from __future__ import annotations

import multiprocessing
import threading
import time
from ctypes import byref

import numpy as np
import pandas as pd
import pytest
from conftest import RECORDINGS, curls, inputs

import reptrace
from reptrace import _native, _samples


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
def test_files_and_frames_are_counted_as_by_the_command(process, path):
    expected = process(path)
    if len({line["recording"] for line in expected}) > 1:
        pytest.skip("several recordings in one folder")
    for counted in (reptrace.count(path), reptrace.count(reptrace.read(path))):
        assert len(counted) == len(expected)
        for one, line in zip(counted, expected, strict=True):
            assert one.cause == line["cause"]
            assert one.count == line["reps"]
            assert one.confidence == pytest.approx(line["confidence"], abs=6e-5)
            assert one.start == pytest.approx(line["start"], abs=6e-4)
            assert one.end == pytest.approx(line["end"], abs=6e-4)
            for rep, event in zip(one.reps, line["repEvents"], strict=True):
                assert rep.start == pytest.approx(event["start"], abs=6e-4)
                assert rep.confidence == pytest.approx(event["confidence"], abs=6e-5)


def test_arrays_units_strides_and_rates_make_no_difference():
    data = curls()
    expected = reptrace.count(data)
    assert [one.count for one in expected] == [8]
    frame = pd.DataFrame(data)
    assert reptrace.count(frame) == expected
    assert reptrace.count(frame.rename(columns={"rotationX": "rotationRateX"})) == expected
    strided = {name: np.stack([values, values], axis=1)[:, 0] for name, values in data.items()}
    assert reptrace.count(strided) == expected
    float32 = {name: values.astype(np.float32) for name, values in data.items()}
    assert [one.count for one in reptrace.count(float32)] == [8]
    untimed = {name: values for name, values in data.items() if name != "timestamp"}
    assert [one.count for one in reptrace.count(untimed, rate=50)] == [8]
    assert reptrace.count(untimed, time=data["timestamp"]) == expected
    other = dict(data, timestamp=data["timestamp"] * 1e3)
    for axis in "XYZ":
        other[f"rotation{axis}"] = np.degrees(data[f"rotation{axis}"])
    counted = reptrace.count(other, units={"time": "ms", "rotation": "deg/s"})
    assert [one.count for one in counted] == [8]
    assert counted[0].start == pytest.approx(expected[0].start, abs=1e-6)
    reversed_twice = {name: values[::-1][::-1] for name, values in data.items()}
    assert reptrace.count(reversed_twice) == expected
    backwards = {name: np.ascontiguousarray(values[::-1])[::-1] for name, values in data.items()}
    assert reptrace.count(backwards) == expected


def test_times_may_be_dates():
    data = curls()
    frame = pd.DataFrame(data).drop(columns="timestamp")
    frame.index = pd.to_datetime(data["timestamp"] + 1.7e9, unit="s").round("ms")
    assert [one.count for one in reptrace.count(frame)] == [8]
    dates = frame.index
    frame = frame.reset_index(drop=True)
    expected = reptrace.count(frame.assign(time=dates))
    assert [one.count for one in expected] == [8]
    assert expected.origin == 1.7e9
    zoned = dates.tz_localize("UTC").tz_convert("Asia/Tokyo")
    for times in (dates, dates.to_numpy(), zoned, zoned.to_series(), dates.astype("datetime64[ms]")):
        assert reptrace.count(frame, time=times) == expected
    [found] = reptrace.count(frame, time=pd.to_timedelta(data["timestamp"], unit="s").to_numpy())
    assert found.count == 8
    with pytest.raises(ValueError, match="leave out the unit of time"):
        reptrace.count(frame, time=dates, units={"time": "ms"})


def test_declared_sets_hints_and_phases():
    data = curls(5)
    declared = reptrace.count(data, declared=True, hints=reptrace.Hints(exercise="curl"))
    assert [(one.cause, one.count) for one in declared] == [("declared", 5)]
    still = {name: values[:100] for name, values in data.items()}
    assert [one.count for one in reptrace.count(still, declared=True)] == [0]
    assert len(reptrace.count(still)) == 0
    rest = pd.DataFrame(data).assign(phase="rest")
    assert [one.count for one in reptrace.count(rest, declared=True)] == [0]
    named = pd.DataFrame(data).assign(setId=None)
    named["setId"] = named["setId"].astype(object)
    named.loc[50 : len(named) - 50, "setId"] = "A"
    assert [(one.cause, one.count) for one in reptrace.count(named)] == [("declared", 5)]


def test_results_as_frames():
    sets = reptrace.count(curls())
    table = sets.to_frame()
    assert list(table.columns) == ["set", "cause", "start", "end", "reps", "confidence"]
    assert table["reps"].tolist() == [8]
    reps = sets.reps
    assert list(reps.columns) == ["set", "rep", "start", "end", "duration", "confidence"]
    assert reps["rep"].tolist() == list(range(1, 9))
    assert (reps["duration"] > 0).all()
    assert sets[:1] == sets
    assert sets[0].start == pytest.approx(reps["start"].iloc[0], abs=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("timestamp"), "no times"),
        (lambda d: d.update(rotationX=np.zeros(3)), "differ in length"),
        (lambda d: d.update(rotationX=np.zeros((3, 3))), "dimensions"),
        (lambda d: d.update(timestamp=np.full(len(d["rotationX"]), np.nan)), "time of sample 0"),
        (lambda d: d.update(rotationRateX=d["rotationX"]), "two columns"),
        (lambda d: [d.pop(name) for name in list(d) if name != "timestamp"], "no motion"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    data = curls()
    change(data)
    with pytest.raises(ValueError, match=message):
        reptrace.count(data)


def test_units_and_rates_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="no quantity"):
        reptrace.count(curls(), units={"speed": "m/s"})
    with pytest.raises(ValueError, match="cannot be in"):
        reptrace.count(curls(), units={"rotation": "rpm"})
    with pytest.raises(ValueError, match="rate is"):
        reptrace.count({"rotationX": np.zeros(9)}, rate=0)
    with pytest.raises(ValueError, match="a file tells"):
        reptrace.count(RECORDINGS / "row-sensorlog.csv", rate=50)
    for hints in (
        {"expected_period": -1}, {"minimum_reps": -1}, {"target_reps": 2**32 + 1}, {"exercise": "cu\0rl"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="|".join([*hints, "null byte"])):
            reptrace.count(curls(), hints=reptrace.Hints(**hints))


@pytest.mark.parametrize(("probability", "sets"), [(0, 3), (0.2, 2), (1, 0)])
def test_how_probable_a_set_must_be_can_be_chosen(process, probability, sets):
    path = RECORDINGS / "curl-seed-names.csv"
    expected = [line["reps"] for line in process(path, "--set-probability", probability)]
    assert len(expected) == sets
    for data in (path, reptrace.read(path)):
        assert [one.count for one in reptrace.count(data, set_probability=probability)] == expected
    [declared] = reptrace.count(curls(), declared=True, set_probability=probability)
    assert declared.count == 8


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan"), float("inf")])
def test_what_is_no_probability_is_refused(probability):
    for call in (
        lambda: reptrace.count(curls(), set_probability=probability),
        lambda: reptrace.count(RECORDINGS / "row-sensorlog.csv", set_probability=probability),
        lambda: reptrace.Detector(set_probability=probability),
    ):
        with pytest.raises(ValueError, match=r"set_probability is .*; expected 0 to 1"):
            call()


def test_not_measured_and_absurd_values_are_survived():
    data = curls()
    for name in list(data)[1:]:
        data[name] = data[name].copy()
        data[name][100:130] = np.nan
        data[name][200] = 1e300
        data[name][201] = -np.inf
    assert len(reptrace.count(data, declared=True)) == 1
    assert len(reptrace.count({"timestamp": np.zeros(0), "rotationX": np.zeros(0)})) == 0


def test_threads_count_at_once():
    data = curls()
    expected = reptrace.count(data)
    results = []
    threads = [threading.Thread(target=lambda: results.append(reptrace.count(data))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_processes_that_divide_go_on_counting():
    paths = [RECORDINGS / "row-sensorlog.csv", RECORDINGS / "bench-chunks"] * 4
    expected = [reptrace.count(path) for path in paths]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(reptrace.count, paths).get(120) == expected


def test_columns_of_doubles_are_not_copied():
    data = curls()
    struct = _native.SampleStruct(_samples.columns(data), _samples.units(None))
    for index, values in enumerate(data.values()):
        assert struct.struct.columns[index].values == values.ctypes.data
    strided = {name: np.stack([values, values], axis=1)[:, 0] for name, values in data.items()}
    struct = _native.SampleStruct(_samples.columns(strided), _samples.units(None))
    for index, values in enumerate(strided.values()):
        assert struct.struct.columns[index].values == values.ctypes.data
        assert struct.struct.columns[index].stride == 16
    frame = pd.DataFrame(data)
    struct = _native.SampleStruct(_samples.columns(frame), _samples.units(None))
    for index, name in enumerate(data):
        assert struct.struct.columns[index].values == frame[name].to_numpy().ctypes.data


def test_other_threads_run_while_the_library_counts():
    long = {name: np.tile(values, 100) for name, values in curls().items()}
    long["timestamp"] = np.arange(len(long["timestamp"])) / 50
    samples = _native.SampleStruct(_samples.columns(long), _samples.units(None))
    handle = _native.Handle("sets")
    done = threading.Event()
    ticks = []

    def tick():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        first = time.monotonic()
        _native.call("sets_count", samples.pointer, 0, None, byref(handle.pointer))
        last = time.monotonic()
    finally:
        done.set()
        thread.join()
    assert sum(first < tick < last for tick in ticks) >= 3
