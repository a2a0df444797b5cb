"""What tests of a daemon in trouble ask of it: add, list, see how a call ends, stop it and look at what it said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from daemon_fixture import Daemon
from soulmem.client import SoulmemRemoteError

SAID = "Grandma hid the key under the blue flowerpot. 奶奶把钥匙藏在蓝色的花盆下面。"


def add(daemon: Daemon, mind: str, number: int, content: str = SAID) -> dict[str, Any]:
    params = {"mind": mind, "role": "user", "content": f"{content} {number}", "id": f"m-{number}"}
    return daemon.call("message.add", params)


def error_of(call: Callable[[], object]) -> SoulmemRemoteError:
    """The error a call ends in: one line for a person, with something to do about it."""
    with pytest.raises(SoulmemRemoteError) as caught:
        call()
    error = caught.value
    assert "\n" not in error.message
    assert error.hint
    return error


def outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except SoulmemRemoteError as error:
        return error.name
    return "answered"


def ids(daemon: Daemon, mind: str) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = daemon.call("message.list", {"mind": mind, "limit": 500, **({"cursor": cursor} if cursor else {})})
        found += [message["id"] for message in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def stopped(daemon: Daemon) -> str:
    """End a daemon in order; what it wrote besides its log."""
    assert daemon.terminate() == 0
    lines = daemon.log_path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("{"))
