"""`soulmem mcp`: a mind's memory for MCP clients, over stdio or HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soulmem.bridges.mcp.http_address import HttpAddress, read_address
from soulmem.bridges.mcp.mind_door import DoorSetting, MindDoor, names_a_mind
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session
from soulmem.cli.output.missing_extra import need_extra
from soulmem.cli.output.tables import err

if TYPE_CHECKING:
    from soulmem.bridges.mcp.mcp_server import MindServer

TOKEN = "SOULMEM_MCP_TOKEN"  # noqa: S105 - the name of a variable
_SHORTEST_TOKEN = 16


class ToolSet(StrEnum):
    """Which tools are offered."""

    OWN = "own"
    REFERENCE = "reference"
    BOTH = "both"


@opens_session
def mcp(
    session: Session,
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="HOST:PORT", help="Serve HTTP at /mcp there. [default: stdin and stdout]"),
    ] = None,
    conversation: Annotated[
        str | None,
        typer.Option(
            "--conversation",
            metavar="NAME",
            help="Where messages are heard, and in front of whom it is asked. [default: main, as the owner]",
        ),
    ] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", metavar="NAME", help="Who says what names no speaker.")
    ] = None,
    tools: Annotated[
        ToolSet, typer.Option("--tools", help="Our ten tools, the nine of the reference memory server, or both.")
    ] = ToolSet.OWN,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer only what changes nothing.")] = False,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help=f"With --http: the token is in it. [default: {TOKEN}]"),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option("--host-name", metavar="NAME", help="With --http: a name by which clients call this machine."),
    ] = None,
) -> None:
    """Serve a mind's memory to MCP clients."""
    need_extra("mcp", "MCP", "mcp", "mcp_types")
    setting = DoorSetting(session.mind, conversation, speaker, read_only)
    if not names_a_mind(setting.mind):
        raise CommandError(
            f"{setting.mind[:80]!r} cannot be the name of a mind",
            hint="use 1 to 64 of a-z, 0-9, - and _",
            code=ExitCode.REFUSED_INPUT,
        )
    if http is None and (token_file is not None or host_name):
        raise CommandError(
            "--token-file and --host-name are for --http", hint="leave them out", code=ExitCode.WRONG_USAGE
        )
    if http is None:
        _serve_stdio(session, setting, tools)
        return
    token = read_token(token_file, TOKEN)
    address = listening_address(http, host_name or (), option="--http", token=TOKEN, has_token=token is not None)
    _serve_http(session, setting, tools, address, token)


def _server(session: Session, setting: DoorSetting, tools: ToolSet) -> MindServer:
    from soulmem.bridges.mcp.mcp_server import MindServer  # noqa: PLC0415 - a second, which a refusal need not wait for
    from soulmem.client import AsyncClient  # noqa: PLC0415 - ditto

    return MindServer(MindDoor(AsyncClient(session.socket), setting), tools.value)


def _serve_stdio(session: Session, setting: DoorSetting, tools: ToolSet) -> None:
    import anyio  # noqa: PLC0415 - ditto

    from soulmem.bridges.mcp.stdio_transport import serve_stdio  # noqa: PLC0415 - ditto

    if sys.stdin.isatty():
        err("soulmem: this speaks MCP on stdin and stdout; a client starts it (docs/mcp.md). Ctrl-C ends it")
    anyio.run(serve_stdio, _server(session, setting, tools))


def _serve_http(
    session: Session, setting: DoorSetting, tools: ToolSet, address: HttpAddress, token: str | None
) -> None:
    import anyio  # noqa: PLC0415 - ditto

    from soulmem.bridges.mcp.http_transport import serve_http  # noqa: PLC0415 - ditto

    try:
        anyio.run(serve_http, _server(session, setting, tools), address, token)
    except OSError as error:
        raise CommandError(
            f"it cannot listen on {address.host}:{address.port}: {error.strerror or error}",
            hint="choose another port",
            code=ExitCode.CONFIGURATION,
        ) from error


def listening_address(text: str, names: Sequence[str], *, option: str, token: str, has_token: bool) -> HttpAddress:
    """Where to listen. `option`: the one that says it; `token`: the variable that a token may stand in.

    Raises CommandError: it is no address, or others could read the memory there.
    """
    place = read_address(text)
    if place is None:
        raise CommandError(
            f"{text[:80]!r} is no address", hint=f"write {option} 127.0.0.1:8765", code=ExitCode.WRONG_USAGE
        )
    address = HttpAddress(*place, tuple(names))
    if not (address.is_loopback or has_token):
        raise CommandError(
            f"on {address.host} others could read this memory: it needs a token",
            hint=f"set {token} or --token-file, or listen on 127.0.0.1",
            code=ExitCode.CONFIGURATION,
        )
    if address.is_any and not names:
        raise CommandError(
            f"on {address.host} it must know by what name it is called",
            hint="--host-name memory.home.lan",
            code=ExitCode.CONFIGURATION,
        )
    return address


def read_token(path: Path | None, variable: str) -> str | None:
    """The token, from the file or from the variable; None if there is none.

    Raises CommandError: the file cannot be read, or what is there can be guessed.
    """
    try:
        token = os.environ.get(variable) if path is None else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise CommandError(
            f"the token cannot be read from {path}: {why}", hint="give a file with one line",
            code=ExitCode.CONFIGURATION,
        ) from error  # fmt: skip
    token = None if token is None else token.strip()
    if token is not None and (len(token) < _SHORTEST_TOKEN or not token.isprintable() or not token.isascii()):
        raise CommandError(
            f"the token must have at least {_SHORTEST_TOKEN} plain characters", hint="openssl rand -hex 32 makes one",
            code=ExitCode.CONFIGURATION,
        )  # fmt: skip
    return token
