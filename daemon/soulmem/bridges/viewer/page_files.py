"""The page as it was built: its files, what the browser is told about each, and all of it in one.

Called by `bridges/viewer/viewer_app` and by `soulmem export --html`. Owns nothing but what lies in `page`, which
`make viewer` builds of the sources in `viewer`. Invariants: nothing is loaded from anywhere else; no script runs but
this one, whatever a note says.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

SHELL, SCRIPT, STYLE = "viewer.html", "viewer.js", "viewer.css"
_SCRIPT_TAG = '<script type="module" src="viewer.js"></script>'
_STYLE_TAG = '<link rel="stylesheet" href="viewer.css">'
_POLICY_TAG = "<!-- policy -->"
_ALWAYS = "img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
SERVED_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; {_ALWAYS}"
)
DATA_ID = "mind-data"


@cache
def page_file(name: str) -> str:
    """One of the files."""
    return files("soulmem.bridges.viewer").joinpath("page", name).read_text("utf-8")


def whole_page(data: Mapping[str, Any], title: str) -> str:
    """The page in one file, with a mind in it instead of a daemon behind it.

    `data`: what `viewer/src/stored_mind.js` reads. The page may load and send nothing at all.
    """
    style, script = page_file(STYLE), page_file(SCRIPT)
    policy = f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; {_ALWAYS}"
    told = script_safe(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    pieces = {
        _POLICY_TAG: f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        "<title>soulmem</title>": f"<title>{_escaped(title)} · soulmem</title>",
        _STYLE_TAG: f"<style>{style}</style>",
        _SCRIPT_TAG: f'<script type="application/json" id="{DATA_ID}">{told}</script>\n'
        f'<script type="module">{script}</script>',
    }
    page = page_file(SHELL)
    for mark, piece in pieces.items():
        before, found, after = page.partition(mark)
        assert found, mark
        page = before + piece + after
    return page


def script_safe(text: str) -> str:
    r"""JSON that may stand inside of a script element: nothing in it ends the element, or begins a comment.

    >>> script_safe('"</script><!--"')
    '"\\u003c/script>\\u003c!--"'
    """
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
