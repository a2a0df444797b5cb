"""One mind: its machine, its two halves, its memory.

Made and run by `minds`; the methods of the protocol talk to it. Working and idle stand side by side here: `request` is
called by everything that counts as talk and calls digestion off; silence or `sleep` sends the mind to idle, where it
digests. Its workers run in one task group and end with it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.abc

from soulmem.core import instants
from soulmem.core.index import Hit
from soulmem.core.window import JobReason
from soulmem.idle import digest
from soulmem.idle.digest import Digesting, Needs, Report
from soulmem.lifecycle import MindLifecycle, MindState, MindTrigger
from soulmem.ops.config import Config, MindSettings
from soulmem.ports import World
from soulmem.store import identity, jobs, links, notes, standing, tombstones, views, windows
from soulmem.store import messages as message_rows
from soulmem.store.driver import Connection
from soulmem.store.identity import Counts
from soulmem.store.open_mind import OpenMind
from soulmem.store.rows import public_id, row_hash
from soulmem.working import context as contexts
from soulmem.working.absorb import Absorbing
from soulmem.working.amend import Amending
from soulmem.working.listen import Heard, Incoming, Listening
from soulmem.working.notebook import Notebook
from soulmem.working.pace import Pace
from soulmem.working.recall import Recalling, Wanted, explain
from soulmem.working.summarise import Summarising


class Mind:
    """An open mind. `users` counts the calls under way, so that nobody closes it beneath them."""

    def __init__(self, memory: OpenMind, world: World, config: Config, pace: Pace) -> None:
        self.memory = memory
        self.world = world
        self._config = config
        self._pace = pace
        self.users = 0
        self.released = anyio.Event()  # set anew whenever the last user is gone
        self.machine = MindLifecycle()
        self.settings = config.for_mind(memory.who.profile, memory.who.settings)
        self.apply_settings()
        current = self.current_settings
        self.listening = Listening(memory, world, current, self._wake)
        self.amending = Amending(memory, world, current, self._wake)
        self.notebook = Notebook(memory, world, current)
        self.recalling = Recalling(memory, world, current, pace)
        self.absorbing = Absorbing(memory, world, current, pace)
        self.summarising = Summarising(memory, world, current, pace, self.absorbing.wake)
        self.recalling.embedding_works = lambda: self.absorbing.works
        needs = Needs(self.summarising.rolled, self.recalling.settled, self._wake)
        self.digesting = Digesting(memory, world, current, needs)
        self._idle_work = anyio.Event()
        self._idle_steps: frozenset[str] | None = None
        self._rounds_wanted = 0
        self._rounds_done = 0
        self._round_over = anyio.Event()
        self._last_report = Report()
        self._scope: anyio.CancelScope | None = None
        self.closed = anyio.Event()

    @property
    def name(self) -> str:
        return self.memory.name

    @property
    def state(self) -> MindState:
        return self.machine.state

    def current_settings(self) -> MindSettings:
        return self.settings

    def apply_settings(self) -> None:
        """Take over changed settings: the dormancy of experienced time changes from now on, without a jump."""
        self.settings = self._config.for_mind(self.memory.who.profile, self.memory.who.settings)
        rules = self.settings.forgetting
        slow = rules.clock.value == "experienced"
        self.memory.time = self.memory.time.with_dormancy(
            self.memory.time.wall_anchor_ms,
            after_ms=round(rules.dormancy_after_days * 86_400_000) if slow else 0,
            rate_ppm=round(rules.dormancy_rate * 1_000_000) if slow else 1_000_000,
        )

    # -- life ----------------------------------------------------------------------------------------------

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Run the workers until `stop`; the file is closed when this returns."""
        if await self.memory.database.read(_open_talk):
            self.machine.fire(MindTrigger.REQUEST)
        elif await self.memory.database.read(windows.frozen):
            self._begin_round(None)
        try:
            async with anyio.create_task_group() as group:
                self._scope = group.cancel_scope
                for worker in (self.summarising, self.absorbing, self.recalling):
                    group.start_soon(worker.run)
                group.start_soon(self._idle_life)
                group.start_soon(self._load_index)
                task_status.started()
        finally:
            with anyio.CancelScope(shield=True):
                await self.memory.close()
            self.closed.set()

    async def stop(self) -> None:
        """End the workers, finish what the writer has, close the file."""
        if self._scope is not None:
            self._scope.cancel()
        await self.closed.wait()

    async def become(self, who: identity.Identity) -> None:
        """Take over a changed identity; where that changes what can be recalled, load it anew."""
        before = self.settings.recall.digested_messages
        self.memory.who = who
        self.apply_settings()
        if self.settings.recall.digested_messages != before:
            self.memory.index = None
            await self._load_index()

    async def _load_index(self) -> None:
        await self.memory.load_index(
            hide_digested=not self.settings.recall.digested_messages,
            most_rows=self._config.memory.max_rows_in_ram,
        )

    async def request(self) -> None:
        """Somebody talks: the mind works, digestion is called off."""
        self._pace.touch()
        clock = self.world.clock
        await self.memory.touch(clock.now_ms(), clock.trusted_now_ms())
        self.digesting.call_off()
        self._fire(MindTrigger.REQUEST)

    async def flush(self, reason: JobReason) -> None:
        """Assign everything fresh in every conversation to a summary job, as if all windows had slid out."""
        now = self.world.clock.now_ms()

        def run(connection: Connection) -> list[tuple[str, int]]:
            return [
                (epoch.conversation_name, windows.flush(connection, epoch.conversation, reason, now))
                for epoch in windows.open_with_messages(connection)
            ]

        for conversation, count in await self.memory.database.write("flush", run):
            if count:
                self.world.emit(
                    "window_flushed", mind=self.name, conversation=conversation, reason=reason.value, count=count
                )

    def quiet_at(self) -> int | None:
        """When the silence will have lasted long enough, wall time; None while idle."""
        if self.state is MindState.IDLE or self.memory.last_activity_at is None:
            return None
        return self.memory.last_activity_at + round(self.settings.idle.after_s * 1000)

    def check_quiet(self) -> bool:
        """Go idle if it has been quiet long enough; True if it has."""
        due = self.quiet_at()
        if due is None or self.world.clock.now_ms() < due:
            return False
        self._fire(MindTrigger.QUIET)
        self._begin_round(None)
        return True

    async def sleep(self, steps: frozenset[str] | None, *, wait: bool) -> dict[str, Any]:
        """Send the mind to idle now and digest; with `wait`, until that is done or called off."""
        self._fire(MindTrigger.SLEEP)
        number = self._begin_round(steps)
        if not wait:
            return {"state": self.state.value, "jobs": [], "preempted": False}
        report = await self.digested(number)
        return {"state": self.state.value, "jobs": report.jobs, "preempted": report.preempted}

    async def digested(self, number: int | None = None) -> Report:
        """Wait for the rounds of digestion that were begun."""
        wanted = self._rounds_wanted if number is None else number
        while self._rounds_done < wanted:
            await self._round_over.wait()
        return self._last_report

    async def sweep_due(self) -> int | None:
        """When the next link or note falls due, wall time, if nobody talks till then."""
        if not self.settings.forgetting.deletes:
            return None
        due, purge = await self.memory.database.read(_next_due)
        walls = [purge] if purge is not None else []
        if due is not None:
            at = self.memory.time.wall_at(due)
            walls += [at] if at is not None else []
        return min(walls) if walls else None

    def sweep(self) -> bool:
        """Let an idle mind forget what fell due; False while it works."""
        if self.state is not MindState.IDLE:
            return False
        self._begin_round(frozenset({"sweep"}))
        return True

    @property
    def is_resting(self) -> bool:
        """Whether no round of digestion is under way or asked for."""
        return self._rounds_done >= self._rounds_wanted

    async def settled(self) -> None:
        """Wait until no background work is left: recalls, vectors, summaries."""
        while True:
            counts = await self.counts()
            if not counts.embed_backlog and not await self.memory.database.read(digest.pending_recalls):
                return
            if counts.embed_backlog and not self.absorbing.works:
                return
            await anyio.sleep(0.01)

    async def counts(self) -> Counts:
        return await self.memory.database.read(identity.counts)

    def _fire(self, trigger: MindTrigger) -> None:
        before = self.machine.state
        after = self.machine.fire(trigger)
        if after is not before:
            self.world.emit(
                "state_changed",
                machine="mind",
                mind=self.name,
                before=before.value,
                after=after.value,
                trigger=trigger.value,
            )

    def _begin_round(self, steps: frozenset[str] | None) -> int:
        if self._rounds_wanted > self._rounds_done and steps is not None and self._idle_steps is not None:
            self._idle_steps |= steps
        else:
            self._idle_steps = steps
        self._rounds_wanted += 1
        self._idle_work.set()
        return self._rounds_wanted

    async def _idle_life(self) -> None:
        while True:
            await self._idle_work.wait()
            self._idle_work = anyio.Event()
            wanted = self._rounds_wanted
            self._last_report = await self.digesting.digest(self._idle_steps)
            self._rounds_done = wanted
            over, self._round_over = self._round_over, anyio.Event()
            over.set()

    def _wake(self, kind: str) -> None:
        match kind:
            case "summary":
                self.summarising.wake()
            case "embed":
                self.absorbing.wake()
            case "recall":
                self.recalling.wake()
            case _:
                raise ValueError(kind)

    # -- talk -----------------------------------------------------------------------------------------------

    async def hear(self, incoming: Incoming, *, wait_for_recall: bool) -> dict[str, Any]:
        """Store a message; with `wait_for_recall`, answer with what it brought to mind."""
        await self.request()
        waits = wait_for_recall and incoming.role == "user"
        heard = await self.listening.hear(incoming, reserve=self.recalling.reserve if waits else None)
        result = {
            "id": heard.id,
            "seq": heard.seq,
            "duplicate": heard.duplicate,
            "state": self.state.value,
            "window": {
                "size": heard.window.size if heard.window else 0,
                "capacity": heard.window.capacity if heard.window else self.settings.window.capacity,
            },
            "jobs": [public_id("js", job) for job in heard.jobs],
        }
        if heard.evicted:
            self.world.emit(
                "window_slid",
                mind=self.name,
                conversation=incoming.conversation,
                message_seq=heard.seq,
                assigned=bool(heard.jobs),
            )
        if heard.recall is not None:
            result["recall_id"] = public_id("r", heard.recall)
        if waits and heard.recall is not None:
            result["context"] = await self._context_of(heard, incoming)
        return result

    async def _context_of(self, heard: Heard, incoming: Incoming) -> dict[str, Any]:
        material = await self.memory.database.read(contexts.gather, incoming.conversation, self.memory.who.persona)
        wanted = Wanted(
            incoming.content,
            self.settings.recall.k,
            conversation=incoming.conversation,
            exclude=contexts.in_window(material),
            before=(heard.conversation, heard.seq),
        )
        assert heard.recall is not None
        hits = (
            await self.recalling.replay(heard.recall)
            if heard.duplicate
            else await self.recalling.serve(heard.recall, wanted)
        )
        shown = await self.memory.database.read(views.lines, hits)
        body = contexts.assemble(material, contexts.recalled_lines(hits, shown), contexts.DEFAULT_TOKENS)
        return {"recall_id": public_id("r", heard.recall), **body}

    async def amend(self, conversation: str, client_id: str, content: str | None, *, key: str | None) -> dict[str, Any]:
        method = "message.delete" if content is None else "message.update"
        digest_of_call = row_hash(conversation, client_id, content or "")
        return await self.amending.amend(method, conversation, client_id, content, key=key, request_hash=digest_of_call)

    async def recall(
        self,
        query: str,
        *,
        k: int,
        depth: str,
        conversation: str | None,
        kinds: frozenset[str] | None,
        speaker: str | None,
        from_ms: int | None,
        to_ms: int | None,
        tags: frozenset[str],
        exclude: Sequence[str],
        record: bool,
        explained: bool,
    ) -> dict[str, Any]:
        """Recall for a client; recorded unless it says otherwise."""
        await self.request()
        left_out, warnings = await self.memory.database.read(views.excluded, exclude, conversation)
        wanted = Wanted(query, k, depth, conversation, kinds, speaker, from_ms, to_ms, tags, exclude=left_out)
        hits = await self.recalling.search(wanted)
        shown = await self.memory.database.read(views.items, hits)
        number = await self.recalling.record(wanted, hits) if record else None
        items = [
            {**shown[hit.kind.value, hit.key], "score": hit.score, "tier": "vector"}
            | ({"why": explain(hit)} if explained else {})
            for hit in hits
            if (hit.kind.value, hit.key) in shown
        ]
        result: dict[str, Any] = {"recall_id": public_id("r", number) if number is not None else None, "items": items}
        if not items:
            result["reason"] = "nothing in this mind shares words or meaning with the query"
        if warnings:
            result["warnings"] = warnings
        return result

    async def context(
        self, conversation: str | None, *, query: str | None, max_tokens: int, exclude: Sequence[str]
    ) -> dict[str, Any]:
        """What a prompt should hold, within a budget; with a query, also what it brings to mind."""
        await self.request()
        material = await self.memory.database.read(contexts.gather, conversation, self.memory.who.persona)
        if conversation is not None and not material.window and query is None:
            await self.memory.database.read(message_rows.conversation_named, conversation)
        hits: list[Hit] = []
        number = None
        if query is not None:
            left_out, _ = await self.memory.database.read(views.excluded, exclude, conversation)
            wanted = Wanted(
                query,
                self.settings.recall.k,
                conversation=conversation,
                exclude=left_out | contexts.in_window(material),
            )
            hits = await self.recalling.search(wanted)
            number = await self.recalling.record(wanted, hits)
        shown = await self.memory.database.read(views.lines, hits)
        body = contexts.assemble(material, contexts.recalled_lines(hits, shown), max_tokens)
        return {"recall_id": public_id("r", number) if number is not None else None, **body}

    # -- the notebook -----------------------------------------------------------------------------------------

    async def keep(
        self,
        method: str,
        run: Callable[[Connection], dict[str, Any]],
        *,
        key: str | None = None,
        request: Any = None,
        after: Callable[[dict[str, Any]], None] | None = None,
    ) -> dict[str, Any]:
        """Run one write of a client under its idempotency key; `after` only when it really ran."""
        now = self.world.clock.now_ms()
        request_hash = row_hash(repr(request))

        def done(result: dict[str, Any]) -> None:
            if after is not None and not result.get("duplicate"):
                after(result)

        return await self.memory.database.write(
            method, lambda connection: jobs.once(connection, key, method, request_hash, now, run), after=done
        )

    def note_changed(self, note: notes.Note) -> None:
        """After a commit: the index follows, and a new text gets its vector."""
        self.notebook.follow(note)
        self.absorbing.wake()

    def view_link(self, link: links.Link) -> dict[str, Any]:
        now_exp = self.memory.now(self.world.clock.trusted_now_ms())
        lasts = self.settings.forgetting.deletes
        dies = self.memory.time.wall_at(link.due_delete) if lasts and not link.forgotten else None
        return links.view(
            link,
            strength=link.trace.strength(now_exp),
            dies_at=instants.to_iso(dies) if dies is not None else None,
            iso=instants.to_iso,
        )

    def view_time(self) -> views.Moment:
        """What the views of notes need to show opacities and when they will be gone."""
        return views.Moment(
            self.memory.now(self.world.clock.trusted_now_ms()), self.memory.time, self.settings.forgetting.blurs
        )


def _open_talk(connection: Connection) -> bool:
    return bool(windows.open_with_messages(connection))


def _next_due(connection: Connection) -> tuple[int | None, int | None]:
    dues = [due for due in (links.next_due(connection), standing.next_check(connection)) if due is not None]
    return (min(dues) if dues else None), tombstones.next_purge_at(connection)


@asynccontextmanager
async def used(mind: Mind) -> AsyncIterator[Mind]:
    """Keep a mind open while it is used."""
    mind.users += 1
    try:
        yield mind
    finally:
        mind.users -= 1
        if not mind.users:
            released, mind.released = mind.released, anyio.Event()
            released.set()
