"""`soulmem tui`: the memory on one screen of the terminal."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Literal

import typer

from soulmem.bridges.tui.wording import language_of
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, need_extra, opens_session


@opens_session
def tui(
    session: Session,
    language: Annotated[
        Literal["en", "zh"] | None, typer.Option("--language", help="Of the screen. [default: the terminal's]")
    ] = None,
) -> None:
    """Browse minds and notes on one screen: search, edit, pin, forget, restore, and see what happens."""
    need_extra("tui", "the terminal interface", "textual")
    session.call("system.ping")  # without a daemon there is nothing to show
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("this needs a terminal", hint="`soulmem notes` prints", code=ExitCode.WRONG_USAGE)
    from soulmem.bridges.tui.memory_app import MemoryApp  # noqa: PLC0415 - half a second, which a refusal need not wait for
    from soulmem.client import AsyncClient  # noqa: PLC0415 - only who needs it pays

    spoken = language or language_of(os.environ)
    MemoryApp(AsyncClient(session.socket), session.mind, spoken).run()
