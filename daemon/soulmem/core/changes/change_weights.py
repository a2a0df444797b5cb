"""What the features of change weigh, and the grams of its tone, as `change_weights.txt` has them: fitted, not written.

Read by `change_probability` and `change_tone`.
"""

from __future__ import annotations

from soulmem.core.text.word_file import read_sections

_SECTIONS = read_sections("core/changes/change_weights.txt")


def _numbers(section: str) -> dict[str, float]:
    return {name: float(value) for name, value in (line.split("\t") for line in _SECTIONS[section].splitlines())}


_SCORES = _numbers("scores")
LIKELY, BIAS, TONE_BIAS = (_SCORES[name] for name in ("likely", "bias", "tone"))
WEIGHTS = _numbers("weights")
TONE = _SECTIONS["tone"]
