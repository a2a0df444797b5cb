"""The screen of the terminal interface: minds, their notes, one note in full, and what the daemon does meanwhile.

Called by `soulmem tui`. It shows what the daemon answers and keeps nothing; a call that fails is told in a line,
and the screen stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.timer import Timer
from textual.widgets import DataTable, Footer, Input, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from soulmem.bridges.tui.dialogs import Question, RewordDialog
from soulmem.bridges.tui.note_desk import MOST_NOTES, Item, NoteDesk, is_forgotten
from soulmem.bridges.tui.note_text import event_line, plain, request_item, row, told, wording
from soulmem.bridges.tui.wording import WORDS
from soulmem.client import AsyncClient, CallTimeout, DaemonUnavailable, SoulmemRemoteError

_SETTLING_S = 0.5  # events come in flocks: one reload for all of them
_RETRY_S = 2.0
_MOST_LINES = 1_000
_KEYS = (("slash", "find"), ("e", "edit"), ("p", "pin"), ("f", "forget"), ("r", "restore"), ("u", "undo"),
         ("t", "switch"), ("l", "log"), ("f5", "refresh"), ("escape", "leave"), ("q", "quit"))  # fmt: skip


class MemoryApp(App[None]):
    """Browses one daemon."""

    CSS = """
    #minds { width: 24; border: round $primary; }
    #middle { width: 3fr; }
    #notes { border: round $primary; }
    #note { width: 2fr; border: round $primary; padding: 0 1; }
    #events { height: 8; border: round $primary; }
    .dialog { width: 80%; height: auto; max-height: 60%; border: thick $primary; background: $surface; padding: 1; }
    #wording { height: 8; }
    ModalScreen { align: center middle; }
    """
    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False

    def __init__(self, client: AsyncClient, mind: str | None = None, language: str = "en") -> None:
        super().__init__()
        self._desk, self._words = NoteDesk(client), WORDS[language]
        self.mind = mind
        self.items: dict[str, Item] = {}
        self.shown: Item | None = None  # the note in full
        self._forgotten, self._query = False, ""
        self._reload: Timer | None = None

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield OptionList(id="minds", markup=False)
            with Vertical(id="middle"):
                yield Input(placeholder=self._words["search"], id="search")
                yield DataTable(id="notes", cursor_type="row")
            with VerticalScroll(id="note"):
                yield Static(id="told", markup=False)
        yield RichLog(id="events", max_lines=_MOST_LINES)
        yield Footer()

    async def on_mount(self) -> None:
        for key, action in _KEYS:
            self.bind(key, action, description=self._words[action])
        self.query_one("#minds").border_title = self._words["minds"]
        self.query_one("#events").border_title = self._words["events"]
        self.query_one(DataTable).add_columns("id", self._words["kind"], self._words["text"])
        self.run_worker(self._watch(), name="events")
        await self.action_refresh()
        self.query_one(DataTable).focus()

    async def action_refresh(self) -> None:
        """Read minds and notes anew."""
        minds = await self._asked(self._desk.minds())
        if minds is None:
            return
        names = [str(each["mind"]) for each in minds]
        if self.mind not in names:
            self.mind = names[0] if names else None
        listed = self.query_one("#minds", OptionList)
        with self.prevent(OptionList.OptionHighlighted):
            listed.clear_options()
            listed.add_options(
                Option(Text(plain(each.get("title") or each["mind"])), id=each["mind"]) for each in minds
            )
            if self.mind is not None:
                listed.highlighted = names.index(self.mind)
        if self.mind is None:
            self.notify(self._words["no_minds"], markup=False)
        await self._list()

    async def _list(self) -> None:
        """Fill the list with what is wanted of the mind, its cursor where it was."""
        if self.mind is None:
            items: list[Item] | None = []
        elif self._query:
            items = await self._asked(self._desk.search(self.mind, self._query))
        else:
            items = await self._asked(self._desk.notes(self.mind, forgotten=self._forgotten))
            if items is not None and self._forgotten:
                unmet = await self._asked(self._desk.unmet(self.mind), ())
                items = [request_item(each, self._words) for each in unmet] + items
        if items is None:
            return
        table = self.query_one("#notes", DataTable)
        kept = str(self.shown["id"]) if self.shown else None
        self.items = {str(item["id"]): item for item in items}
        table.clear()
        for name, item in self.items.items():
            table.add_row(*row(item), key=name)
        title = "found" if self._query else "forgotten_notes" if self._forgotten else "notes"
        table.border_title = f"{self._words[title]} · {len(items)}"
        over = len(items) >= MOST_NOTES
        table.border_subtitle = self._words["more"].format(count=MOST_NOTES) if over else ""
        if kept in self.items:
            table.move_cursor(row=list(self.items).index(kept))
        if items:
            await self._show(kept if kept in self.items else next(iter(self.items)))
        else:
            self.shown = None
            empty = "nothing_known" if self._query else "no_notes"
            self.query_one("#told", Static).update(Text(self._words[empty], style="dim"))

    async def _show(self, name: str) -> None:
        """Show one note in full; of what is no note, its words."""
        item = self.items[name]
        if item.get("kind") in ("message", "summary", self._words["request"]):
            self.shown = None
            self.query_one("#told", Static).update(Text(plain(wording(item), lines=True)))
            return
        if self.mind is not None and (found := await self._asked(self._desk.note(self.mind, name))):
            self.shown, history = found
            self.query_one("#told", Static).update(told(self.shown, history, self._words))

    async def on_data_table_row_highlighted(self, message: DataTable.RowHighlighted) -> None:
        name = message.row_key.value
        if name in self.items and (self.shown is None or self.shown["id"] != name):
            await self._show(name)

    async def on_option_list_option_highlighted(self, message: OptionList.OptionHighlighted) -> None:
        if message.option_id not in (None, self.mind):
            self.mind, self.shown, self._query = message.option_id, None, ""
            self.query_one(Input).value = ""
            await self._list()

    async def on_input_submitted(self, message: Input.Submitted) -> None:
        self._query, self.shown = message.value.strip(), None
        await self._list()
        self.query_one(DataTable).focus()

    def action_find(self) -> None:
        self.query_one(Input).focus()

    async def action_leave(self) -> None:
        """From the field of search to the list; from what was found to all notes."""
        table = self.query_one(DataTable)
        if self.query_one(Input).has_focus or not self._query:
            table.focus()
        else:
            self._query = self.query_one(Input).value = ""
            await self._list()

    async def action_switch(self) -> None:
        self._forgotten, self._query, self.shown = not self._forgotten, "", None
        self.query_one(Input).value = ""
        await self._list()

    def action_log(self) -> None:
        events = self.query_one("#events")
        events.display = not events.display

    def action_edit(self) -> None:
        if (note := self._chosen()) is not None:
            dialog = RewordDialog(str(note.get("text") or ""), self._words["save"])
            self.push_screen(dialog, lambda text: self._later(self._reword(note, text)) if text else None)

    async def _reword(self, note: Item, text: str) -> None:
        await self._change(self._desk.reword(str(self.mind), note, text), "reworded", note)

    async def action_pin(self) -> None:
        if (note := self._chosen()) is not None:
            said = "unpinned" if note.get("pinned") else "pinned"
            await self._change(self._desk.pin(str(self.mind), note), said, note)

    def action_forget(self) -> None:
        if (note := self._chosen()) is not None:
            question = Question(self._words["ask_forget"].format(note=note["id"]))
            self.push_screen(question, lambda yes: self._later(self._forget(note)) if yes else None)

    async def _forget(self, note: Item) -> None:
        await self._change(self._desk.forget(str(self.mind), note), "forgotten", note)

    async def action_restore(self) -> None:
        if (note := self._chosen()) is not None:
            said = "restored" if is_forgotten(note) or note.get("valid_to") else "nothing_to_restore"
            await self._change(self._desk.restore(str(self.mind), note), said, note)

    async def action_undo(self) -> None:
        if not self._desk.done:
            self._say("nothing_to_undo")
        elif change := await self._asked(self._desk.undo()):
            self._say("undone", change.note)
            await self._list()

    async def _change(self, call: Awaitable[Any], said: str, note: Item) -> None:
        """Carry a change out, say so, and read the list anew."""
        failed = object()
        if await self._asked(call, failed) is not failed:
            self._say(said, str(note["id"]))
            await self._list()

    def _later(self, work: Any) -> None:
        self.run_worker(work, group="changes")

    def _chosen(self) -> Item | None:
        if self.shown is None:
            self._say("no_note")
        return self.shown

    def _say(self, word: str, note: str = "") -> None:
        self.notify(self._words[word].format(note=note), markup=False, timeout=3)

    async def _asked(self, call: Awaitable[Any], otherwise: Any = None) -> Any:
        """What the daemon answers; where it refuses or is away, that is told and `otherwise` returned."""
        try:
            return await call
        except SoulmemRemoteError as error:
            said = error.message + (f" — {error.hint}" if error.hint else "")
        except (DaemonUnavailable, CallTimeout) as error:
            said = f"{self._words['away']}: {error}"
        self.notify(plain(said), severity="error", markup=False)
        return otherwise

    async def _watch(self) -> None:
        """Write down what happens, and read the list anew when it happens to the notes that are shown."""
        log = self.query_one("#events", RichLog)
        while True:
            try:
                async for event in self._desk.events():
                    log.write(event_line(event))
                    if event.get("mind") == self.mind and str(event.get("event", "")).startswith("note_"):
                        self._reload_soon()
            except (DaemonUnavailable, SoulmemRemoteError, CallTimeout, OSError) as error:
                log.write(Text(f"{self._words['away']}: {plain(error)}", style="yellow"))
                await asyncio.sleep(_RETRY_S)

    def _reload_soon(self) -> None:
        if self._reload is not None:
            self._reload.stop()
        self._reload = self.set_timer(_SETTLING_S, self._list)
