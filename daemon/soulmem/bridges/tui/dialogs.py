"""The two questions of the terminal interface: other words for a note, and whether to forget it."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea


class RewordDialog(ModalScreen[str | None]):
    """Asks for another wording; None: it stays."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "save", priority=True), Binding("escape", "leave")]

    def __init__(self, text: str, advice: str) -> None:
        super().__init__()
        self._text, self._advice = text, advice

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield TextArea(self._text, id="wording")
            yield Static(Text(self._advice, style="dim"))

    def action_save(self) -> None:
        text = self.query_one(TextArea).text.strip()
        self.dismiss(text if text and text != self._text else None)

    def action_leave(self) -> None:
        self.dismiss(None)


class Question(ModalScreen[bool]):
    """Asks what is answered with y or n."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "answer(True)"), Binding("n,escape", "answer(False)"),
    ]  # fmt: skip

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(self._question))

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
