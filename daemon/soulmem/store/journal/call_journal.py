"""The `Journal` of one mind: its ledger, as the engine that calls the model sees it.

Made by whoever hosts the mind, over its open file. Invariants: a call is on the disk before it is sent, and neither
its beginning nor its end is lost because the caller was called off in between: a call that nobody closed would be
taken for one that was in flight at a crash.
"""

from __future__ import annotations

import anyio

from soulmem.ports import CallEnd, CallEntry, Clock, PastCalls
from soulmem.store.journal import call_ledger
from soulmem.store.sqlite.database import Database


class MindJournal:
    """Enters calls into a mind's file."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def past(self, key: str, prompt_hash: str) -> PastCalls:
        """Raises: SoulmemError: the storage errors."""
        return await self._database.read(call_ledger.past, key, prompt_hash)

    async def begin(self, entry: CallEntry) -> int:
        """Enter a call durably; its number. A caller that is called off meanwhile still gets the number first.

        Raises SoulmemError: the storage errors; then nothing was entered, and nothing should be sent.
        """
        with anyio.CancelScope(shield=True):
            number = await self._database.write("call.begin", lambda connection: call_ledger.begin(connection, entry))
        return number  # noqa: RET504 - inside the scope, mypy takes it for one that may be skipped

    async def end(self, number: int, end: CallEnd) -> None:
        """Close a call, whether or not the caller was called off; one that is closed already stays as it is.

        Raises SoulmemError: the storage errors; the call is entered as lost when the file is opened again.
        """
        now = self._clock.now_ms()
        with anyio.CancelScope(shield=True):
            await self._database.write("call.end", lambda connection: call_ledger.end(connection, number, end, now))
