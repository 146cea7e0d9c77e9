#!/usr/bin/env python3
"""Fits the confidence of sets and of reps, and says how well it is calibrated.

    python3 fit_confidence.py FOLDER

FOLDER holds evidence.csv, synthetic.csv and reps.csv as collect_evidence.py writes them. The
coefficients printed at the end are those of Sources/RepDetection/Sets/SetConfidence.swift and
RepConfidence.swift. Needs numpy and scipy.

Set: logistic regression with an L2 penalty. Where a label covers a whole file, its count is right with
the product of the probabilities of the sets counted in it. Recordings as they are weigh 1, variants of
them (another rate, without sensors) a twentieth, synthetic ones together half of all real ones. It is
judged on recordings as they are (and gym recordings at 20 Hz) with days and people left out in turn,
and fitted on one kind of recording and used on the other.
"""
import csv, sys
from pathlib import Path
import numpy as np
from scipy.optimize import minimize

PENALTY, VARIANT, SYNTHETIC = 5.0, 0.05, 0.5
NAMES = ["declared", "mean", "stability"]


def features(r):
    return [float(r["declared"]), -np.log(1.02 - min(float(r["mean"]), 1)), float(r["stability"])]


class Labels:
    """Labelled counts, each with the sets that were counted for it."""

    def __init__(self, paths):
        found = {}
        for path in paths:
            for r in csv.DictReader(open(path)):
                if int(r["counted"]) == 0: continue
                # A synthetic recording may have two labelled sets, and a set several bouts with a row each.
                key = (r["source"], r["variant"], r["mode"], r["recording"], r["label"] if r["source"].startswith("synthetic") else 0)
                found.setdefault(key, []).append(r)
        rows = list(found.values())
        self.x = np.array([features(r) for sets in rows for r in sets])
        self.label = np.repeat(np.arange(len(rows)), [len(sets) for sets in rows])
        first = [sets[0] for sets in rows]
        self.y = np.array([1.0 * (r["reps"] == r["total"]) for r in first])
        column = lambda name: np.array([r[name] for r in first])
        self.source, self.variant, self.mode, self.session = map(column, ("source", "variant", "mode", "session"))
        self.group = np.array([r["source"] + r["group"] for r in first])

    def __getitem__(self, mask):
        part = Labels.__new__(Labels)
        kept = mask[self.label]
        part.x, part.label = self.x[kept], (np.cumsum(mask) - 1)[self.label[kept]]
        for name in ("y", "source", "variant", "mode", "session", "group"): setattr(part, name, getattr(self, name)[mask])
        return part

    def __add__(self, other):
        both = Labels.__new__(Labels)
        both.x, both.label = np.concatenate([self.x, other.x]), np.concatenate([self.label, other.label + len(self.y)])
        for name in ("y", "source", "variant", "mode", "session", "group"):
            setattr(both, name, np.concatenate([getattr(self, name), getattr(other, name)]))
        return both


def predict(model, d):
    logs = -np.logaddexp(0, -(model[0] + d.x @ model[1]))
    return np.exp(np.bincount(d.label, logs, minlength=len(d.y)))


def fit(d, weight, penalty=PENALTY):
    mean, spread = d.x.mean(0), d.x.std(0) + 1e-9
    z, n = (d.x - mean) / spread, len(d.y)

    def loss(p):
        logs = -np.logaddexp(0, -(p[0] + z @ p[1:]))
        total = np.minimum(np.bincount(d.label, logs, minlength=n), -1e-9)
        q = np.exp(total)
        value = -(weight * (d.y * total + (1 - d.y) * np.log1p(-q))).sum() + penalty / 2 * (p[1:] ** 2).sum()
        slope = -(weight * (d.y - (1 - d.y) * q / np.maximum(1 - q, 1e-9)))[d.label] * (1 - np.exp(logs))
        return value, np.concatenate([[slope.sum()], z.T @ slope + penalty * p[1:]])

    p = minimize(loss, np.zeros(z.shape[1] + 1), jac=True, method="L-BFGS-B").x
    weights = p[1:] / spread
    return p[0] - weights @ mean, weights


def auroc(p, y):
    a, b = p[y == 1], p[y == 0]
    return np.mean((a[:, None] > b) + 0.5 * (a[:, None] == b)) if len(a) and len(b) else float("nan")


def bins(p, count):
    return np.array_split(np.argsort(p, kind="stable"), count)


def report(title, p, y, count=5):
    brier, constant = ((p - y) ** 2).mean(), y.mean() * (1 - y.mean())
    error = sum(abs(p[s].mean() - y[s].mean()) * len(s) for s in bins(p, count) if len(s)) / len(y)
    print(f"{title:42} n {len(y):5} exact {y.mean():.3f} confidence {p.mean():.3f} Brier {100 * (1 - brier / max(constant, 1e-9)):+4.0f} % "
          f"AUROC {auroc(p, y):.2f} ECE {error:.3f}")


def reliability(p, y):
    rng = np.random.default_rng(1)
    for s in bins(p, 5):
        low, high = np.percentile([rng.choice(y[s], len(s)).mean() for _ in range(1000)], [5, 95])
        print(f"   confidence {p[s].mean():.2f}: exact {y[s].mean():.2f} (90 % interval {low:.2f} to {high:.2f}), {len(s)} sets")


def sets(folder):
    real = Labels([folder / "evidence.csv"])
    synthetic = Labels([folder / "synthetic.csv"])
    learned, kept = (synthetic[synthetic.source == f"synthetic{i}"] for i in (1, 2))
    judged = (real.variant == "plain") | ((real.variant == "20hz") & (real.source == "watch-gym"))

    def model(mask):
        part, w = real[mask], np.where(judged, 1, VARIANT)[mask]
        return fit(part + learned, np.concatenate([w, np.full(len(learned.y), SYNTHETIC * w.sum() / len(learned.y))]))

    p = np.zeros(len(real.y))
    for g in sorted(set(real.group)):
        out = real.group == g
        p[out] = predict(model(~out), real[out])
    report("pooled, day or person left out", p[judged], real.y[judged])
    reliability(p[judged], real.y[judged])
    for source, mode, variant, session in (("watch-gym", "given", "plain", None), ("watch-gym", "found", "plain", None),
                                           ("watch-gym", "found", "20hz", None), ("carawatch", "found", "plain", "1"),
                                           ("carawatch", "found", "plain", "2")):
        s = (real.source == source) & (real.mode == mode) & (real.variant == variant) & ((session is None) | (real.session == session))
        report(f"  {source} {mode} {variant}" + (f" session {session}" if session else ""), p[s], real.y[s])
    for variant in ("no-attitude", "no-gyroscope", "12.5hz"):
        s = real.variant == variant
        report(f"  {variant}", p[s], real.y[s])
    for a, b in (("watch-gym", "carawatch"), ("carawatch", "watch-gym")):
        s = judged & (real.source == b)
        report(f"fitted on {a}, used on {b}", predict(model(real.source == a), real[s]), real.y[s])
    final = model(np.ones(len(real.y), bool))
    for mode in ("given", "found"):
        part = kept[kept.mode == mode]
        if len(part.y): report(f"synthetic of another seed, {mode}", predict(final, part), part.y)
    print("SetConfidence: intercept", round(float(final[0]), 3))
    for name, value in zip(NAMES, final[1]): print(f"  {name:10} {value:+.3f}")


class Reps:
    def __init__(self, rows):
        c = lambda name: np.array([float(r[name]) for r in rows])
        self.y = c("is_rep")
        self.x = np.stack([-np.log(1.02 - np.minimum(c("similarity"), 1)), np.clip(c("relative_similarity"), 0, 1.2),
                           np.minimum(abs(np.log(np.maximum(c("energy"), 0.05))), 2),
                           np.minimum(abs(np.log(np.maximum(c("duration"), 0.1))), 1), c("is_edge")], 1)
        self.label = np.arange(len(rows))


def reps(folder):
    rows = list(csv.DictReader(open(folder / "reps.csv")))
    learned, kept = (Reps([r for r in rows if r["source"] == f"synthetic{i}"]) for i in (1, 2))
    model = fit(learned, np.ones(len(learned.y)), penalty=1)
    report("reps of synthetic sets of another seed", predict(model, kept), kept.y, count=10)
    print("RepConfidence: intercept", round(float(model[0]), 3))
    for name, value in zip(("similarity", "relative", "energy", "duration", "edge"), model[1]): print(f"  {name:10} {value:+.3f}")


sets(Path(sys.argv[1]))
reps(Path(sys.argv[1]))
