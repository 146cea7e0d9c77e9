#!/usr/bin/env python3
"""Fits the confidence of sets and of reps, and says how well it is calibrated.

    python3 fit_confidence.py FOLDER [--write]

FOLDER holds evidence.csv, synthetic.csv and reps.csv as collect_evidence.py writes them. With --write the
coefficients go to Sources/RepDetection/Sets/SetConfidence.swift and RepConfidence.swift, the tables to
docs/confidence.md, and evidence.csv next to this file. Needs numpy and scipy.

Set: logistic regression with an L2 penalty, each coefficient held to the sign that its meaning gives it. Where
a label covers a whole file, its count is right with the product of the probabilities of the sets counted in it.
Recordings as they are weigh 1, variants of them (another rate, without sensors) a twentieth, synthetic ones
together 1.5 times all real ones, those of hard execution 0.15 of the others. It is judged on the
recordings of the five evaluations of real ones with days and people left out in turn, and fitted on one kind of
recording and used on the other; intervals are of 2,000 draws of days and people with replacement.
"""
import csv, re, sys
from pathlib import Path
import numpy as np
from scipy.optimize import minimize

HERE = Path(__file__).resolve().parent
PENALTY, VARIANT, SYNTHETIC, HARD = 7.0, 0.05, 1.5, 0.15
# Name and sign of each feature.
FEATURES = {"declared": 1, "similarity": 1, "period": 1, "margin": 1, "completed": -1, "unmeasured": -1}


def features(r):
    """As SetConfidence.features."""
    completed = float(r["filled"]) > 0 or float(r["alternating"]) > 0
    return [float(r["declared"]), -np.log(1.02 - min(float(r["mean"]), 1)),
            np.log(np.clip(float(r["period"]), 0.6, 4)), np.clip(float(r["margin"]), -0.1, 0.25),
            1.0 * completed, 1 - float(r["rotation"])]


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


def fit(d, weight, penalty=PENALTY, signs=None):
    mean, spread = d.x.mean(0), d.x.std(0) + 1e-9
    z, n = (d.x - mean) / spread, len(d.y)

    def loss(p):
        logs = -np.logaddexp(0, -(p[0] + z @ p[1:]))
        total = np.minimum(np.bincount(d.label, logs, minlength=n), -1e-9)
        q = np.exp(total)
        value = -(weight * (d.y * total + (1 - d.y) * np.log1p(-q))).sum() + penalty / 2 * (p[1:] ** 2).sum()
        slope = -(weight * (d.y - (1 - d.y) * q / np.maximum(1 - q, 1e-9)))[d.label] * (1 - np.exp(logs))
        return value, np.concatenate([[slope.sum()], z.T @ slope + penalty * p[1:]])

    signs = [0] * z.shape[1] if signs is None else signs
    bounds = [(None, None)] + [(0, None) if s > 0 else (None, 0) if s < 0 else (None, None) for s in signs]
    p = minimize(loss, np.zeros(z.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = p[1:] / spread
    return p[0] - weights @ mean, weights


def auroc(p, y):
    a, b = p[y == 1], p[y == 0]
    return np.mean((a[:, None] > b) + 0.5 * (a[:, None] == b)) if len(a) and len(b) else float("nan")


def bins(p, count):
    return np.array_split(np.argsort(p, kind="stable"), count)


def error(p, y, count=5):
    return sum(abs(p[s].mean() - y[s].mean()) * len(s) for s in bins(p, count) if len(s)) / len(y)


def skill(p, y):
    """By how much the Brier score is below that of the best constant, in percent."""
    constant = y.mean() * (1 - y.mean())
    return 100 * (1 - ((p - y) ** 2).mean() / constant) if constant > 0 else float("nan")


def row(title, p, y, count=5):
    brier = "none is wrong | " if y.min() == 1 else f"{skill(p, y):.0f} % | {auroc(p, y):.2f}".replace("-", "−")
    return f"| {title} | {len(y)} | {y.mean():.3f} | {p.mean():.3f} | {brier} | {error(p, y, count):.3f} |"


def drawn(group, statistic):
    """A 90 % interval of a statistic of rows, drawing groups with replacement."""
    rng = np.random.default_rng(1)
    rows = [np.flatnonzero(group == g) for g in sorted(set(group))]
    values = [statistic(np.concatenate([rows[i] for i in rng.integers(0, len(rows), len(rows))])) for _ in range(2000)]
    return np.nanpercentile(values, [5, 95])


def reliability(p, y):
    rng = np.random.default_rng(1)
    lines = ["| confidence | exact | 90 % interval | counts |", "|---|---|---|---|"]
    for s in bins(p, 5):
        low, high = np.percentile([rng.choice(y[s], len(s)).mean() for _ in range(2000)], [5, 95])
        lines.append(f"| {p[s].mean():.2f} | {y[s].mean():.2f} | {low:.2f} to {high:.2f} | {len(s)} |")
    return lines


EVALUATIONS = [
    ("gym watch, boundaries given", "watch-gym", "given", "plain", None), ("gym watch, found", "watch-gym", "found", "plain", None),
    ("gym watch, found, 20 Hz", "watch-gym", "found", "20hz", None), ("other watch, found, session 1", "carawatch", "found", "plain", "1"),
    ("other watch, found, session 2", "carawatch", "found", "plain", "2")]


def sets(folder):
    real = Labels([folder / "evidence.csv"])
    synthetic = Labels([folder / "synthetic.csv"])
    learned, kept = (synthetic[synthetic.source == f"synthetic{i}"] for i in (1, 2))
    evaluations = [(title, (real.source == source) & (real.mode == mode) & (real.variant == variant)
                    & ((session is None) | (real.session == session))) for title, source, mode, variant, session in EVALUATIONS]
    judged = np.any([s for _, s in evaluations], 0)
    share = np.where(learned.session == "hard", HARD, 1)
    share = share / share.sum()

    def model(mask):
        part, w = real[mask], np.where(judged, 1, VARIANT)[mask]
        return fit(part + learned, np.concatenate([w, SYNTHETIC * w.sum() * share]), signs=list(FEATURES.values()))

    p = np.zeros(len(real.y))
    for g in sorted(set(real.group)):
        out = real.group == g
        p[out] = predict(model(~out), real[out])
    lines = ["| | counts | exact | confidence | Brier score below a constant's | AUROC | ECE |", "|---|---|---|---|---|---|---|",
             row("all five below, pooled", p[judged], real.y[judged])]
    lines += [row(title, p[s], real.y[s]) for title, s in evaluations]
    for title, variant in (("without attitude", "no-attitude"), ("without gyroscope either", "no-gyroscope"), ("at 12.5 Hz", "12.5hz")):
        s = real.variant == variant
        lines.append(row(title, p[s], real.y[s]))
    intervals = []
    for a, b, title in (("watch-gym", "carawatch", "fitted on the gym watch, used on the other"),
                        ("carawatch", "watch-gym", "fitted on the other, used on the gym watch")):
        s = judged & (real.source == b)
        q, y = predict(model(real.source == a), real[s]), real.y[s]
        lines.append(row(title, q, y))
        low, high = drawn(real.group[s], lambda i: q[i].mean() - y[i].mean())
        intervals.append(f"{title}: mean confidence less exact {q.mean() - y.mean():+.3f} ({low:+.3f} to {high:+.3f})")
    final = model(np.ones(len(real.y), bool))
    for mode in ("given", "found"):
        part = kept[kept.mode == mode]
        lines.append(row(f"synthetic, another seed than the fit's, {mode}", predict(final, part), part.y))
    q, y, group = p[judged], real.y[judged], real.group[judged]
    for title, statistic in (("mean confidence less exact", lambda i: q[i].mean() - y[i].mean()),
                             ("Brier score below a constant's, as a share of it,", lambda i: skill(q[i], y[i]) / 100),
                             ("AUROC", lambda i: auroc(q[i], y[i]))):
        low, high = drawn(group, statistic)
        intervals.insert(0, f"pooled: {title} {statistic(np.arange(len(y))):+.3f} ({low:+.3f} to {high:+.3f})")
    np.savetxt(folder / "judged.csv", np.column_stack([q, y]), delimiter=",")
    return final, lines + [""] + reliability(q, y), intervals


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
    return model, predict(model, kept), kept.y


def write(path, model):
    """Puts coefficients into a Swift file."""
    text = path.read_text()
    text = re.sub(r"(static let intercept = ).*", rf"\g<1>{model[0]:.3f}", text)
    text = re.sub(r"(static let weights = ).*", rf"\g<1>[{', '.join(f'{w:.3f}' for w in model[1])}]", text)
    path.write_text(text)


def main():
    folder = Path(sys.argv[1])
    model, lines, intervals = sets(folder)
    print("\n".join(lines + [""] + intervals))
    print(f"SetConfidence: intercept {model[0]:.3f}", *(f"{n} {w:+.3f}" for n, w in zip(FEATURES, model[1])))
    rep_model, p, y = reps(folder)
    print("\n".join(["", row("reps of synthetic sets of another seed, ten bins", p, y, count=10)]))
    print(f"RepConfidence: intercept {rep_model[0]:.3f}", np.round(rep_model[1], 3))
    if "--write" not in sys.argv[2:]: return
    intervals = [i.replace("-0.", "−0.").replace("+", "") for i in intervals]
    told = (f"Reps of synthetic sets of another seed than the fit's: {len(y):,} events, {100 * y.mean():.1f} % are reps, mean confidence "
            f"{100 * p.mean():.1f} %, Brier score\n{skill(p, y):.0f} % below a constant's, AUROC {auroc(p, y):.2f}, ECE {error(p, y, 10):.3f} over ten bins.")
    for name, fitted in (("SetConfidence", model), ("RepConfidence", rep_model)):
        write(HERE / f"../../Sources/RepDetection/Sets/{name}.swift", fitted)
    page = HERE / "../confidence.md"
    begin, end = "<!-- fit_confidence.py writes from here -->", "<!-- to here -->"
    before, rest = page.read_text().split(begin)
    page.write_text("\n".join([before + begin, "", *lines, "", "90 % intervals, days and people drawn anew:", "",
                               *(f"- {i}" for i in intervals), "", told, "", end + rest.split(end)[1]]))
    if folder.resolve() != HERE: (HERE / "evidence.csv").write_bytes((folder / "evidence.csv").read_bytes())


main()
