"""Blind ids over the socket: who talks in front of a conversation gets and gives them, its owner understands both."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from checking import checking, ids_of
from daemon_fixture import Daemon, daemon_process
from full_disks import small_disk

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


def _listed(daemon: Daemon) -> list[str]:
    return [each["id"] for each in checking(daemon).notes("m", conversation="pub")]


def test_an_id_is_the_same_when_the_mind_is_opened_again(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings={"recall.sharing": "participants"})
        notes = [api.note("m", text, conversation="pub") for text in ("Bo loves herring.", "小明喜欢吃火锅。")]
    with daemon_process(tmp_path) as daemon:
        assert _listed(daemon) == notes


def test_a_call_sent_again_names_ids_as_they_are_named_now(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m")
        added = {"mind": "m", "kind": "semantic", "text": "Bo loves herring. 火锅", "conversation": "pub", "key": "add"}
        one, two = api.call("note.add", **added), api.note("m", "Ann hid the key. 钥匙", conversation="pub")
        linked = api.call("link.add", mind="m", src=one["id"], dst=two, conversation="pub", key="link")
        said = api.say("m", "I love herring. 我喜欢火锅。", speaker="Bo", conversation="pub", id="x", recall=True)
        api.call("mind.update", mind="m", settings={"recall.sharing": "conversation"})
        ids = ids_of(daemon, "m")
        assert api.call("note.add", **added) == {"id": ids.blind(one["id"]), "duplicate": True}
        ends = {"src": ids.blind(one["id"]), "dst": ids.blind(two)}
        again = api.call("link.add", mind="m", conversation="pub", key="link", **ends)
        assert again == linked | {"id": ids.blind(linked["id"]), "duplicate": True}
        heard = api.say("m", "I love herring. 我喜欢火锅。", speaker="Bo", conversation="pub", id="x", recall=True)
        assert heard["recall_id"] == heard["context"]["recall_id"] == ids.blind(said["recall_id"])
        assert heard["id"] == "x", "messages are called as their clients call them"
        assert not PLAIN.search(json.dumps(heard)), heard
        gone = {"mind": "m", "id": ids.blind(two), "conversation": "pub", "key": "gone"}
        first = api.call("note.purge", **gone)
        assert first["id"] == ids.blind(two)
        api.call("mind.update", mind="m", settings={"recall.sharing": "open"})
        assert api.call("note.purge", **gone)["id"] == two
        assert api.call("note.add", **added) == one | {"duplicate": True}


def test_where_nothing_can_be_written_ids_are_blind_all_the_same(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", megabytes=90) as disk:
        (disk / "run").mkdir()
        (tmp_path / "state").symlink_to(disk / "run")
        with daemon_process(tmp_path) as daemon:
            api = checking(daemon)
            api.call("mind.create", mind="m")
            note = api.note("m", "Bo loves herring. 小明喜欢吃火锅。", conversation="pub")
            api.call("mind.update", mind="m", settings={"recall.sharing": "conversation"})
            daemon.settle("m")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        try:
            with daemon_process(tmp_path, name="again", check_log=False) as daemon:
                api = checking(daemon)
                (shown,) = _listed(daemon)
                assert re.fullmatch(r"n_[0-9a-z]{10}", shown)
                assert _listed(daemon) == [shown]
                assert api.call("note.get", mind="m", id=shown, conversation="pub")["note"]["id"] == shown
                assert api.call("note.get", mind="m", id=shown)["note"]["id"] == note
                api.refused("not_found", "note.get", mind="m", id=note, conversation="pub")
        finally:
            subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
