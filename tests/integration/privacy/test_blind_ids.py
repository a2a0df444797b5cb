"""Blind ids over the socket: who talks in front of a conversation gets and gives them, its owner understands both."""

from __future__ import annotations

import json
import re
from pathlib import Path

from checking import checking
from daemon_fixture import daemon_process

PLAIN = re.compile(r'"(?:n|l|e|js?|r|s)\d+"')


def test_what_goes_out_blind_is_understood_and_a_plain_id_is_not(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        for mind in ("one", "two"):
            api.call("mind.create", mind=mind, settings={"recall.sharing": "conversation"})
            api.say(mind, "Bo loves herring. 我喜欢吃火锅。", speaker="Bo", conversation="pub")
        pub = {"mind": "one", "conversation": "pub"}
        made = [
            api.call("note.add", kind="semantic", text=f"Bo loves herring {n} 火锅", key=f"k{n}", **pub) for n in (1, 2)
        ]
        again = api.call("note.add", kind="semantic", text="Bo loves herring 1 火锅", key="k1", **pub)
        assert again == made[0] | {"duplicate": True}
        first, second = (each["id"] for each in made)
        linked = api.call("link.add", src=first, dst=second, **pub)
        api.settle("one")
        recalled = api.call("recall", query="What does Bo love? 火锅", explain=True, **pub)
        used = [item["id"] for item in recalled["items"] if item["kind"] == "semantic"]
        assert {first, second} == set(used)
        told = api.call("feedback", recall_id=recalled["recall_id"], verdict="good", used=used, **pub)
        assert not [each for each in told.get("warnings", ()) if each.startswith("used:")], told
        assert told["recall_id"] == recalled["recall_id"]
        listed = api.pages("note.list", limit=1, **pub)
        history = api.call("note.history", id=first, **pub)
        links = api.pages("link.list", limit=1, **pub)
        assert [(link["src"], link["dst"]) for link in links] == [(first, second)]
        for answer in (made, linked, recalled, told, listed, history, links):
            assert not PLAIN.search(json.dumps(answer)), answer
        plain = api.call("note.get", mind="one", id=first)["note"]["id"]
        assert re.fullmatch(r"n\d+", plain)
        assert api.call("note.get", mind="one", id=plain)["note"]["text"] == "Bo loves herring 1 火锅"
        refused = set()
        for unknown in (plain, "n777", "n_0000000000", "x"):
            error = api.refused("not_found", "note.get", id=unknown, **pub)
            refused.add((error.message.replace(unknown, "?"), error.hint))
        assert len(refused) == 1
        conflict = api.refused("version_conflict", "note.update", id=first, version=9, text="x", **pub)
        assert first in conflict.message
        api.refused("not_found", "note.get", mind="two", id=first)
