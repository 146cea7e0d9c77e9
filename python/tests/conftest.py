"""Shared fixtures: recordings of the repository, and the command to compare with."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "fixtures/recordings"


@pytest.fixture(scope="session")
def command() -> Path:
    """Returns the command `reptrace`; `make test-python` builds it."""
    path = Path(os.environ.get("REPTRACE", ROOT / ".build/release/reptrace"))
    if not path.exists():
        pytest.fail(f"{path} is not built (make build)")
    return path


@pytest.fixture(scope="session")
def process(command):
    """Runs `reptrace process` and returns its lines."""

    def run(*arguments):
        found = subprocess.run(
            [command, "process", *map(str, arguments), "--output", "ndjson"],
            capture_output=True, text=True,
        )  # fmt: skip
        return [json.loads(line) for line in found.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def store(command, tmp_path_factory) -> Path:
    """Returns a history of some fixtures."""
    path = tmp_path_factory.mktemp("store") / "gym.sqlite"
    names = ["bench-chunks", "row-sensorlog.csv", "curl-seed-names.csv"]
    subprocess.run(
        [command, "process", *[RECORDINGS / name for name in names], "--store", path],
        check=True, capture_output=True,
    )  # fmt: skip
    return path


def inputs() -> list[Path]:
    """Returns every recording of the fixtures: a file, or a folder of chunk or sensor files."""
    return [
        path for path in sorted(RECORDINGS.iterdir())
        if not (path.name.endswith(".json") and "columns" in path.name)
        # Files of single sensors are counted as a folder.
        and not (path.is_file() and "_" in path.name)
    ]  # fmt: skip


def curls(reps: int = 8, rate: float = 50.0, seed: int = 1) -> dict[str, np.ndarray]:
    """Returns a forearm that turns by 2 rad and back, with rests before and after."""
    random = np.random.default_rng(seed)
    still = np.zeros(int(3 * rate))
    u = np.linspace(0, 1, int(1.4 * rate))
    smooth = u * u * u * (10 + u * (6 * u - 15))
    pause = np.zeros(int(0.3 * rate))
    rep = np.concatenate([2 * smooth, 2 - 2 * smooth, pause])
    angle = np.concatenate([still, *[rep] * reps, still])
    turn = np.gradient(angle) * rate
    noise = lambda scale: random.normal(0, scale, len(angle))  # noqa: E731
    return {
        "timestamp": np.arange(len(angle)) / rate,
        "accelerationX": noise(0.005), "accelerationY": noise(0.005), "accelerationZ": noise(0.005),
        "rotationX": turn + noise(0.01), "rotationY": noise(0.01), "rotationZ": noise(0.01),
        "gravityX": np.zeros(len(angle)), "gravityY": -np.cos(angle), "gravityZ": -np.sin(angle),
    }  # fmt: skip
