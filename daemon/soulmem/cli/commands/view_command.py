"""`soulmem view`: a page in the browser that shows what a mind remembers, why, and how it fades."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, need_extra, opens_session
from soulmem.cli.output.tables import out

if TYPE_CHECKING:
    from soulmem.bridges.viewer.page_serving import OpenedView


@opens_session
def view(
    session: Session,
    edit: Annotated[
        bool, typer.Option("--edit", help="The page may also change, pin, forget and restore notes.")
    ] = False,
    opens: Annotated[
        bool, typer.Option("--open/--no-open", help="Start the browser, or only print the link that opens the page.")
    ] = True,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port. [default: a free one]")] = 0,
    lang: Annotated[
        Literal["en", "zh"] | None, typer.Option("--lang", help="What the page speaks. [default: as the browser]")
    ] = None,
) -> None:
    """Look into a mind in the browser: what it remembers, why, and how it fades."""
    need_extra("viewer", "the viewer", "starlette", "uvicorn")
    with session.connect() as client:  # a page of a mind that is not there would show nothing
        client.call("mind.get", {"mind": session.mind}, retry=True)

    import anyio  # noqa: PLC0415 - a second, which a refusal need not wait for

    from soulmem.bridges.viewer.page_serving import ViewSetting, serve_page  # noqa: PLC0415 - only who needs it pays

    setting = ViewSetting(session.mind, port, edit, opens, lang)
    try:
        anyio.run(serve_page, setting, session.socket, lambda opened: _tell(session, opened))
    except OSError as error:
        raise CommandError(
            f"it cannot listen on port {port}: {error.strerror or error}",
            hint="choose another one, or none",
            code=ExitCode.CONFIGURATION,
        ) from error


def _tell(session: Session, opened: OpenedView) -> None:
    """Say where the page is; the link itself, which holds a token, only where nothing else leads to it."""
    if session.gave_json({"address": opened.address, "link": opened.link, "opened": opened.in_browser}):
        pass
    elif opened.in_browser:
        out(f"{session.mind} is open in your browser, at {opened.address}; Ctrl-C ends it (--no-open prints the link)")
    else:
        out(f"open this link, and give it to nobody: {opened.link}")
        out("Ctrl-C ends it")
    sys.stdout.flush()
