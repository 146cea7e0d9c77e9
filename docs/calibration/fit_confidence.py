#!/usr/bin/env python3
"""Fits the confidence of a set, and says how well it is calibrated.

    python3 fit_confidence.py evidence.csv

evidence.csv has a row per settled set: where it comes from, the true and the counted reps, and
what the count rests on (`SetEvidence`). The coefficients printed at the end are those of
Sources/RepDetection/Sets/SetConfidence.swift. Needs numpy and scipy.

The model is a logistic regression with an L2 penalty. It is judged twice: with days and people
left out in turn, over everything pooled, and fitted on one kind of recording and used on the other.
"""
import csv, sys
import numpy as np
from scipy.optimize import minimize

PENALTY = 3.0
NAMES = ["mean", "least", "agreement", "stability", "boundary", "rows", "no rotation", "few reps"]


def sharpness(similarity):
    return -np.log(1.02 - np.minimum(similarity, 1))


def load(path):
    rows = list(csv.DictReader(open(path)))
    column = lambda name: np.array([float(r[name]) for r in rows])
    x = np.stack([
        sharpness(column("mean")), sharpness(column("least")), column("agreement"),
        column("stability"), np.minimum(column("boundary"), 1.5), (column("rows") > 1) * 1.0,
        1 - column("rotation"), (column("n") < 4) * 1.0], 1)
    y = (column("reps") == column("counted")) * 1.0
    kind = np.array(["watch-gym" if r["source"].startswith("watch-gym") else "carawatch" for r in rows])
    group = np.array([k + r["group"] for k, r in zip(kind, rows)])
    # Variants of one recording (20 Hz, no gyroscope, found or given) are one observation's worth.
    share = {}
    for r in rows: share[r["recording"]] = share.get(r["recording"], 0) + 1
    weight = np.array([1 / share[r["recording"]] for r in rows])
    return x, y, kind, group, weight, rows


def fit(x, y, w):
    mean, spread = x.mean(0), x.std(0) + 1e-9
    z = (x - mean) / spread
    w = w / w.sum() * len(set(map(tuple, x)))

    def loss(p):
        odds = p[0] + z @ p[1:]
        return np.sum(w * (np.logaddexp(0, odds) - y * odds)) + PENALTY / 2 * np.sum(p[1:] ** 2)

    p = minimize(loss, np.zeros(z.shape[1] + 1)).x
    weights = p[1:] / spread
    return p[0] - weights @ mean, weights


def predict(model, x):
    return 1 / (1 + np.exp(-(model[0] + x @ model[1])))


def report(title, y, p, w):
    w = w / w.sum()
    rate, confidence = (w * y).sum(), (w * p).sum()
    brier, constant = (w * (p - y) ** 2).sum(), rate * (1 - rate)
    pos, neg = p[y == 1], p[y == 0]
    auroc = np.mean((pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)) if len(pos) and len(neg) else float("nan")
    print(f"{title:44} n {len(y):4} exact {rate:.3f} mean confidence {confidence:.3f} "
          f"Brier {brier:.3f} (constant {constant:.3f}, {100 * (1 - brier / max(constant, 1e-9)):+.0f} %) AUROC {auroc:.2f}")


def reliability(y, p, w, bins=5):
    rng = np.random.default_rng(1)
    for low in np.arange(bins) / bins:
        inside = (p >= low) & (p < low + 1 / bins + (1e-9 if low > 0.79 else 0))
        if not inside.any(): continue
        sample = [np.mean(rng.choice(y[inside], inside.sum())) for _ in range(1000)]
        a, b = np.percentile(sample, [5, 95])
        print(f"   {low:.1f} to {low + 1 / bins:.1f}: {inside.sum():4} sets, confidence {p[inside].mean():.2f}, exact {y[inside].mean():.2f} (90 % interval {a:.2f} to {b:.2f})")


def main():
    x, y, kind, group, weight, rows = load(sys.argv[1])
    left_out = np.zeros(len(y))
    for g in sorted(set(group)):
        out = group == g
        left_out[out] = predict(fit(x[~out], y[~out], weight[~out]), x[out])
    report("pooled, day or person left out", y, left_out, weight)
    plain = np.array([r["source"] in ("watch-gym", "carawatch") for r in rows])
    report("  of these as recorded", y[plain], left_out[plain], weight[plain])
    for k in ("watch-gym", "carawatch"):
        for m in ("given", "found"):
            s = plain & (kind == k) & np.array([r["mode"] == m for r in rows])
            report(f"    {k} {m}", y[s], left_out[s], weight[s])
    s = np.array(["nogyro" in r["source"] for r in rows])
    report("  without a gyroscope", y[s], left_out[s], weight[s])
    reliability(y[plain], left_out[plain], weight[plain])
    for a, b in (("watch-gym", "carawatch"), ("carawatch", "watch-gym")):
        model = fit(x[kind == a], y[kind == a], weight[kind == a])
        s = kind == b
        report(f"fitted on {a}, used on {b}", y[s], predict(model, x[s]), weight[s])
    model = fit(x, y, weight)
    print("intercept", round(model[0], 3))
    for name, value in zip(NAMES, model[1]): print(f"  {name:12} {value:+.3f}")


main()
