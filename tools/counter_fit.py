"""The likelihood to which the counter's weights are fitted. Used by `fit-counter`; needs NumPy and SciPy.

A *window* is the signal that the counter segments at once, with all its segmentations. Score:
P(segmentation) is the softmax of weights times features, P(count) the sum over the segmentations with
that count. If only the total of a recording is known, the counts of its windows are convolved, each
being no set with 1 - P(set). Gate: P(set) is logistic in features of the best segmentation of the most
probable count.

There are few weights, and each keeps the sign implied by its meaning, so that they transfer to other
devices (docs/research).
"""

import csv
import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

#: The score's features, and the allowed sign of each weight.
SCORE = {"score": 1, "qmean": 1, "log_n": 0, "log_t2": -1, "partial": -1, "half2": -1, "postures": -1, "qmin_lo": -1}
#: The gate's features, likewise.
GATE = {
    "bias": 0, "qmean": 1, "paused": 1, "reach": 1, "irregular": -1, "gait": -1, "posture_beside": 1,
    "move_beside": 1, "step_peak": -1, "pause_max": -1,
}  # fmt: skip
#: Features of the signal beside a run, with their values if neither side was recorded.
BESIDE = {"posture_beside": 0.54, "move_beside": 0.57}
#: Segmentations that explain this much less than the best one (ln) are not scored.
WORST_SCORE = -0.8
#: Fraction of labeled totals that match no sum of counts: labels have errors, and sets are missed.
UNMET = 0.08
RIDGE = 15.0
#: Ridge penalty of the score (docs/research/counter-score.md).
SCORE_RIDGE = 5.0
#: Weight of all examples of a class in the gate's fit, and of a device's if that is not 1.
CLASS_WEIGHT = 100.0
DEVICE_WEIGHT = {"synthetic": 0.3}


class TooLittle(ValueError):
    """There is nothing to fit the weights to."""


@dataclass
class Window:
    recording: str
    device: str
    group: str
    mode: str
    #: Given: the row of the labels within the recording. Found: the order of the windows.
    index: int
    #: Begin of the segmented signal, in seconds.
    begin: float
    end: float
    counts: np.ndarray
    #: A row per segmentation: the score's features.
    features: np.ndarray
    #: Likewise: begin, end and the other columns of the dump.
    columns: dict
    #: True number of reps; 0 if it is not a set, None if unknown.
    true: int | None = None
    #: True if it is a set, or a bout of one; None if unknown.
    is_set: bool | None = None
    weight: float = 1.0


# Reading -------------------------------------------------------------------------------------------


def read_dump(path, device="", group_of=lambda name: "", weight=1.0):
    """Reads the windows of `reptrace evaluate --segmentations`."""
    windows, key, rows, header = [], None, [], None
    with open(path, newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        for row in reader:
            if row[:5] != key:
                if rows:
                    windows.append(window_of(header, key, rows, device, group_of, weight))
                key, rows = row[:5], []
            rows.append(row[5:])
    if rows:
        windows.append(window_of(header, key, rows, device, group_of, weight))
    return last_segmentations(windows)


def window_of(header, key, rows, device, group_of, weight):
    values = np.array(rows, float)
    columns = {name: values[:, i] for i, name in enumerate(header[5:])}
    kept = columns["score"] >= WORST_SCORE
    columns = {name: column[kept] for name, column in columns.items()}
    features = np.stack([columns[name] for name in SCORE], 1)
    return Window(
        key[0], device, group_of(key[0]), key[1], int(key[2]), float(key[3]), float(key[4]),
        columns["reps"].astype(int), features, columns, weight=weight)  # fmt: skip


def last_segmentations(windows):
    """Removes windows that the counter segmented again with other bounds; keeps the last segmentation."""
    kept = []
    for one in windows:
        while kept and is_read_again(kept[-1], one):
            kept.pop()
        kept.append(one)
    return kept


def is_read_again(before, now):
    if (before.recording, before.mode) != (now.recording, now.mode):
        return False
    if now.mode == "given":
        return before.index == now.index
    shared = min(before.end, now.end) - max(before.begin, now.begin)
    return shared >= 0.6 * (before.end - before.begin)


def label(windows, sets, shared=1.0):
    """Sets the truth of found windows from spans: [(start, end, reps)] of one recording. A window that overlaps
    no set by `shared` seconds is not a set. If it alone overlaps one set, it is that set; if several windows
    do, each is a bout of it."""
    hits = []
    for one in windows:
        first, last = best_span(one)
        hits.append([k for k, (a, b, _) in enumerate(sets) if min(b, last) - max(a, first) > shared])
    for one, hit in zip(windows, hits):
        one.is_set = bool(hit)
        if not hit:
            one.true = 0
        elif len(hit) == 1 and sum(hit[0] in other for other in hits) == 1:
            one.true = sets[hit[0]][2]


def outermost(windows):
    """Returns the windows of one recording without those between the reps of another: the span of a labeled set
    does not show whether they are its reps."""
    spans = [best_span(one) for one in windows]
    return [
        one for one, (first, last) in zip(windows, spans)
        if not any(a < first and last < b for a, b in spans)
    ]


def best_span(one):
    """Returns begin and end of the segmentation that explains most."""
    at = int(one.columns["score"].argmax())
    return one.columns["first"][at], one.columns["last"][at]


# Score ---------------------------------------------------------------------------------------------


def log_sums(scores, starts):
    """Returns ln of the sum of exp within each block, and the lengths of the blocks."""
    lengths = np.diff(np.append(starts, len(scores)))
    highest = np.maximum.reduceat(scores, starts)
    sums = np.add.reduceat(np.exp(scores - np.repeat(highest, lengths)), starts)
    return highest + np.log(sums), lengths


def fit_score(windows, files=(), ridge=SCORE_RIDGE, signs=SCORE):
    """Fits the score's weights by penalized likelihood.

    `windows`: those with a true count. `files`: (total, [window], [P(set)], weight), of which only the
    sum is known. The ridge penalty applies to features in units of their spread within windows."""
    known = [s for s in windows if s.true and (s.counts == s.true).any()]
    if not known:
        raise TooLittle("no window has a true count among its segmentations")
    blocks = [s.features for s in known]
    weights = np.array([s.weight for s in known])
    means = np.array([block.mean(axis=0) for block in blocks])
    squares = np.array([(block**2).mean(axis=0) for block in blocks])
    spread = np.maximum(((squares - means**2) * weights[:, None]).sum(0) / weights.sum(), 1e-8)
    scale = np.sqrt(spread)
    own = sum(map(len, blocks))
    hit = np.concatenate([s.counts == s.true for s in known])
    others, position = [], own
    for total, parts, gates, weight in files:
        regions = []
        for part, gate in zip(parts, gates):
            blocks.append(part.features)
            regions.append((position, position + len(part.counts), part.counts, gate))
            position += len(part.counts)
        others.append((total, regions, weight))
    starts = np.cumsum([0] + [len(block) for block in blocks[:-1]])
    x = np.concatenate(blocks) / scale
    missed = np.where(hit, 0.0, -1e9)
    n = len(known)

    def objective(w):
        scores = x @ w
        sums, lengths = log_sums(scores, starts)
        p = np.exp(scores - np.repeat(sums, lengths))
        right, own_lengths = log_sums(scores[:own] + missed, starts[:n])
        of_right = np.exp(scores[:own] + missed - np.repeat(right, own_lengths))
        value = (weights * (sums[:n] - right)).sum()
        slope = np.zeros(len(scores))
        slope[:own] = np.repeat(weights, own_lengths) * (p[:own] - of_right)
        for total, regions, weight in others:
            value -= weight * total_likelihood(total, regions, p, slope, weight)
        return value + 0.5 * ridge * (w @ w), x.T @ slope + ridge * w

    bounds = [(0, None) if s > 0 else (None, 0) if s < 0 else (None, None) for s in signs.values()]
    found = minimize(objective, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds,
                     options={"maxiter": 200, "ftol": 1e-7})  # fmt: skip
    return found.x / scale


def total_likelihood(total, regions, p, slope, weight):
    """Returns ln P(total) of a recording, and subtracts its weighted gradient from `slope`; 0 if it is impossible."""
    priors = [np.bincount(counts, weights=p[a:b]) for a, b, counts, _ in regions]
    sets = [one_region(prior, gate, total) for prior, (*_, gate) in zip(priors, regions)]
    before, after = [np.ones(1)], [np.ones(1)]
    for one in sets:
        before.append(np.convolve(before[-1], one)[: total + 1])
    for one in reversed(sets):
        after.append(np.convolve(after[-1], one)[: total + 1])
    after.reverse()
    if len(before[-1]) <= total or before[-1][total] < 1e-12:
        return 0.0
    likelihood = before[-1][total]
    for k, (a, b, counts, _) in enumerate(regions):
        rest = np.zeros(total + 1)
        product = np.convolve(before[k], after[k + 1])[: total + 1]
        rest[: len(product)] = product
        posterior = np.zeros(len(priors[k]))
        size = len(sets[k])
        posterior[:size] = sets[k] * rest[total - np.arange(size)] / likelihood
        ratio = np.zeros(len(priors[k]))
        ratio[1:] = posterior[1:] / np.maximum(priors[k][1:], 1e-300)
        slope[a:b] -= weight * p[a:b] * (ratio[counts] - (1 - posterior[0]))
    return math.log(likelihood)


def one_region(prior, gate, total):
    result = prior * gate
    result[0] = 1 - gate
    return result[: total + 1]


def probabilities(window, weights, temperature=1.0):
    """Returns P(segmentation)."""
    scores = temperature * (window.features @ weights)
    p = np.exp(scores - scores.max())
    return p / p.sum()


def posterior(window, weights, temperature=1.0):
    """Returns P(count) from 0, and the best segmentation of the most probable count."""
    p = probabilities(window, weights, temperature)
    of_count = np.bincount(window.counts, weights=p)
    best = np.where(window.counts == of_count.argmax(), p, -1).argmax()
    return of_count, int(best)


# Gate ----------------------------------------------------------------------------------------------


def movement(window, at):
    """Returns the gate's features of a segmentation."""
    c = {name: float(column[at]) for name, column in window.columns.items()}
    period, swing, bounce, speed = c["period"], c["swing"], c["bounce"], math.exp(c["speed"])
    travel = 0.3 * swing + 9.81 * bounce * (period / (2 * math.pi)) ** 2
    one, two, step = (math.exp(-((math.log(period / t) / 0.25) ** 2) / 2) for t in (1.12, 2.24, 0.56))
    walking = max(one, two) * c["steadiness"] ** 2 * c["steps"]
    if c.get("unmeasured", 0) > 0.5:
        gait = max(walking, max(one, step) / (1 + (travel / 0.12) ** 4))
    else:
        turning = math.log((speed + 0.02) / (bounce + 0.01))
        gait = walking * math.exp(-(((turning - 2.2) / 0.6) ** 2) / 2)
        gait /= 1 + (0.035 / max(bounce, 1e-4)) ** 4 + (speed / 3.5) ** 8
    return {
        "bias": 1.0, "qmean": c["qmean"],
        "paused": max(0.0, math.log(4 / c["run_reps"])) * math.log(max(c["evenness"], 1e-3)),
        "reach": math.log(min(travel, 0.2) + 0.01),
        "irregular": c["irregular"], "gait": gait, "step_peak": c["step_peak"], "pause_max": min(c["pause_max"], 6.5),
        "posture_beside": c["posture_beside"] if c["posture_beside"] >= 0 else math.nan,
        "move_beside": min(c["move_beside"], 2.4) if c["move_beside"] >= 0 else math.nan,
    }  # fmt: skip


def gate_rows(windows, weights):
    """Returns the gate's features of windows, each of the best segmentation of its most probable count."""
    rows = []
    for one in windows:
        _, at = posterior(one, weights)
        figures = movement(one, at)
        rows.append(np.array([figures[name] for name in GATE]))
    return rows


def sigmoid(z):
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, z))))


def with_beside(rows):
    """Returns rows of gate features with typical values if nothing beside the run was recorded."""
    usual = np.array([BESIDE.get(name, 0.0) for name in GATE])
    return np.where(np.isnan(rows), usual, rows)


def class_weights(devices, shares):
    """Returns the weights of examples of one class. A device counts as the square root of its size, a synthetic one
    for less, and all of them together as much as the other class."""
    weights = np.zeros(len(shares))
    for device in set(devices):
        own = devices == device
        size = shares[own].sum()
        if size > 0.5:
            weights[own] = shares[own] * size**-0.5 * DEVICE_WEIGHT.get(device, 1.0)
    return weights * CLASS_WEIGHT / max(weights.sum(), 1e-9)


def fit_gate(rows, ridge=RIDGE, signs=GATE):
    """Fits the gate's weights, assuming that sets are as frequent as other movements. `rows`: (device, features,
    true P(set)).

    Recordings that begin and end with the set have no signal beside it. To make this uninformative, the signal
    beside runs of the other class is hidden equally often."""
    devices = np.array([device for device, _, _ in rows])
    x = np.array([row for _, row, _ in rows])
    p = np.array([p for _, _, p in rows])
    beside = [name in BESIDE for name in GATE]
    known = ~np.isnan(x[:, beside]).any(axis=1)
    weights = [class_weights(devices, share) for share in (1 - p, p)]
    unknown = [w[~known].sum() / max(w.sum(), 1e-9) for w in weights]
    parts = []
    for is_set, own in enumerate(weights):
        hidden = max(0.0, (unknown[1 - is_set] - unknown[is_set]) / max(1 - unknown[is_set], 1e-9))
        hidden = np.where(known, hidden, 0.0)
        parts += [(x, is_set, own * (1 - hidden)), (np.where(beside, np.nan, x), is_set, own * hidden)]
    x = with_beside(np.concatenate([part for part, _, _ in parts]))
    y = np.concatenate([np.full(len(part), float(is_set)) for part, is_set, _ in parts])
    w = np.concatenate([w for _, _, w in parts])
    x, y, w = x[w > 0], y[w > 0], w[w > 0]
    mean, scale = x[:, 1:].mean(0), x[:, 1:].std(0) + 1e-6
    z = np.column_stack([x[:, :1], (x[:, 1:] - mean) / scale])

    def objective(v):
        t = z @ v
        value = (w * (np.logaddexp(0, t) - y * t)).sum() + 0.5 * ridge * (v[1:] @ v[1:])
        slope = z.T @ (w * (1 / (1 + np.exp(-np.clip(t, -500, 500))) - y))
        slope[1:] += ridge * v[1:]
        return value, slope

    bounds = [(0, None) if s > 0 else (None, 0) if s < 0 else (None, None) for s in signs.values()]
    found = minimize(objective, np.zeros(z.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x
    result = found.copy()
    result[1:] = found[1:] / scale
    result[0] -= result[1:] @ mean
    return result


# All of it -----------------------------------------------------------------------------------------


@dataclass
class Weights:
    score: np.ndarray
    gate: np.ndarray
    temperature: float = 1.0

    def json(self):
        return {
            "score": {name: round(float(w), 4) for name, w in zip(SCORE, self.score)},
            "temperature": round(self.temperature, 4),
            "gate": {name: round(float(w), 4) for name, w in zip(GATE, self.gate)},
        }


@dataclass
class Labelled:
    """All labeled data: windows of given sets, and recordings with the windows found in them."""

    given: list
    #: (device, group, total or None, [window]) of recordings.
    recordings: list


def region_posteriors(total, windows, gates, weights):
    """Returns P(set) of each window given the recording's total, and the probability of that total."""
    sets = [one_region(posterior(s, weights)[0], g, total) for s, g in zip(windows, gates)]
    before, after = [np.ones(1)], [np.ones(1)]
    for one in sets:
        before.append(np.convolve(before[-1], one)[: total + 1])
    for one in reversed(sets):
        after.append(np.convolve(after[-1], one)[: total + 1])
    after.reverse()
    likelihood = before[-1][total] if len(before[-1]) > total else 0.0
    if likelihood < 1e-9:
        return None, 0.0
    result = []
    for k, one in enumerate(sets):
        rest = np.convolve(before[k], after[k + 1])
        result.append(1 - one[0] * (rest[total] if len(rest) > total else 0.0) / likelihood)
    return result, likelihood


def fit(data, left_out=lambda device, group: False, rounds=2):
    """Fits the weights to all data that are not left out."""
    given = [s for s in data.given if not left_out(s.device, s.group)]
    recordings = [r for r in data.recordings if not left_out(r[0], r[1])]
    known = given + [s for *_, found in recordings for s in found if s.true]
    score = fit_score(known)
    gate = None
    for _ in range(rounds):
        rows, files = [], []
        for device, _, total, found in recordings:
            features = gate_rows(found, score)
            rows += [(device, f, float(s.is_set)) for s, f in zip(found, features) if s.is_set is not None]
            if total and found and all(s.true is None for s in found):
                scores = [0.0 if gate is None else with_beside(f) @ gate for f in features]
                chances = [min(0.95, max(0.05, sigmoid(score))) for score in scores]
                sets, likelihood = region_posteriors(total, found, chances, score)
                if sets is None:
                    continue
                met = (1 - UNMET) * likelihood
                sure = met / (met + UNMET / 60)
                files.append((total, found, chances, sure * found[0].weight))
                rows += [(device, f, p) for f, p in zip(features, sets)]
        gate = fit_gate(rows) if rows else np.zeros(len(GATE))
        if files:
            score = fit_score(known, files)
    return Weights(score, gate)


def fit_temperature(windows, weights_without):
    """Fits the factor on the scores that best predicts left-out devices, which count equally.
    `weights_without`: {device: score}."""
    sizes = defaultdict(float)
    for s in windows:
        sizes[s.device] += s.weight

    def loss(t):
        total = 0.0
        for s in windows:
            p, _ = posterior(s, weights_without[s.device], t)
            total -= s.weight / sizes[s.device] * math.log(max(p[s.true] if s.true < len(p) else 0.0, 0.01))
        return total

    return float(min(np.arange(0.5, 3.05, 0.05), key=loss))
