"""Where the page is served, and how a browser comes to it: a port of this machine, a link that only its owner reads.

Called by the command. A token stands behind the `#` of the link, which a browser sends to nobody; the browser is given
a file with the link, for its arguments can be read by every user of the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import logging
import os
import secrets
import shutil
import socket
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import uvicorn

from soulmem.bridges.http.event_stream import EventStreams, StreamSetting
from soulmem.bridges.http_server import StoppableServer
from soulmem.bridges.viewer.viewer_app import Tokens, ViewerApp
from soulmem.client import AsyncClient

logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # no line for an answer that breaks off
_STOP_S = 2
_MOST_AT_ONCE, _MOST_STREAMS = 64, 16
_QUIET_S = 15.0
_SCREENS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")


@dataclass(frozen=True, slots=True)
class ViewSetting:
    """`may_edit`: the link lets its owner change notes. `opens`: a browser is started with it."""

    mind: str
    port: int = 0
    may_edit: bool = False
    opens: bool = True
    language: str | None = None


@dataclass(frozen=True, slots=True)
class OpenedView:
    """`address`: where the page is, without a token; `link`: with it; `in_browser`: a browser was started."""

    address: str
    link: str
    in_browser: bool


async def serve_page(setting: ViewSetting, daemon: Path | None, tell: Callable[[OpenedView], None]) -> None:
    """Serve until it is told to stop (SIGTERM, Ctrl-C). `tell` is called once it listens.

    Raises OSError: the port is taken, or not ours.
    """
    tokens = Tokens(secrets.token_urlsafe(32), secrets.token_urlsafe(32) if setting.may_edit else None)
    with socket.create_server(("127.0.0.1", setting.port), backlog=_MOST_AT_ONCE) as listener:
        port = listener.getsockname()[1]
        client, streams = AsyncClient(daemon), EventStreams(StreamSetting(daemon, _QUIET_S, _MOST_STREAMS))
        hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost"))
        config = uvicorn.Config(
            ViewerApp(client, streams, tokens, hosts), log_config=None, access_log=False, server_header=False,
            date_header=False, lifespan="off", limit_concurrency=_MOST_AT_ONCE, timeout_graceful_shutdown=_STOP_S,
        )  # fmt: skip
        address = f"http://127.0.0.1:{port}/"
        link = f"{address}#{_behind_hash(setting, tokens)}"
        with _link_file(link) as file:
            is_open = setting.opens and await asyncio.to_thread(_open_browser, file)
            tell(OpenedView(address, link, is_open))
            try:
                await StoppableServer(config, streams.stop).serve(sockets=[listener])
            finally:
                await client.aclose()


def _behind_hash(setting: ViewSetting, tokens: Tokens) -> str:
    told = {"token": tokens.writing or tokens.reading, "mind": setting.mind}
    if tokens.writing is not None:
        told["edit"] = "1"
    if setting.language is not None:
        told["lang"] = setting.language
    return urlencode(told)


@contextlib.contextmanager
def _link_file(link: str) -> Iterator[Path]:
    """A page that leads to the link, in a folder that only we may enter; gone at the end."""
    folder = Path(tempfile.mkdtemp(prefix="soulmem-view-", dir=_private_place()))
    try:
        file = folder / "open.html"
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            target = html.escape(link, quote=True)
            head = '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
            stream.write(f'{head}<meta http-equiv="refresh" content="0; url={target}"><a href="{target}">soulmem</a>\n')
        yield file
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _private_place() -> str | None:
    place = os.environ.get("XDG_RUNTIME_DIR", "")
    return place if place.startswith("/") and os.access(place, os.W_OK | os.X_OK) else None


def _open_browser(file: Path) -> bool:
    """Start the user's browser, where he has a screen; one in the terminal would write over it."""
    if not any(os.environ.get(name) for name in _SCREENS):
        return False
    try:
        return webbrowser.open(file.as_uri())
    except (webbrowser.Error, OSError):
        return False
