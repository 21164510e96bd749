"""Our own texts of many kinds, with which token counters are compared."""

from pathlib import Path

SAMPLES = {path.stem: path.read_text() for path in sorted(Path(__file__).parent.glob("*.txt"))}
