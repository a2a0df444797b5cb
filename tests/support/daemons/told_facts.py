"""Facts told to a daemon with a simulated clock, a minute apart, and what it holds of them."""

from __future__ import annotations

from typing import Any

from soulmem.client import Client


def say(client: Client, text: str, speaker: str, mind: str = "m", conversation: str = "main", **more: Any) -> str:
    added = client.call(
        "message.add",
        {"mind": mind, "conversation": conversation, "role": "user", "speaker": speaker, "content": text, **more},
    )
    client.call("clock.advance", {"seconds": 60})
    return str(added["id"])


def idle(client: Client, mind: str = "m") -> None:
    client.call("idle.run", {"mind": mind})


def recall(client: Client, query: str, mind: str = "m", conversation: str | None = "main", **more: Any) -> list[Any]:
    asked = {"mind": mind, "query": query, "k": 6, "record": False, **more}
    found: list[Any] = client.call("recall", asked | ({"conversation": conversation} if conversation else {}))["items"]
    return found


def notes(client: Client, mind: str = "m", **more: Any) -> list[Any]:
    found: list[Any] = client.call("note.list", {"mind": mind, "limit": 200, **more})["items"]
    return found
