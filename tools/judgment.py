"""Figures for judging counts: their accuracy, with confidence intervals.

A result is one labeled set or file: its recording, the true count, the counted reps, and the
confidence. Intervals are bootstrapped over *recordings*, because sets of one recording resemble each
other. Standard library only.
"""

import random
import statistics
from collections import defaultdict
from dataclasses import dataclass

DRAWS = 2000


@dataclass(frozen=True)
class Result:
    recording: str
    #: Index of the labeled set in the recording, from 0.
    index: int
    reps: int
    counted: int
    #: Probability that the count is exact; None if no set was found.
    confidence: float | None = None

    @property
    def exact(self):
        return self.counted == self.reps

    @property
    def within_one(self):
        return abs(self.counted - self.reps) <= 1


def percent(results, what="exact"):
    return 100 * statistics.fmean(getattr(r, what) for r in results) if results else float("nan")


def interval(values_by_recording, draws=DRAWS, level=0.90):
    """Returns the bootstrap interval of the mean of all values over recordings; reproducible."""
    clusters = [(sum(v), len(v)) for v in values_by_recording.values()]
    if not clusters:
        return float("nan"), float("nan")
    source = random.Random(len(clusters))
    means = []
    for _ in range(draws):
        drawn = source.choices(clusters, k=len(clusters))
        means.append(sum(s for s, _ in drawn) / sum(n for _, n in drawn))
    means.sort()
    tail = (1 - level) / 2
    return means[int(tail * draws)], means[int((1 - tail) * draws) - 1]


def by_recording(results, value):
    clusters = defaultdict(list)
    for result in results:
        clusters[result.recording].append(value(result))
    return clusters


def exact_interval(results):
    return interval(by_recording(results, lambda r: 100.0 * r.exact))


def paired(results, before):
    """Returns the change in exact counts in percentage points, with its 90 % interval, over common sets.

    `before`: {(recording, index): whether it was exact}. None if there are no common sets."""
    shared = [r for r in results if (r.recording, r.index) in before]
    if not shared:
        return None
    values = by_recording(
        shared, lambda r: 100.0 * (r.exact - before[r.recording, r.index]))  # fmt: skip
    mean = statistics.fmean(v for cluster in values.values() for v in cluster)
    return mean, *interval(values)


@dataclass(frozen=True)
class Calibration:
    count: int
    #: Mean confidence minus fraction of exact counts.
    bias: float
    #: Reduction of the Brier score relative to a constant confidence, in percent; None if all
    #: counts are right or all wrong.
    gain: float | None
    #: Probability that a right count has more confidence than a wrong one.
    auroc: float | None


def calibration(results):
    """Returns the calibration of the counts with a confidence; None if none has one."""
    sure = [(r.confidence, r.exact) for r in results if r.confidence is not None]
    if not sure:
        return None
    rate = statistics.fmean(exact for _, exact in sure)
    brier = statistics.fmean((p - exact) ** 2 for p, exact in sure)
    constant = rate * (1 - rate)
    return Calibration(
        len(sure),
        statistics.fmean(p for p, _ in sure) - rate,
        100 * (1 - brier / constant) if constant else None,
        auroc(sure),
    )


def auroc(sure):
    right = [p for p, exact in sure if exact]
    wrong = [p for p, exact in sure if not exact]
    if not right or not wrong:
        return None
    # By ranks instead of pairs: O(n log n).
    order = sorted(p for p, _ in sure)
    rank, start = {}, 0
    while start < len(order):
        end = start
        while end < len(order) and order[end] == order[start]:
            end += 1
        rank[order[start]] = (start + end + 1) / 2
        start = end
    total = sum(rank[p] for p in right)
    return (total - len(right) * (len(right) + 1) / 2) / (len(right) * len(wrong))
