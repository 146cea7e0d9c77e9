"""What the simulators of this folder share. Needs NumPy."""

import numpy as np

# Samples a second while simulating.
RATE = 200
G = 9.81
# Of a MetaMotion: sensor, unit, readings a second, time of the first one, noise.
META_MOTION = (
    ("Accelerometer_12.500Hz", "g", 12.5, 0.03, 0.01), ("Gyroscope_25.000Hz", "deg/s", 25, 0.01, np.degrees(0.015)))
EPOCH = 1547219408.351


def minimum_jerk(seconds):
    t = np.linspace(0, 1, int(seconds * RATE), endpoint=False)
    return 10 * t**3 - 15 * t**4 + 6 * t**5


def wander(random, count, deviation, hz):
    """Noise below a frequency."""
    k = int(RATE / hz)
    smooth = np.convolve(random.normal(size=count + 4 * k), np.hanning(2 * k + 1), "same")[2 * k:2 * k + count]
    return deviation * smooth / (smooth.std() + 1e-9)


def turns(axis, angle):
    """Rotations about x, y or z (0, 1, 2), samples × 3 × 3."""
    a, b = [i for i in range(3) if i != axis]
    sign = -1 if axis != 1 else 1
    result = np.zeros((len(angle), 3, 3))
    result[:, axis, axis] = 1
    result[:, a, a] = result[:, b, b] = np.cos(angle)
    result[:, a, b] = sign * np.sin(angle)
    result[:, b, a] = -sign * np.sin(angle)
    return result


def mounting(random):
    """How a unit is strapped on: any rotation."""
    result = np.linalg.qr(random.normal(size=(3, 3)))[0]
    result[:, 0] *= np.sign(np.linalg.det(result))
    return result


def smoothed(columns):
    """Columns with a window of 80 ms over them."""
    window = np.hanning(int(0.08 * RATE) + 1)
    return np.stack([np.convolve(x, window / window.sum(), "same") for x in columns.T], 1)


def readings(attitude, acceleration):
    """Acceleration with gravity (g) and rotation rate (rad/s) in the unit's frame, of its own acceleration (m/s²)."""
    felt = np.einsum("nij,ni->nj", attitude, (acceleration + [0, 0, G]) / G)
    step = np.einsum("nji,njk->nik", attitude[:-1], attitude[1:])
    rate = np.stack([step[:, i, j] - step[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))], 1) * RATE / 2
    return felt, np.vstack([rate, rate[-1]])


def sampled(random, values, hz, first, noise):
    """Times and values as a sensor of a lower rate reads them."""
    t = np.arange(first, len(values) / RATE - 0.02, 1 / hz)
    smooth = np.hanning(int(RATE / hz) // 2 * 2 + 1)
    at = np.arange(len(values)) / RATE
    columns = [np.interp(t, at, np.convolve(x, smooth / smooth.sum(), "same")) for x in values.T]
    return t, np.stack(columns, 1) + random.normal(0, noise, (len(t), 3))


def write_meta_motion(folder, name, signals, random):
    """Writes acceleration (g) and rotation rate (deg/s) as the two files of a MetaMotion."""
    for (sensor, unit, hz, first, noise), values in zip(META_MOTION, signals):
        with open(folder / f"{name}_{sensor}_1.4.4.csv", "w") as file:
            axes = ",".join(f"{axis}-axis ({unit})" for axis in "xyz")
            file.write(f"epoch (ms),time (01:00),elapsed (s),{axes}\n")
            for at, row in zip(*sampled(random, values, hz, first, noise)):
                numbers = ",".join(f"{x:.3f}" for x in row)
                file.write(f"{int(EPOCH * 1000) + int(at * 1000)},2019-01-11T16:10:08.431,{at:.3f},{numbers}\n")
