"""Character cards of all three standards: JSON, within a picture (PNG), or packed with it (CHARX).

Description and personality become the persona of the mind, the entries of the book lore. What greets or gives examples
was never said, and the scene belongs to one talk: neither is a memory.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Any

from soulmem.interchange.formats import world_book
from soulmem.interchange.reading import json_pieces, png_texts
from soulmem.interchange.reading.byte_sources import ByteSource, UnreadableError
from soulmem.interchange.records import LeftOut, Persona, Record, Wishes, label, within

_CHUNKS = ("ccv3", "chara")  # of the third standard first
_NEWEST = 3.0
_SPECS = ("chara_card_v2", "chara_card_v3")
_NO_MEMORIES = {
    "scenario": "the scene of a card: it belongs to one talk",
    "first_mes": "greetings of a card: nobody said them yet",
    "mes_example": "example talk of a card: nobody said it",
    "system_prompt": "instructions of a card for a prompt",
    "post_history_instructions": "instructions of a card for a prompt",
}


def recognises(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    return found.get("spec") in _SPECS or {"name", "description", "first_mes"} <= found.keys()


def is_picture(head: bytes) -> bool:
    return head.startswith(png_texts.SIGNATURE)


def read(source: ByteSource, wishes: Wishes) -> Iterator[Record]:
    found = _in_picture(source) if is_picture(source.head()) else json_pieces.whole(source)
    if not recognises(found):
        message = "there is no character card in it"
        raise UnreadableError(message)
    card = found["data"] if found.get("spec") in _SPECS and isinstance(found.get("data"), dict) else found
    if _version(found) > _NEWEST:
        yield LeftOut("the card", "what a standard after 3.0 may have added")
    name = label(card.get("nickname")) or label(card.get("name")) or ""
    parts = [card.get(each) for each in ("description", "personality")]
    text = "\n\n".join(each.strip() for each in parts if isinstance(each, str) and each.strip())
    if text:
        yield Persona("the card", name, world_book.filled(text, name or None, wishes.me))
    for field, why in _NO_MEMORIES.items():
        if isinstance(card.get(field), str) and card[field].strip():
            yield LeftOut("the card", why)
    if isinstance(book := card.get("character_book"), dict):
        title = label(book.get("name")) or name or "card"
        yield from within("the book", world_book.entries_of(book, title, name or None, wishes))


def _in_picture(source: ByteSource) -> Any:
    texts = png_texts.texts(source)
    packed = next((texts[name] for name in _CHUNKS if name in texts), None)
    if packed is None:
        message = "the picture carries no character card"
        raise UnreadableError(message)
    try:
        return json_pieces.parsed(base64.b64decode(packed, validate=True))
    except (binascii.Error, ValueError) as error:
        message = "the card in the picture cannot be read: it is no JSON in base64"
        raise UnreadableError(message) from error


def _version(found: dict[str, Any]) -> float:
    try:
        return float(str(found.get("spec_version", 1)))
    except ValueError:
        return 0.0
