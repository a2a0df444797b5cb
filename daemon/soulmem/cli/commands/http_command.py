"""`soulmem http`: all methods, the events and Mem0's REST paths over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from soulmem.bridges.mcp.http_address import HttpAddress
from soulmem.cli.output.command_session import DEFAULT_MIND, CommandError, ExitCode, Session, need_extra, opens_session
from soulmem.cli.output.server_options import (
    HostNameOption,
    UdsOption,
    checked_mind,
    listening_address,
    read_token,
    told_where,
)
from soulmem.ops.settings.default_paths import user_config

TOKEN = "SOULMEM_HTTP_TOKEN"  # noqa: S105 - the name of a variable
_PORT = 8767
_MEM0_MIND = "mem0"


@opens_session
def http(
    session: Session,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65_535, help=f"Listen on this port of 127.0.0.1. [default: {_PORT}]"),
    ] = None,
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="HOST:PORT", help="Listen on this address instead.")
    ] = None,
    uds: UdsOption = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            help=f"What clients must bring; made where there is none. [{TOKEN}; default: beside the settings]",
        ),
    ] = None,
    host_name: HostNameOption = None,
    behind_tls: Annotated[
        bool,
        typer.Option(
            "--behind-tls", help="On another address than loopback: something that speaks TLS stands before it."
        ),
    ] = False,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", metavar="ORIGIN", help="A web page that may call it: https://page.example."),
    ] = None,
) -> None:
    """Serve JSON-RPC, events and Mem0's REST paths over HTTP."""
    need_extra("http", "HTTP", "starlette", "uvicorn")
    if sum(given is not None for given in (port, listen, uds)) > 1 or (uds is not None and host_name):
        raise CommandError(
            "--port, --listen and --uds exclude each other, and a Unix socket has no name",
            hint="give one of them", code=ExitCode.WRONG_USAGE,
        )  # fmt: skip
    mind = checked_mind(_MEM0_MIND if session.mind == DEFAULT_MIND else session.mind)
    place = uds if uds is not None else _address(listen or str(_PORT if port is None else port), host_name, behind_tls)
    origins = tuple(map(_checked_origin, allow_origin or ()))
    token, token_path = _token(token_file, is_needed=uds is None)

    import anyio  # noqa: PLC0415 - a second, which a refusal need not wait for

    from soulmem.bridges.http.http_door import HttpDoor  # noqa: PLC0415 - only who needs it pays
    from soulmem.bridges.http.http_serving import serve_door  # noqa: PLC0415 - only who needs it pays
    from soulmem.bridges.http.request_guard import GuardSetting  # noqa: PLC0415 - only who needs it pays

    guard = GuardSetting(token, tuple(map(str.lower, place.hosts)) if isinstance(place, HttpAddress) else None, origins)
    door = HttpDoor(guard, session.socket, mind=mind)
    with told_where(place):
        anyio.run(serve_door, door, place, token_path)


def _address(text: str, names: list[str] | None, behind_tls: bool) -> HttpAddress:
    """Raises CommandError: it is no address, or what is said there could be read on its way."""
    address = listening_address(text, names or (), option="--listen", token=TOKEN, has_token=True)
    if not (address.is_loopback or behind_tls):
        raise CommandError(
            f"on {address.host} memories and the token could be read on their way: it has no TLS of its own",
            hint="listen on 127.0.0.1 behind a proxy with TLS, or say --behind-tls if that stands before this address",
            code=ExitCode.CONFIGURATION,
        )
    return address


def _checked_origin(text: str) -> str:
    """Raises CommandError: it is no origin, as a browser writes one."""
    scheme, _, host = text.partition("://")
    if scheme not in ("http", "https") or not host or set(host) & set("/?#@* ,") or not text.isascii():
        raise CommandError(
            f"{text[:80]!r} is no origin", hint="write --allow-origin https://page.example", code=ExitCode.WRONG_USAGE
        )
    return text.lower()


def _token(path: Path | None, *, is_needed: bool) -> tuple[str | None, Path | None]:
    """What clients must bring, and in which file they find it. A Unix socket is guarded by its own rights.

    Raises CommandError.
    """
    if path is None and TOKEN in os.environ:
        return read_token(None, TOKEN), None
    if path is None and not is_needed:
        return None, None
    from soulmem.bridges.http.access_token import TokenFileError, token_in  # noqa: PLC0415 - only a server pays

    path = path or user_config(os.environ).with_name("http_token")
    try:
        return token_in(path), path
    except TokenFileError as error:
        raise CommandError(error.message, hint=error.hint, code=ExitCode.CONFIGURATION) from error
