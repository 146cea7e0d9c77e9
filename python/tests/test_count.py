"""Counting, which equals the command for any form of data."""

from __future__ import annotations

import multiprocessing
import threading
import time
from ctypes import byref
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from conftest import RECORDINGS, curls, inputs

import reptrace
from reptrace import _native, _samples


@pytest.mark.parametrize("path", inputs(), ids=lambda path: path.name)
def test_counts_of_files_and_frames_equal_the_command(process, path):
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


def test_counts_do_not_depend_on_arrays_units_strides_and_rates():
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
    assert list(table.columns) == ["set", "number", "cause", "start", "end", "reps", "confidence"]
    assert table["reps"].tolist() == [8]
    assert table["set"].tolist() == ["1"]
    reps = sets.reps
    assert list(reps.columns) == ["set", "rep", "start", "end", "duration", "confidence"]
    assert reps["rep"].tolist() == list(range(1, 9))
    assert (reps["duration"] > 0).all()
    assert sets[:1] == sets
    assert sets[0].start == pytest.approx(reps["start"].iloc[0], abs=1e-9)


def test_empty_results_have_the_same_types():
    full, empty = reptrace.count(curls()), reptrace.count(curls(), set_probability=1)
    assert len(empty) == 0
    assert empty.to_frame().dtypes.tolist() == full.to_frame().dtypes.tolist()
    assert empty.reps.dtypes.tolist() == full.reps.dtypes.tolist()


def test_the_number_of_reps_has_a_unique_name():
    sets = reptrace.count(curls())
    assert sets[0].count == 8
    assert not hasattr(sets, "count")
    assert (len(sets), list(reversed(sets)), sets[0] in sets) == (1, [sets[0]], True)


def test_rows_may_be_in_any_order():
    data = curls()
    expected = reptrace.count(data)
    frame = pd.DataFrame(data)
    for rows in (frame[::-1], frame.sample(frac=1, random_state=1), frame.sample(frac=1, random_state=2)):
        assert reptrace.count(rows) == expected
        assert reptrace.count(rows).origin == expected.origin
        assert reptrace.count({name: rows[name].to_numpy() for name in rows}) == expected
        dates = pd.to_datetime(rows["timestamp"] + 1.7e9, unit="s")
        assert [one.count for one in reptrace.count(rows.drop(columns="timestamp"), time=dates)] == [8]
    marked = frame.assign(setId=None, phase=None).astype({"setId": object, "phase": object})
    half = len(marked) // 2
    marked.loc[50 : half - 1, "setId"] = "A"
    marked.loc[half:, "setId"] = "B"
    marked.loc[: half // 2, "phase"] = "rest"
    assert reptrace.count(marked.sample(frac=1, random_state=3)) == reptrace.count(marked)


@pytest.mark.parametrize(("unit", "scale"), [("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
def test_times_in_a_wrong_unit_are_rejected(unit, scale):
    data = curls()
    for start in (0, 1.7e9):
        other = dict(data, timestamp=(data["timestamp"] + start) * scale)
        with pytest.raises(ValueError, match=rf"look like {unit}: pass units=.*'{unit}'"):
            reptrace.count(other)
        whole = dict(other, timestamp=other["timestamp"].astype(np.int64))
        with pytest.raises(ValueError, match=f"look like {unit}"):
            reptrace.count(whole)
        assert [one.count for one in reptrace.count(other, units={"time": unit})] == [8]
        with pytest.raises(ValueError, match=f"{unit} apart; .*look like s"):
            reptrace.count(dict(data, timestamp=data["timestamp"] + start), units={"time": unit})
        detector = reptrace.Detector()
        with pytest.raises(ValueError, match=f"look like {unit}"):
            for row in range(100):
                detector.append({name: values[row : row + 1] for name, values in other.items()})
    with pytest.raises(ValueError, match="all times are 5"):
        reptrace.count(dict(data, timestamp=np.full(len(data["timestamp"]), 5.0)))
    # Sensors that deliver in bursts repeat their times.
    bursts = dict(data, timestamp=np.floor(data["timestamp"] * 10) / 10)
    assert len(reptrace.count(bursts, declared=True)) == 1


@pytest.mark.parametrize("quantity", ["gravity", "totalAcceleration"])
def test_gravity_in_a_wrong_unit_is_rejected(quantity):
    data = {name.replace("gravity", quantity): values for name, values in curls().items()}
    metres = {name: values * 9.81 if quantity in name else values for name, values in data.items()}
    with pytest.raises(
        ValueError, match=rf"{quantity} is usually 9.81 g long, .* looks like m/s2: pass units="
    ):
        reptrace.count(metres)
    with pytest.raises(
        ValueError, match=rf"{quantity} is usually 1 m/s2 long, expected 9.81; it looks like g"
    ):
        reptrace.count(data, units={quantity: "m/s2"})
    assert [one.count for one in reptrace.count(metres, units={quantity: "m/s2"})] == [8]


def test_data_without_column_names_are_rejected():
    data = curls()
    array = np.stack(list(data.values()), axis=1)
    for samples, message in (
        (array, r"an array of shape \(.*\) has no names of columns; expected a DataFrame"),
        (list(data.values()), "samples are a list; expected a DataFrame"),
        ([RECORDINGS / "row-sensorlog.csv"], "several paths are for count_all"),
        (None, "samples are a NoneType"),
    ):
        for call in (reptrace.count, reptrace.Detector().append, reptrace.encode_timeline):
            with pytest.raises(TypeError, match=message):
                call(samples)
    expected = reptrace.count(data)
    named = np.rec.fromarrays(list(data.values()), names=list(data))
    assert reptrace.count(named) == reptrace.count(np.asarray(named)) == expected
    pyarrow = pytest.importorskip("pyarrow")
    assert reptrace.count(pyarrow.table(data)) == expected


def test_columns_of_other_types_are_converted_or_rejected():
    data = curls()
    expected = reptrace.count(data)
    frame = pd.DataFrame(data)
    assert reptrace.count(frame.convert_dtypes()) == expected
    assert reptrace.count({name: list(values) for name, values in data.items()}) == expected
    missing = frame.astype("Float64")
    missing.loc[3, "rotationX"] = pd.NA
    assert [one.count for one in reptrace.count(missing)] == [8]
    instants = [datetime.fromtimestamp(1.7e9 + t, UTC) for t in data["timestamp"]]
    assert [one.count for one in reptrace.count(dict(data, timestamp=instants))] == [8]
    with pytest.raises(ValueError, match="timestamp: expected numbers or dates"):
        reptrace.count(frame.assign(timestamp="ten o'clock"))
    with pytest.raises(ValueError, match="rotationX: expected numbers"):
        reptrace.count(frame.assign(rotationX="fast"))
    with pytest.raises(ValueError, match="no column is called 'when'"):
        reptrace.count(frame, time="when")
    with pytest.raises(ValueError, match="values of setId for"):
        reptrace.count(dict(data, setId=["A"]))


def test_hints_may_be_a_mapping():
    data = curls(5)
    hints = {"exercise": "curl", "target_reps": np.int64(5), "alternating": False}
    expected = reptrace.count(data, hints=reptrace.Hints(**hints))
    assert reptrace.count(data, hints=hints) == expected
    assert reptrace.Detector(hints=hints).begin_set({"target_reps": 5}) == []
    for hints, message in (
        ({"reps": 5}, "no hint is called 'reps'; expected one of .*target_reps"),
        ("curl", "hints is 'curl'; expected Hints, or a mapping"),
        ({"target_reps": "5"}, "target_reps is '5'; expected a whole number"),
        ({"expected_period": "2 s"}, "expected_period is '2 s'; expected seconds"),
        ({"exercise": 7}, "exercise is 7; expected a name"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            reptrace.count(data, hints=hints)
    with pytest.raises(TypeError, match="units is 'ms'; expected a mapping"):
        reptrace.count(data, units="ms")
    with pytest.raises(ValueError, match="rate is '50'"):
        reptrace.count(data, rate="50")


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
def test_invalid_arguments_are_rejected(change, message):
    data = curls()
    change(data)
    with pytest.raises(ValueError, match=message):
        reptrace.count(data)


def test_invalid_units_and_rates_are_rejected():
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


@pytest.mark.parametrize(("probability", "sets"), [(0, 3), (0.5, 2), (1, 0)])
def test_the_set_probability_can_be_set(process, probability, sets):
    path = RECORDINGS / "curl-seed-names.csv"
    expected = [line["reps"] for line in process(path, "--set-probability", probability)]
    assert len(expected) == sets
    for data in (path, reptrace.read(path)):
        assert [one.count for one in reptrace.count(data, set_probability=probability)] == expected
    [declared] = reptrace.count(curls(), declared=True, set_probability=probability)
    assert declared.count == 8


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan"), float("inf"), "0.3"])
def test_invalid_set_probabilities_are_rejected(probability):
    for call in (
        lambda: reptrace.count(curls(), set_probability=probability),
        lambda: reptrace.count(RECORDINGS / "row-sensorlog.csv", set_probability=probability),
        lambda: reptrace.Detector(set_probability=probability),
    ):
        with pytest.raises(ValueError, match=r"set_probability is .*; expected 0 to 1"):
            call()


@pytest.mark.parametrize(("prior", "sets"), [(1e-9, 0), (0.99, 3)])
def test_the_set_prior_can_be_set(process, prior, sets):
    path = RECORDINGS / "curl-seed-names.csv"
    expected = [line["reps"] for line in process(path, "--set-prior", prior)]
    assert len(expected) == sets
    assert [one.count for one in reptrace.count(path, set_prior=prior)] == expected
    assert [one.count for one in reptrace.count(reptrace.read(path), set_prior=prior)] == expected
    assert reptrace.count_all(path, set_prior=prior).sets["reps"].tolist() == expected
    assert len(reptrace.Session(set_prior=prior).finish()) == 0


@pytest.mark.parametrize("prior", [0, 1, -0.1, float("nan"), "0.3"])
def test_invalid_set_priors_are_rejected(prior):
    for call in (
        lambda: reptrace.count(curls(), set_prior=prior),
        lambda: reptrace.Detector(set_prior=prior),
        lambda: reptrace.Session(set_prior=prior),
        lambda: reptrace.count_all(RECORDINGS, set_prior=prior),
    ):
        with pytest.raises(ValueError, match=r"set_prior is .*; expected between 0 and 1"):
            call()


def test_missing_and_absurd_values_are_harmless():
    data = curls()
    for name in list(data)[1:]:
        data[name] = data[name].copy()
        data[name][100:130] = np.nan
        data[name][200] = 1e300
        data[name][201] = -np.inf
    assert len(reptrace.count(data, declared=True)) == 1
    assert len(reptrace.count({"timestamp": np.zeros(0), "rotationX": np.zeros(0)})) == 0


def test_threads_count_concurrently():
    data = curls()
    expected = reptrace.count(data)
    results = []
    threads = [threading.Thread(target=lambda: results.append(reptrace.count(data))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


def test_forked_processes_can_count():
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
