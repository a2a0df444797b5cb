"""Messages in calls that the daemon takes: no more, and no larger, than one of them may hold.

Invariant: what is under way at once is two calls of messages, however many there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from soulmem.interchange.importing.import_tally import Tally
from soulmem.interchange.records import Said

if TYPE_CHECKING:
    from soulmem.client.results import ImportResult

_BATCH_MESSAGES = 500
_BATCH_BYTES = 512 * 1024  # of a request, which may have 1 MiB
_MESSAGE_BYTES = 400 * 1024  # 256 KiB of text, with names and escapes
_CALL_S = 600.0


class Importing(Protocol):
    """What of the client is needed here."""

    def import_messages(
        self,
        mind: str,
        messages: list[dict[str, Any]],
        *,
        recall: bool | None,
        continues: bool | None,
        age: str | None,
        timeout: float,
    ) -> ImportResult: ...


class MessageBatches:
    """Takes messages one by one and hands them on many at a time."""

    def __init__(
        self, client: Importing, mind: str, tally: Tally, *, recall: bool, ages: bool, told: Callable[[], None]
    ) -> None:
        self._client, self._mind, self._tally, self._told = client, mind, tally, told
        self._recall, self._age = recall or None, "as_then" if ages else None
        self._batch: list[Said] = []
        self._full: list[Said] = []  # waits until it is known what follows
        self._size = 0
        self.contiguous = False  # a conversation stands together: once another begins it is over

    def add(self, said: Said) -> None:
        try:
            size = len(json.dumps(said.message, ensure_ascii=False).encode())
        except UnicodeEncodeError:
            self._tally.refuse(said.place, "invalid_text", "it holds a lone surrogate, which is no character")
            return
        if size > _MESSAGE_BYTES:
            self._tally.refuse(said.place, "too_large", f"the message has more than {_MESSAGE_BYTES >> 10} KiB")
            return
        if self._batch and (len(self._batch) >= _BATCH_MESSAGES or self._size + size > _BATCH_BYTES):
            self._turn()
        self._batch.append(said)
        self._size += size

    def end(self) -> None:
        """Send what is left: nothing follows."""
        self._turn()
        self._turn()

    def _turn(self) -> None:
        full, self._full, self._batch, self._size = self._full, self._batch, [], 0
        if not full:
            return
        result = self._client.import_messages(
            self._mind, [each.message for each in full], recall=self._recall,
            continues=self._is_continued(full) or None, age=self._age, timeout=_CALL_S,
        )  # fmt: skip
        self._tally.heard(result, [each.place for each in full])
        self._told()

    def _is_continued(self, full: list[Said]) -> bool:
        """Whether more follows of what is sent now."""
        if not self.contiguous:
            return bool(self._full)
        following = {each.message.get("conversation") for each in self._full}
        return any(each.message.get("conversation") in following for each in full)
