"""`soulmem proxy`: an OpenAI endpoint that remembers, before any other OpenAI endpoint."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soulmem.bridges.mcp.http_address import HttpAddress
from soulmem.bridges.proxy.prompt_injection import Position
from soulmem.cli.output.command_session import DEFAULT_MIND, CommandError, ExitCode, Session, need_extra, opens_session
from soulmem.cli.output.server_options import (
    HostNameOption,
    UdsOption,
    checked_mind,
    listening_address,
    read_secret,
    read_token,
    told_where,
)
from soulmem.errors import SoulmemError

if TYPE_CHECKING:
    from soulmem.llm.endpoint.endpoint_address import Address

UPSTREAM, KEY, TOKEN = "SOULMEM_PROXY_UPSTREAM", "SOULMEM_PROXY_KEY", "SOULMEM_PROXY_TOKEN"
_LISTEN = "127.0.0.1:8766"


@opens_session
def proxy(
    session: Session,
    upstream: Annotated[
        str | None,
        typer.Option(
            "--upstream", metavar="URL", help=f"The endpoint behind it: http(s)://…/v1 or unix:…. [{UPSTREAM}]"
        ),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", metavar="FILE", help=f"Its key. [{KEY}; default: what the client brings]"),
    ] = None,
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="HOST:PORT", help=f"Where to listen. [default: {_LISTEN}]")
    ] = None,
    uds: UdsOption = None,
    position: Annotated[
        Position,
        typer.Option("--position", help="Where the memory stands in the prompt."),
    ] = Position.USER,
    depth: Annotated[
        int, typer.Option("--depth", min=0, max=1000, help="With --position depth: so many messages before the end.")
    ] = 4,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=16, max=100_000, help="How long the memory in a prompt may be.")
    ] = 1000,
    deadline_ms: Annotated[
        int, typer.Option("--deadline-ms", min=1, max=60_000, help="How long a request waits for its memory.")
    ] = 500,
    read_only: Annotated[bool, typer.Option("--read-only", help="Remember, but hear nothing.")] = False,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", metavar="FILE", help=f"What clients must bring. [{TOKEN}]")
    ] = None,
    host_name: HostNameOption = None,
) -> None:
    """Give any OpenAI client a memory: a proxy before its endpoint."""
    need_extra("proxy", "the proxy", "starlette", "uvicorn", "httpx2")
    checked_mind(session.mind)
    if uds is not None and (listen is not None or host_name):
        raise CommandError("--uds listens on no port", hint="leave the address out", code=ExitCode.WRONG_USAGE)
    address, key = _endpoint(upstream or os.environ.get(UPSTREAM)), _key(key_file)
    token = read_token(token_file, TOKEN)
    place: HttpAddress | Path = uds or listening_address(
        listen or _LISTEN, host_name or (), option="--listen", token=TOKEN, has_token=token is not None
    )

    import anyio  # noqa: PLC0415 - a second, which a refusal need not wait for

    from soulmem.bridges.proxy.memory_door import MemorySetting  # noqa: PLC0415 - only who needs it pays
    from soulmem.bridges.proxy.proxy_app import ProxySetting  # noqa: PLC0415 - only who needs it pays
    from soulmem.bridges.proxy.proxy_serving import serve_proxy  # noqa: PLC0415 - only who needs it pays
    from soulmem.bridges.proxy.upstream_calls import UpstreamSetting  # noqa: PLC0415 - only who needs it pays

    setting = ProxySetting(
        mind=session.mind if session.mind != DEFAULT_MIND else None,
        position=position,
        depth=depth,
        token=token,
        hosts=tuple(place.hosts) if isinstance(place, HttpAddress) else None,
        origins=tuple(place.origins) if isinstance(place, HttpAddress) else (),
    )
    memory = MemorySetting(deadline_ms / 1000, max_tokens, read_only)
    with told_where(place):
        anyio.run(serve_proxy, setting, UpstreamSetting(address, key), memory, session.socket, place)


def _endpoint(url: str | None) -> Address:
    """The endpoint behind the proxy. Raises CommandError: there is none, or it is no address."""
    from soulmem.llm.endpoint.endpoint_address import address_of  # noqa: PLC0415 - only a proxy that starts pays

    if not url:
        raise CommandError(
            "it must know the endpoint behind it",
            hint=f"--upstream http://127.0.0.1:11434/v1, or set {UPSTREAM}",
            code=ExitCode.CONFIGURATION,
        )
    try:
        address = address_of(url)
    except SoulmemError as error:
        raise CommandError(
            f"--upstream {error.message.removeprefix('`engine.base_url` ')}",
            hint="write --upstream http://127.0.0.1:11434/v1",
            code=ExitCode.CONFIGURATION,
        ) from error
    return address if "/" in address.url.partition("://")[2] else address_of(url.rstrip("/") + "/v1")


def _key(path: Path | None) -> str | None:
    """The endpoint's key, from the file or from the environment; None: that of the client is passed on.

    Raises CommandError: the file cannot be read, or holds no key.
    """
    key = read_secret(path, KEY, "key")
    if key is not None and not (key.isascii() and key.isprintable() and key):
        raise CommandError(
            "the endpoint's key must be one line of plain characters",
            hint="look into the file",
            code=ExitCode.CONFIGURATION,
        )
    return key
