"""Names of files that are safe wherever the files go, made of what somebody said.

What a system takes for a path, a pattern, a device or a link of its own is left out, and so is what cannot be seen.
"""

from __future__ import annotations

import unicodedata

_FORBIDDEN = set('/\\:*?"<>|#^[]%`$')
_NAME_BYTES = 120
_DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}


def safe_name(text: str, otherwise: str) -> str:
    """The begin of a text as a name without an ending; `otherwise` where nothing of it can stand in one."""
    shown = unicodedata.normalize("NFC", " ".join(text[:400].split()))
    kept = "".join(letter for letter in shown if letter not in _FORBIDDEN and letter.isprintable())
    cut = kept.encode()[:_NAME_BYTES].decode("utf-8", "ignore").strip(" .")
    if not cut or cut.split(".", 1)[0].strip().lower() in _DEVICES:
        return otherwise
    return cut
