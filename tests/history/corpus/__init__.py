"""Texts of many kinds, our own, against which counters are measured."""

from pathlib import Path

SAMPLES = {path.stem: path.read_text() for path in sorted(Path(__file__).parent.glob("*.txt"))}
