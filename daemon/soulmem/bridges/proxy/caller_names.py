"""Who speaks: which mind, whose words and which conversation a request is about, from what its client tells.

Called by `bridges/proxy/chat_requests`; pure. Of several tellings the first counts: our own headers, the path, the
suffix of the model, the headers of known clients, the fields of the body, the command line, and at last what the system
prompt says. Invariant: whatever a client claims becomes a name that the daemon takes, different claims different ones.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import unquote

PERSONA, USER, SESSION = "x-soulmem-persona", "x-soulmem-user", "x-soulmem-session"
SPEAKERS = "x-soulmem-speakers"  # names that stand before a colon in what is said, divided by commas
_OF_CLIENTS = {  # what Open WebUI forwards
    USER: ("x-openwebui-user-name", "x-openwebui-user-email", "x-openwebui-user-id"),
    SESSION: ("x-openwebui-chat-id",),
}
_SESSION_FIELDS = ("session_id", "conversation_id", "chat_id")
_MIND = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_SUFFIX = re.compile(r"(?P<model>.+)@(?P<persona>[^@/:]*[^\W\d][^@/:]*)\Z", re.DOTALL)
_UNFILLED = re.compile(r"\{\{.*\}\}|\$\{.*\}")  # a placeholder that the client did not fill in
_LONGEST = 120  # characters of a name
_LONGEST_MODEL = 300
_MOST_SPEAKERS = 64
_READ = 2_000  # characters of what a client calls a name
DEFAULT_MIND = "default"
DEFAULT_CONVERSATION = "main"


@dataclass(frozen=True, slots=True)
class CallerNames:
    """`persona`: what the client calls the character, if it does. `is_named`: the client told the session.

    `speakers`: of a group, whose names the client writes before their words.
    """

    mind: str
    conversation: str
    speaker: str | None = None
    persona: str | None = None
    is_named: bool = False
    speakers: tuple[str, ...] = ()


def split_model(model: object) -> tuple[str | None, str | None]:
    """The model's own name and the persona behind its `@`, if there is one; a date behind it is none.

    >>> split_model("qwen3@罗莎"), split_model("claude@20240620")
    (('qwen3', '罗莎'), ('claude@20240620', None))
    """
    if not isinstance(model, str):
        return None, None
    found = _SUFFIX.match(model) if len(model) <= _LONGEST_MODEL else None
    return (found["model"], found["persona"]) if found else (model, None)


def names_of(
    headers: Mapping[str, str], body: Mapping[str, Any], *, path_persona: str | None = None, mind: str | None = None
) -> CallerNames:
    """Read the names. `headers`: by lower-case name, as they came. `mind`: that of the command line."""
    metadata = body.get("metadata")
    told: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    suffix = split_model(body.get("model"))[1]
    persona = _first(_header(headers, PERSONA), _clean(path_persona), _clean(suffix), _clean(told.get("persona")))
    speaker = _first(
        _header(headers, USER), *(_header(headers, name) for name in _OF_CLIENTS[USER]), _clean(body.get("user")),
        _clean(told.get("user")),
    )  # fmt: skip
    session = _first(
        _header(headers, SESSION), *(_header(headers, name) for name in _OF_CLIENTS[SESSION]),
        *(_clean(told.get(name)) for name in _SESSION_FIELDS),
    )  # fmt: skip
    name = mind_name(persona) if persona is not None else mind or _of_prompt(body) or DEFAULT_MIND
    # without a session each speaker has a conversation, or one's history would be taken for an edit of another's
    home = session or (f"user {speaker}" if speaker else DEFAULT_CONVERSATION)
    return CallerNames(name, home, speaker, persona, session is not None, _speakers(headers))


def is_mind_name(name: str) -> bool:
    return _MIND.match(name) is not None


def mind_name(persona: str) -> str:
    """The mind of a persona: its own name where a mind can have it, else one that no other persona has.

    >>> mind_name("pell"), mind_name("Miss Pell")
    ('pell', 'miss-pell-32494b88')
    """
    if _MIND.match(persona):
        return persona
    plain = unicodedata.normalize("NFKD", persona).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40] or "persona"
    return f"{slug}-{_digest(persona)}"


def _of_prompt(body: Mapping[str, Any]) -> str | None:
    """A mind for a character that nobody names: by its system prompt, which is its card."""
    messages = body.get("messages")
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, Mapping) and message.get("role") in ("system", "developer"):
            text = message.get("content")
            return f"prompt-{_digest(text)}" if isinstance(text, str) and text.strip() else None
    return None


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _header(headers: Mapping[str, str], name: str) -> str | None:
    """A header's value: as UTF-8, which clients send raw or percent-encoded."""
    value = headers.get(name)
    if value is None:
        return None
    with contextlib.suppress(UnicodeEncodeError, UnicodeDecodeError):
        value = value.encode("latin-1").decode("utf-8")
    return _clean(unquote(value))


def _speakers(headers: Mapping[str, str]) -> tuple[str, ...]:
    names = (_header({SPEAKERS: each}, SPEAKERS) for each in headers.get(SPEAKERS, "").split(",")[:_MOST_SPEAKERS])
    return tuple(name for name in names if name)


def _clean(value: object) -> str | None:
    """A name without what a name does not have; None if nothing is left."""
    if not isinstance(value, str) or _UNFILLED.search(value[:_READ]):
        return None
    kept = "".join(
        " " if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") else char for char in value[:_READ]
    )
    text = " ".join(kept.split())
    return (text if len(text) <= _LONGEST else f"{text[: _LONGEST - 9]} {_digest(value)}") or None


def _first(*values: str | None) -> str | None:
    return next((value for value in values if value is not None), None)
