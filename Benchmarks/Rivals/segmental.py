#!/usr/bin/env python3
"""The rival that counts about as well as RepTrace: segmental search in NumPy, SciPy and Numba.

It finds and counts sets without training, as described in the study on which RepTrace's detector is
based. Turning points of six signals at five cut-offs are hypotheses for the begins of reps, judged by
the similarity of the reps in nine channels. A segmental Viterbi search refines the best ones; a sweep
over the template's phase and the rule that reps begin where the wrist pauses finalize the count.
Section numbers and settings are those of the study; choices that it does not specify are marked "open".

Optimized for speed: loops over samples and candidates are compiled, values are 32-bit in rows of nine
channels, the correlation of a template with each window is one dot product, and results that do not
depend on the template are computed once per window.

`given FILE` counts given sets, from arrays as `rival.load` reads them; `found FILE` finds them in whole
recordings; `files LIST` reads CSV files with pandas' C reader, cuts the sets out and counts them.
Everything is compiled before the first command.
"""

import math
import os
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ.setdefault("NUMBA_CACHE_DIR", os.path.join(HERE, "../.build/numba"))
sys.path.insert(0, HERE)

import numba  # noqa: E402
import numpy as np  # noqa: E402
import scipy  # noqa: E402
from numba import njit  # noqa: E402
from scipy import signal  # noqa: E402

RATE = 25.0
PHASES = 16
CUTOFFS = (0.35, 0.6, 1.0, 1.7, 3.0)
SECTIONS = np.stack([signal.butter(2, hz, fs=RATE, output="sos")[0] for hz in CUTOFFS])
FRONT = signal.butter(2, 5.0, fs=50.0, output="sos")
PERIODS = (0.35, 9.0)
EDGE, STILL, KEEP = 0.74, 0.35, 0.9
#: Groups of channels: gravity, rotation rate, user acceleration.
GROUPS = ((0, 3), (3, 6), (6, 9))
REFERENCE, FLOOR = (0.35, 0.8, 0.12), (0.02, 0.1, 0.01)


# 2.1 Front end -----------------------------------------------------------------------------------


@njit(cache=True, fastmath=True)
def complementary(times, acceleration, rotation, tau):
    """Returns the direction of gravity from acceleration with gravity and rotation rate."""
    n = len(times)
    out = np.empty((3, n))
    g = acceleration[:, 0] / (np.sqrt((acceleration[:, 0] ** 2).sum()) + 1e-9)
    for i in range(n):
        dt = min(max(times[i] - times[i - 1], 0.0), 0.1) if i else 0.0
        x, y, z = rotation[0, i], rotation[1, i], rotation[2, i]
        k = dt / tau
        a = g[0] - (y * g[2] - z * g[1]) * dt + k * (acceleration[0, i] - g[0])
        b = g[1] - (z * g[0] - x * g[2]) * dt + k * (acceleration[1, i] - g[1])
        c = g[2] - (x * g[1] - y * g[0]) * dt + k * (acceleration[2, i] - g[2])
        size = math.sqrt(a * a + b * b + c * c) + 1e-9
        g[0], g[1], g[2] = a / size, b / size, c / size
        out[:, i] = g
    return out


def front_end(times, channels):
    """Resamples nine channels (gravity, rotation rate, user acceleration) at times in seconds to an
    array with one row per sample at 25 Hz; also returns the time of the first row."""
    if len(times) < 2:
        return np.empty((0, 9), np.float32), 0.0
    if (np.diff(times) <= 0).any():
        order = np.argsort(times, kind="stable")
        times, first, counts = np.unique(times[order], return_index=True, return_counts=True)
        channels = np.add.reduceat(channels[:, order], first, axis=1) / counts
    grid = np.arange(math.ceil(times[0] * 50), math.floor(times[-1] * 50) + 1) / 50
    if len(grid) < 2:
        return np.empty((0, 9), np.float32), 0.0
    # A single search for all channels.
    at = np.clip(np.searchsorted(times, grid, side="right") - 1, 0, len(times) - 2)
    part = (grid - times[at]) / (times[at + 1] - times[at])
    left = channels[:, at]
    even = left + part * (channels[:, at + 1] - left)
    state = signal.sosfilt_zi(FRONT)[:, None, :] * even[None, :, :1]
    smooth, _ = signal.sosfilt(FRONT, even, zi=state)
    return np.ascontiguousarray(smooth[:, ::2].T, np.float32), grid[0]


# 2.2 Hypotheses ----------------------------------------------------------------------------------


@njit(cache=True)
def low_passed(streams, sections):
    """Filters each stream with each second-order section, in the steady state of the first value."""
    n, m = streams.shape[0], streams.shape[1]
    out = np.empty((n * len(sections), m), np.float64)
    for j in range(len(sections)):
        b0, b1, b2, _, a1, a2 = sections[j]
        # The steady state for a constant input, as in sosfilt_zi.
        gain = (b0 + b1 + b2) / (1 + a1 + a2)
        for i in range(n):
            x = streams[i]
            y = out[i * len(sections) + j]
            z1 = (gain - b0) * x[0]
            z2 = (b2 - a2 * gain) * x[0]
            for k in range(m):
                v = b0 * x[k] + z1
                z1 = b1 * x[k] - a1 * v + z2
                z2 = b2 * x[k] - a2 * v
                y[k] = v
    return out


@njit(cache=True)
def turning_points(x, hysteresis, maxima, minima):
    """Writes the positions at which the signal turned by at least the hysteresis."""
    high, low, rising = 0, 0, 0
    n_max, n_min = 0, 0
    for i in range(1, len(x)):
        if x[i] > x[high]:
            high = i
        if x[i] < x[low]:
            low = i
        if rising >= 0 and x[i] < x[high] - hysteresis:
            if rising > 0 or high > 0:
                maxima[n_max] = high
                n_max += 1
            rising, low = -1, i
        elif rising <= 0 and x[i] > x[low] + hysteresis:
            if rising < 0 or low > 0:
                minima[n_min] = low
                n_min += 1
            rising, high = 1, i
    return n_max, n_min


@njit(cache=True)
def boundary_lists(streams, shortest, longest):
    """Returns the turning points of all streams: concatenated positions, the begin of each list,
    and each list's median interval in samples."""
    m = streams.shape[1]
    positions = np.empty(2 * m * len(streams), np.int64)
    begins = np.zeros(2 * len(streams) + 1, np.int64)
    periods = np.empty(2 * len(streams))
    maxima, minima = np.empty(m, np.int64), np.empty(m, np.int64)
    low, high = int(0.05 * (m - 1)), int(math.ceil(0.95 * (m - 1)))
    count, filled = 0, 0
    for i in range(len(streams)):
        x = streams[i]
        ordered = np.partition(x, (low, high))
        span = ordered[high] - ordered[low]
        if span <= 0:
            continue
        n_max, n_min = turning_points(x, 0.35 * span, maxima, minima)
        for kind in range(2):
            found = maxima[:n_max] if kind == 0 else minima[:n_min]
            if len(found) < 3:
                continue
            period = np.median(np.diff(found))
            if period < shortest or period > longest:
                continue
            positions[filled : filled + len(found)] = found
            filled += len(found)
            periods[count] = period
            count += 1
            begins[count] = filled
    return positions[:filled], begins[: count + 1], periods[:count]


def principal(part, count):
    """Returns the strongest principal components of a group's three channels, as rows."""
    centered = part - part.mean(axis=0)
    _, vectors = np.linalg.eigh(centered.T @ centered)
    return (centered @ vectors[:, : -count - 1 : -1]).T


def streams_of(x):
    gravity, rotation, user = x[:, 0:3], x[:, 3:6], x[:, 6:9]
    size = np.sqrt(np.einsum("ij,ij->i", gravity, gravity)) + 1e-9
    vertical = np.einsum("ij,ij->i", user, gravity) / size
    parts = (principal(gravity, 2), principal(rotation, 2), principal(user, 1), vertical[None])
    return np.concatenate(parts).astype(np.float64)


def weighted(x):
    """Returns the channels, each divided by its group's weight."""
    variances = x.var(axis=0, dtype=np.float64)
    out = np.empty_like(x)
    for (a, b), reference, floor in zip(GROUPS, REFERENCE, FLOOR):
        rms = math.sqrt(variances[a:b].sum())
        out[:, a:b] = x[:, a:b] / math.sqrt(max(rms, floor) * reference)
    return out


@njit(cache=True, fastmath=True)
def shapes(grid, starts, ends):
    """Returns each segment at 16 phases by 9 channels, minus its means, of unit length; and its energy."""
    n = len(starts)
    y = np.empty((n, PHASES * 9), np.float32)
    energy = np.empty(n, np.float32)
    for i in range(n):
        length = ends[i] - starts[i]
        for k in range(PHASES):
            position = starts[i] + length * k / PHASES
            at = min(int(position), len(grid) - 2)
            part = np.float32(position - at)
            for c in range(9):
                y[i, 9 * k + c] = grid[at, c] + part * (grid[at + 1, c] - grid[at, c])
        total = np.float32(0)
        for c in range(9):
            mean = np.float32(0)
            for k in range(PHASES):
                mean += y[i, 9 * k + c]
            mean /= np.float32(PHASES)
            for k in range(PHASES):
                y[i, 9 * k + c] -= mean
                total += y[i, 9 * k + c] ** 2
        energy[i] = total / np.float32(PHASES)
        scale = np.float32(1) / (np.sqrt(total) + np.float32(1e-9))
        for j in range(PHASES * 9):
            y[i, j] *= scale
    return y, energy


@njit(cache=True, fastmath=True)
def similarities(y):
    """Returns the cosine of each row and the sum of the others."""
    total = np.zeros(y.shape[1], np.float32)
    for i in range(len(y)):
        total += y[i]
    square = np.float32(0)
    for j in range(len(total)):
        square += total[j] * total[j]
    out = np.empty(len(y), np.float32)
    for i in range(len(y)):
        dot = np.float32(0)
        for j in range(len(total)):
            dot += y[i, j] * total[j]
        # Rows have unit length.
        out[i] = (dot - 1) / np.sqrt(max(square - 2 * dot + 1, np.float32(1e-9)))
    return out


@njit(cache=True, fastmath=True)
def kept_intervals(positions, period, q, rows):
    """Returns the intervals between turning points that are near the period, on the grid."""
    at = np.minimum(np.maximum((positions - (q - 1) / 2) / q, 0), rows - 1)
    lengths = np.diff(at)
    kept = (lengths >= 0.55 * period / q) & (lengths <= 1.8 * period / q)
    return at[:-1][kept], at[1:][kept]


@njit(cache=True, fastmath=True)
def initial_score(grid, positions, period, q):
    """Returns how much of the window the hypothesis explains, times how well; not normalized by length."""
    starts, ends = kept_intervals(positions, period, q, len(grid))
    if len(starts) < 2:
        return np.float32(0)
    y, _ = shapes(grid, starts, ends)
    alike = similarities(y)
    score = np.float32(0)
    for i in range(len(alike)):
        score += max(alike[i], np.float32(0)) * np.float32(ends[i] - starts[i])
    return score * np.float32(q)


@njit(cache=True, fastmath=True)
def template_of(y):
    """Returns the mean of unit length, reweighted twice by how well each row fits."""
    m = np.zeros(y.shape[1], np.float32)
    for i in range(len(y)):
        m += y[i]
    for round in range(3):
        size = np.float32(0)
        for j in range(len(m)):
            size += m[j] * m[j]
        m *= np.float32(1) / (np.sqrt(size) + np.float32(1e-9))
        if round == 2:
            break
        following = np.zeros(y.shape[1], np.float32)
        for i in range(len(y)):
            dot = np.float32(0)
            for j in range(len(m)):
                dot += y[i, j] * m[j]
            dot = max(dot, np.float32(0))
            following += dot * dot * y[i]
        m = following
    return m


# 2.3 Segmental Viterbi -----------------------------------------------------------------------------


@njit(cache=True, fastmath=True)
def fitted(grid, starts, ends):
    """Returns the template of segments, their median length and median energy."""
    y, energy = shapes(grid, starts, ends)
    return template_of(y), np.median(ends - starts), np.median(energy)


@njit(cache=True, fastmath=True)
def alike_of(grid, starts, ends):
    return similarities(shapes(grid, starts, ends)[0])


@njit(cache=True, fastmath=True)
def energies(grid, first, last, out):
    """Computes the energy of every window of every length, as in `shapes`: out[length - first, end]."""
    n = len(grid)
    flat = grid.reshape(-1)
    sums, squares = np.empty(n * 9, np.float32), np.empty(n * 9, np.float32)
    for d in range(first, last + 1):
        size = (n - d) * 9
        sums[:size] = 0
        squares[:size] = 0
        for k in range(PHASES):
            # All windows of this length at once, because their rows are contiguous.
            position = d * k / PHASES
            at = int(position)
            part = np.float32(position - at)
            a, b = flat[9 * at : 9 * at + size], flat[9 * at + 9 : 9 * at + 9 + size]
            for i in range(size):
                f = a[i] + part * (b[i] - a[i])
                sums[i] += f
                squares[i] += f * f
        row = out[d - first]
        for t in range(d, n):
            total = np.float32(0)
            for i in range(9 * (t - d), 9 * (t - d) + 9):
                total += squares[i] - sums[i] * sums[i] / np.float32(PHASES)
            row[t] = max(total, np.float32(0)) / np.float32(PHASES)


@njit(cache=True, fastmath=True)
def best_path(grid, template, energy, first, shortest, longest, reference, typical):
    """Returns the starts and ends of the segments with the highest score."""
    n = len(grid)
    # Weights in blocks of 32, padded with zeros: whole vectors without a remainder loop.
    flat = np.zeros(n * 9 + 32, np.float32)
    flat[: n * 9] = grid.reshape(-1)
    value = np.zeros(n, np.float32)
    choice = np.zeros(n, np.int64)
    reward = np.full((n, longest - shortest + 1), np.float32(-1))
    weights = np.zeros((longest + 1) * 9 + 32, np.float32)
    for d in range(shortest, longest + 1):
        # The template as weights of the d + 1 rows of a window.
        size = ((d + 1) * 9 + 31) // 32 * 32
        weights[:size] = 0
        for k in range(PHASES):
            position = d * k / PHASES
            at = min(int(position), d - 1)
            part = np.float32(position - at)
            for c in range(9):
                weights[at * 9 + c] += (1 - part) * template[9 * k + c]
                weights[at * 9 + 9 + c] += part * template[9 * k + c]
        ratio = np.float32(d / reference)
        penalty = np.float32(math.log(d / reference) ** 2)
        row = energy[d - first]
        for t in range(d, n):
            e = row[t]
            if e < np.float32(0.05) * typical:
                continue
            rows = flat[(t - d) * 9 : (t - d) * 9 + size]
            dot = np.float32(0)
            for j in range(size):
                dot += weights[j] * rows[j]
            rho = dot / np.sqrt(np.float32(PHASES) * e)
            strength = np.sqrt(min(e / typical, np.float32(1.5)))
            reward[t, d - shortest] = (
                strength * (rho * abs(rho) - np.float32(0.3)) * ratio - penalty
            )
    for t in range(1, n):
        best, taken = value[t - 1], 0
        for d in range(shortest, min(longest, t) + 1):
            r = reward[t, d - shortest]
            if r > 0 and value[t - d] + r > best:
                best, taken = value[t - d] + r, d
        value[t] = best
        choice[t] = taken
    starts, ends = np.empty(n, np.float64), np.empty(n, np.float64)
    count, t = 0, n - 1
    while t > 0:
        if choice[t] > 0:
            starts[count], ends[count] = t - choice[t], t
            count += 1
            t -= choice[t]
        else:
            t -= 1
    return starts[:count][::-1].copy(), ends[:count][::-1].copy()


@dataclass
class Segmentation:
    """Segments of a window; `starts` and `ends` in samples at 25 Hz."""

    starts: np.ndarray
    ends: np.ndarray
    alike: np.ndarray
    score: float

    @property
    def durations(self):
        return (self.ends - self.starts) / RATE

    @property
    def period(self):
        return float(np.median(self.durations))


class Window:
    """A window of samples for which hypotheses are computed."""

    def __init__(self, x):
        self.x = x
        self.weighted = weighted(x)
        self.grids = {}
        self.energy = {}

    def grid(self, q):
        if q not in self.grids:
            n = len(self.x) // q
            self.grids[q] = np.ascontiguousarray(
                self.weighted[: n * q].reshape(n, q, 9).mean(axis=1), np.float32)  # fmt: skip
        return self.grids[q]

    def energies(self, q, shortest, longest):
        """Returns a table of energies that covers these lengths, and its first length."""
        first, last, table = self.energy.get(q, (0, -1, None))
        if table is None or shortest < first or longest > last:
            first, last = (shortest, longest) if table is None else (min(first, shortest), max(last, longest))
            grid = self.grid(q)
            table = np.zeros((last - first + 1, len(grid)), np.float32)
            energies(grid, first, last, table)
            self.energy[q] = first, last, table
        return table, first

    def candidates(self, most, longest):
        """Returns the best hypotheses: averaging, starts and ends on the grid."""
        streams = low_passed(streams_of(self.x), SECTIONS)
        limit = min(PERIODS[1], longest)
        positions, begins, periods = boundary_lists(streams, PERIODS[0] * RATE, limit * RATE)
        found = []
        for i, period in enumerate(periods):
            q = max(1, round(period / 14))
            part = positions[begins[i] : begins[i + 1]]
            score = initial_score(self.grid(q), part, period, q)
            if score > 0:
                found.append((float(score), period, q, part))
        found.sort(key=lambda c: -c[0])
        taken, best = {}, []
        for candidate in found:
            octave = round(5 * math.log2(candidate[1]))
            if taken.get(octave, 0) < 3:
                taken[octave] = taken.get(octave, 0) + 1
                best.append(candidate)
        return [(q, *kept_intervals(part, period, q, len(self.grid(q))))
                for _, period, q, part in best[:most]]  # fmt: skip

    def refine(self, q, starts, ends, passes):
        """Does 2.3 from these segments; returns a segmentation, the averaging, starts and ends on the grid."""
        grid = self.grid(q)
        for _ in range(passes):
            template, reference, typical = fitted(grid, starts, ends)
            shortest = max(2, math.floor(0.55 * reference))
            longest = min(math.ceil(1.9 * reference), len(grid) - 1)
            if longest < shortest or typical <= 0:
                return None
            table, first = self.energies(q, shortest, longest)
            starts, ends = best_path(
                grid, template, table, first, shortest, longest, reference, typical)  # fmt: skip
            if len(starts) < 2:
                return None
        return self.segmentation(q, starts, ends), q, starts, ends

    def segmentation(self, q, starts, ends):
        alike = alike_of(self.grid(q), starts, ends)
        score = float((np.maximum(alike, 0) ** 2 * (ends - starts)).sum()) * q / RATE
        half = (q - 1) / 2
        return Segmentation(starts * q + half, ends * q + half, alike, score)

    def finalize(self):
        """Does 2.3 to 2.5; returns the segments of the window, or None."""
        refined = [self.refine(*candidate, 2) for candidate in self.candidates(12, PERIODS[1])]
        refined = sorted((r for r in refined if r), key=lambda r: -r[0].score)[:3]
        segmentations = []
        for _, q, starts, ends in refined:
            last = len(self.grid(q)) - 1
            for j in range(8):
                # 2.4, the sweep of the phase. Segments that leave the window are dropped (open).
                shift = (ends - starts) * j / 8
                inside = ends + shift <= last
                if inside.sum() >= 2:
                    swept = self.refine(q, (starts + shift)[inside], (ends + shift)[inside], 2)
                    if swept:
                        segmentations.append(swept[0])
        return self.decide(segmentations)

    def decide(self, segmentations):
        trimmed = [r for r in map(self.trim, segmentations) if r is not None]
        if not trimmed:
            return None
        best = max(trimmed, key=lambda r: r.score)
        close = [r for r in trimmed
                 if r.score >= KEEP * best.score and 0.8 <= r.period / best.period <= 1.25]  # fmt: skip
        still = [self.stillness(r) for r in close]
        least = min(still)
        quiet = [r for r, s in zip(close, still) if s <= least + STILL]
        return max(quiet, key=lambda r: (len(r.starts), r.score))

    def trim(self, segmentation):
        """Removes first and last segments that are unlike the others."""
        a, b = 0, len(segmentation.starts)
        limit = EDGE * np.median(segmentation.alike)
        while b - a > 1 and segmentation.alike[a] < limit:
            a += 1
        while b - a > 1 and segmentation.alike[b - 1] < limit:
            b -= 1
        if b - a < 2:
            return None
        alike = segmentation.alike[a:b]
        score = float((np.maximum(alike, 0) ** 2 * segmentation.durations[a:b]).sum())
        return Segmentation(segmentation.starts[a:b], segmentation.ends[a:b], alike, score)

    def stillness(self, segmentation):
        """Returns how much the wrist turns at the boundaries, relative to the whole run."""
        if not hasattr(self, "turning"):
            speed = np.sqrt(np.einsum("ij,ij->i", self.x[:, 3:6], self.x[:, 3:6]))
            self.turning = np.concatenate([[0], np.cumsum(speed, dtype=np.float64)])
        sums, n = self.turning, len(self.x)
        at = np.concatenate([segmentation.starts, segmentation.ends[-1:], segmentation.ends[:-1]])
        half = 0.06 * segmentation.period * RATE
        low = np.clip(np.round(at - half).astype(int), 0, n - 1)
        high = np.clip(np.round(at + half).astype(int) + 1, low + 1, n)
        a, b = int(segmentation.starts[0]), min(n, int(segmentation.ends[-1]) + 1)
        whole = (sums[b] - sums[a]) / max(1, b - a)
        return float(np.median((sums[high] - sums[low]) / (high - low)) / max(whole, 1e-9))


# 2.6 Sets in a recording -----------------------------------------------------------------------------


def chain_of(x):
    """Returns the best chain of similar segments in a window: start, end (samples) and period (seconds)."""
    if math.sqrt(x[:, 3:6].var(axis=0).sum()) < 0.08:
        return None
    window = Window(x)
    best, result = 0.0, None
    for candidate in window.candidates(8, len(x) / RATE / 2.5):
        refined = window.refine(*candidate, 1)
        if not refined:
            continue
        segmentation = refined[0]
        good = np.flatnonzero(segmentation.alike >= 0.55)
        if len(good) < 3:
            continue
        gap = max(1.5 * segmentation.period, 3.0) * RATE
        gaps = segmentation.starts[good[1:]] - segmentation.ends[good[:-1]]
        for part in np.split(good, np.flatnonzero(gaps > gap) + 1):
            if len(part) < 3 or segmentation.alike[part].mean() < 0.72:
                continue
            a, b = segmentation.starts[part[0]], segmentation.ends[part[-1]]
            if b - a < 3 * RATE:
                continue
            value = float((segmentation.durations[part] * segmentation.alike[part] ** 2).sum())
            if value <= best:
                continue
            energy = [math.sqrt(x[int(s) : int(t) + 1, 3:6].var(axis=0).sum())
                      for s, t in zip(segmentation.starts[part], segmentation.ends[part])]  # fmt: skip
            if np.median(energy) < 0.18:
                continue
            best, result = value, (a, b, float(np.median(segmentation.durations[part])))
    return result


def finalize_region(x, begin, end):
    """Returns the sets of a region that pass the gate: starts and ends of their reps, in samples."""
    segmentation = Window(x[begin:end]).finalize()
    if segmentation is None:
        return []
    gap = max(1.5 * segmentation.period, 3.0) * RATE
    parts = np.split(
        np.arange(len(segmentation.starts)),
        np.flatnonzero(segmentation.starts[1:] - segmentation.ends[:-1] > gap) + 1)  # fmt: skip
    sets = []
    for part in parts:
        starts, ends, alike = segmentation.starts[part], segmentation.ends[part], segmentation.alike[part]
        period = float(np.median(ends - starts)) / RATE
        if len(part) < 3 or ends[-1] - starts[0] < 3 * RATE or period < 0.3:
            continue
        if alike.mean() >= (0.80 if period < 1.5 else 0.70):
            sets.append((begin + starts, begin + ends))
    return sets


def find(x):
    """Returns the sets of a whole recording at 25 Hz, searched every two seconds as it proceeds."""
    sets, hop = [], int(2 * RATE)
    active, floor = None, 0
    n = len(x)

    def finalise():
        nonlocal active, floor
        start, end, period = active
        margin = 0.9 * period * RATE
        region = max(floor, int(start - margin)), min(n, int(end + margin))
        found = finalize_region(x, *region)
        sets.extend(found)
        floor = int(max([end] + [ends[-1] for _, ends in found]))
        active = None

    for now in range(hop, n + hop, hop):
        now = min(now, n)
        chains = []
        for seconds in (10, 24):
            begin = max(floor, now - int(seconds * RATE))
            if now - begin < 4 * RATE or (chains and now - begin <= 10 * RATE):
                continue
            chain = chain_of(x[begin:now])
            if chain:
                chains.append((chain[0] + begin, chain[1] + begin, chain[2]))
        for start, end, period in chains:
            if active is None:
                if now - end <= (max(2 * period, 4) + 2) * RATE:
                    active = start, end, period
            elif start < active[1] + max(2.5 * active[2], 5) * RATE:
                active = min(active[0], start), max(active[1], end), period
        if active and now - active[1] > max(2.5 * active[2], 5) * RATE:
            finalise()
        if now == n:
            break
    if active:
        finalise()
    return sets


# Interface -----------------------------------------------------------------------------------------


def count_given(times, channels):
    """Counts the reps of a set that is given with two seconds on both sides."""
    x, _ = front_end(times, channels)
    if len(x) < 2 * RATE:
        return 0
    segmentation = Window(x).finalize()
    return 0 if segmentation is None else len(segmentation.starts)


def find_sets(times, channels):
    """Returns the sets of a whole recording: starts and ends of the reps of each, in seconds."""
    x, first = front_end(times, channels)
    return [(first + starts / RATE, first + ends / RATE) for starts, ends in find(x)]


def overlapping(sets, begin, end):
    """Returns the reps of the set with the largest overlap with a labeled one; 0 if none overlaps."""
    best = max(((min(end, e[-1]) - max(begin, s[0]), len(s)) for s, e in sets), default=(0, 0))
    return best[1] if best[0] > 0 else 0


def channels_of(m):
    """Returns gravity, rotation rate, user acceleration from rows of time, user acceleration, rotation
    rate, gravity."""
    return m[0], np.ascontiguousarray(m[[7, 8, 9, 4, 5, 6, 1, 2, 3]])


def compile_all():
    """Counts a synthetic recording, ten swings between rests, so that everything is compiled or loaded
    from the cache before the first command, outside the measured time."""
    t = np.arange(0, 60, 0.02)
    angle = np.where((t > 15) & (t < 45), 0.5 - 0.5 * np.cos(2 * np.pi * t / 3), 0)
    m = np.zeros((10, len(t)))
    m[0], m[4], m[8], m[9] = t, np.gradient(angle, t), np.sin(angle), np.cos(angle)
    m[1:4] = 0.01 * np.sin(np.outer((7, 11, 13), t))
    assert overlapping(find_sets(*channels_of(m)), 15, 45) == 10
    assert count_given(*channels_of(m[:, (t > 13) & (t < 47)])) == 10


def given(path):
    sets = [usable(m) for m in load(path)]
    return lambda: [count_given(*channels_of(m)) for m in sets], judge([m[10, 0] for m in sets])


def found(path):
    sets = [usable(m) for m in load(path)]

    def work():
        return [overlapping(find_sets(*channels_of(m)), m[11, 0], m[12, 0]) for m in sets]

    return work, judge([m[10, 0] for m in sets])


def files(path):
    with open(path) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]

    def work():
        return [count_given(*channels_of(read(*row[:3]))) for row in rows]

    return work, judge([int(row[3]) for row in rows])


if __name__ == "__main__":
    from detector import judge, read, usable
    from rival import load, serve, versions

    compile_all()
    serve(
        versions(scipy=scipy, numpy=np, numba=numba),
        {"given": given, "found": found, "files": files},
    )
