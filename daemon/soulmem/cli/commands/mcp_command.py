"""`soulmem mcp`: a mind's memory for MCP clients, over stdio or HTTP."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from soulmem.bridges.mcp.http_address import HttpAddress
from soulmem.bridges.mcp.mind_door import DoorSetting, MindDoor
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, need_extra, opens_session
from soulmem.cli.output.server_options import checked_mind, listening_address, read_token, told_where
from soulmem.cli.output.tables import err

if TYPE_CHECKING:
    from soulmem.bridges.mcp.mcp_server import MindServer

TOKEN = "SOULMEM_MCP_TOKEN"  # noqa: S105 - the name of a variable


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
        Literal["own", "reference", "both"],
        typer.Option("--tools", help="Our ten tools, the nine of the reference memory server, or both."),
    ] = "own",
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
    setting = DoorSetting(checked_mind(session.mind), conversation, speaker, read_only)
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


def _server(session: Session, setting: DoorSetting, tools: str) -> MindServer:
    from soulmem.bridges.mcp.mcp_server import MindServer  # noqa: PLC0415 - a second, which a refusal need not wait for
    from soulmem.client import AsyncClient  # noqa: PLC0415 - only who needs it pays

    return MindServer(MindDoor(AsyncClient(session.socket), setting), tools)


def _serve_stdio(session: Session, setting: DoorSetting, tools: str) -> None:
    import anyio  # noqa: PLC0415 - only who needs it pays

    from soulmem.bridges.mcp.stdio_transport import serve_stdio  # noqa: PLC0415 - only who needs it pays

    if sys.stdin.isatty():
        err("soulmem: this speaks MCP on stdin and stdout; a client starts it (docs/mcp.md). Ctrl-C ends it")
    anyio.run(serve_stdio, _server(session, setting, tools))


def _serve_http(session: Session, setting: DoorSetting, tools: str, address: HttpAddress, token: str | None) -> None:
    import anyio  # noqa: PLC0415 - only who needs it pays

    from soulmem.bridges.mcp.http_transport import serve_http  # noqa: PLC0415 - only who needs it pays

    with told_where(address):
        anyio.run(serve_http, _server(session, setting, tools), address, token)
