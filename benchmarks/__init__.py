"""Measurements, each a program: run one from the root of the repository as `python -m benchmarks.recall.recall SET`.

What the tests have of daemons, models and lives (`tests/support`) serves here too.
"""

import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path[1:1] = [str(_TESTS), *(str(folder) for folder in sorted((_TESTS / "support").iterdir()) if folder.is_dir())]
