"""What commands that serve take from the command line: where they listen, by what names, the token, the mind.

Called by `http`, `mcp` and `proxy`, before anything heavy is loaded. Invariant: what is wrong is one line, and no
secret stands in it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from soulmem.bridges.mcp.http_address import HttpAddress, read_address
from soulmem.bridges.proxy.caller_names import is_mind_name
from soulmem.cli.output.command_session import CommandError, ExitCode

_SHORTEST_TOKEN = 16
UdsOption = Annotated[Path | None, typer.Option("--uds", metavar="PATH", help="Listen on a Unix socket instead.")]
HostNameOption = Annotated[
    list[str] | None, typer.Option("--host-name", metavar="NAME", help="A name by which clients call this machine.")
]


def checked_mind(name: str) -> str:
    """Raises CommandError: it cannot be the name of a mind."""
    if not is_mind_name(name):
        raise CommandError(
            f"{name[:80]!r} cannot be the name of a mind",
            hint="use 1 to 64 of a-z, 0-9, - and _",
            code=ExitCode.REFUSED_INPUT,
        )
    return name


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


@contextlib.contextmanager
def told_where(place: HttpAddress | Path) -> Iterator[None]:
    """Raises CommandError: what is served within cannot listen there."""
    try:
        yield
    except OSError as error:
        shown = place if isinstance(place, Path) else f"{place.host}:{place.port}"
        raise CommandError(
            f"it cannot listen on {shown}: {error.strerror or error}",
            hint="choose another place",
            code=ExitCode.CONFIGURATION,
        ) from error


def read_token(path: Path | None, variable: str) -> str | None:
    """The token, from the file or from the variable; None if there is none.

    Raises CommandError: the file cannot be read, or what is there can be guessed.
    """
    token = read_secret(path, variable, "token")
    if token is not None and (len(token) < _SHORTEST_TOKEN or not token.isprintable() or not token.isascii()):
        raise CommandError(
            f"the token must have at least {_SHORTEST_TOKEN} plain characters", hint="openssl rand -hex 32 makes one",
            code=ExitCode.CONFIGURATION,
        )  # fmt: skip
    return token


def read_secret(path: Path | None, variable: str, what: str) -> str | None:
    """What a file holds, or without one a variable, trimmed. Raises CommandError: the file cannot be read."""
    try:
        secret = os.environ.get(variable) if path is None else path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise CommandError(
            f"the {what} cannot be read from {path}: {why}", hint="give a file with one line",
            code=ExitCode.CONFIGURATION,
        ) from error  # fmt: skip
    return None if secret is None else secret.strip()
