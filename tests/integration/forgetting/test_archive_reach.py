"""What faded lies in the archive: its owner may look there, nobody else; nothing deleted or hidden comes out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from shell import Shell

START = "2026-03-01T08:00:00Z"
DAY = 86_400
SETTINGS: Json = {"forgetting.clock": "wall", "forgetting.deletes": False, "recall.sharing": "open"}
# what is told, what is asked, a word of the answer, something else that is told
TALK = {
    "en": (
        "Yesterday we rowed to the island with Anselm and saw eleven herons by the ruined chapel.",
        "What did we see by the ruined chapel?", "eleven herons", "It drizzled and I had soup for lunch.",
    ),
    "zh": (
        "昨天我们和阿城划船去了小岛，在破庙旁边看见十一只苍鹭。",
        "我们在破庙旁边看见了什么？", "十一只苍鹭",
        "今天又下雨，中午喝了碗汤。",
    ),
}  # fmt: skip
LANGUAGES = sorted(TALK)


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)
        self.made = 0

    def told(self, language: str, days: float = 900, *, conversation: str = "main", **settings: object) -> str:
        """A mind that was told something so long ago that nothing of it is clear."""
        self.made += 1
        mind = f"a{self.made}"
        self.api.call("mind.create", mind=mind, settings={**SETTINGS, **settings})
        self.tell(mind, language, conversation)
        self.wait(days)
        return mind

    def tell(self, mind: str, language: str, conversation: str = "main", speaker: str = "Ann") -> None:
        for place in (0, 3):
            name = f"{conversation}-{place}"
            self.api.say(mind, TALK[language][place], speaker=speaker, conversation=conversation, id=name)
        self.api.settle(mind)
        self.api.call("idle.run", mind=mind)

    def wait(self, days: float) -> None:
        self.api.call("clock.advance", seconds=days * DAY)

    def asked(self, mind: str, language: str, **more: object) -> Json:
        return self.api.call("recall", mind=mind, query=TALK[language][1], **{"record": False, **more})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("archive"), "--simulated-clock", START) as daemon:
        yield House(daemon)


@pytest.fixture(autouse=True)
def _left(house: House) -> Iterator[None]:
    yield
    house.api.delete_minds()


def texts(answer: Json) -> str:
    return "\n".join(item["text"] for item in answer["items"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_owner_finds_the_words_in_the_archive_and_they_are_marked(house: House, language: str) -> None:
    mind = house.told(language)
    told, _, word, _ = TALK[language]
    assert word not in texts(house.asked(mind, language, min_score=0)), "memory has them no more"
    answer = house.asked(mind, language, reach="archive")
    item = next(each for each in answer["items"] if each.get("from") == "archive")
    assert (item["text"], item["kind"], item["state"], item["id"]) == (told, "message", "clear", "main-0")
    assert item["speaker"] == "Ann"
    assert item["score"] >= 0.5
    assert not house.api.stray


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_for_what_faded_is_not_unknown_but_forgotten(house: House, language: str) -> None:
    mind = house.told(language)
    word = TALK[language][2]
    answer = house.asked(mind, language)
    assert answer["items"] == []
    assert (answer["reason"], answer["archived"]) == ("faded", True)
    assert answer["faded"], "of what kind it was"
    assert word not in str(answer)
    body = house.api.call("context.get", mind=mind, query=TALK[language][1])
    sign = {"en": "Something has faded", "zh": "记不清"}[language]
    block = next(each for each in body["blocks"] if each["kind"] == "notes")
    assert sign in block["text"]
    assert answer["faded"][0] in block["text"]
    assert block["archived"]
    assert word not in str(body)
    for more in ({"kinds": ["plan"]}, {"as_of": START}):
        assert "archived" not in house.asked(mind, language, **more), "that is not what was asked for"
    unknown = {"en": "What is the name of Bela's parrot?", "zh": "贝拉的鹦鹉叫什么名字？"}[language]
    never = house.api.call("recall", mind=mind, query=unknown, record=False)
    assert (never["items"], never["reason"]) == ([], "nothing_known")
    assert "archived" not in never


ROUGHLY = {
    "en": ("My phone costs 34 pounds a month, Ana says that is a lot.", "34 pounds", "about thirty",
           "How much do I pay for my phone?"),
    "zh": ("我的手机套餐一个月三十四块，安娜说太贵。", "三十四块", "三十左右", "我的手机套餐多少钱？"),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_for_a_blurred_sum_brings_what_is_left_of_it(house: House, language: str) -> None:
    mind = house.told(language, days=0, **{"forgetting.whole_days": 3000.0})
    text, hidden, gist, query = ROUGHLY[language]
    note = house.api.note(mind, text, elements=[{"quote": hidden, "level": 2, "gist": gist}])
    house.wait(7)
    found = house.api.call("recall", mind=mind, query=query, record=False)["items"]
    assert found[0]["id"] == note
    assert gist in found[0]["text"]
    assert hidden not in str(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_note_by_hand_has_its_words_in_the_archive_too(house: House, language: str) -> None:
    mind = house.told(language, days=0, **{"forgetting.whole_days": 3000.0})
    text = {"en": "The chapel was painted by a monk called Odo Quill.", "zh": "破庙是一个叫奎尔的和尚画的。"}[language]
    hidden, gist = {"en": ("Odo Quill", "someone"), "zh": ("奎尔", "某人")}[language]
    note = house.api.note(mind, text, elements=[{"quote": hidden, "level": 2, "gist": gist}])
    house.wait(60)
    query = {"en": "Which monk painted the chapel?", "zh": "破庙是谁画的？"}[language]
    shown = house.api.call("recall", mind=mind, query=query, record=False, min_score=0)["items"]
    item = next(each for each in shown if each["id"] == note)
    assert hidden not in item["text"]
    assert item["archived"] is True
    found = house.api.call("recall", mind=mind, query=query, record=False, min_score=0, reach="archive")["items"]
    same = [each for each in found if each["id"] == note]
    assert [(each["text"], each["from"]) for each in same] == [(text, "archive")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_looking_into_the_archive_remembers_nothing(house: House, language: str) -> None:
    mind = house.told(language)

    def trace() -> list[object]:
        hits = rows(house.daemon, mind, "SELECT count(*) FROM recall_hit WHERE kind = 'message'")
        return hits + rows(house.daemon, mind, "SELECT id, a0, t0, last_growth FROM element ORDER BY id")

    before = trace()
    for record in (False, True):
        answer = house.asked(mind, language, reach="archive", record=record)
        assert any(item.get("from") == "archive" for item in answer["items"])
    assert trace() == before
    assert TALK[language][2] not in texts(house.asked(mind, language, min_score=0))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_deleted_or_taken_back_is_in_no_archive(house: House, language: str) -> None:
    deleted, edited, forgotten, purged = (house.told(language, days=0) for _ in range(4))
    word = TALK[language][2]
    house.api.call("message.delete", mind=deleted, id="main-0")
    house.api.call("message.update", mind=edited, id="main-0", content="Nothing happened. 什么也没有。")
    for mind, method in ((forgotten, "note.forget"), (purged, "note.purge")):
        for note in house.api.notes(mind):
            house.api.call(method, mind=mind, id=note["id"])
    for mind in (deleted, edited, forgotten, purged):
        house.api.call("idle.run", mind=mind)
    house.wait(900)
    for mind in (deleted, edited, forgotten, purged):
        answer = house.asked(mind, language, reach="archive", min_score=0)
        assert word not in str(answer), mind
        assert "archived" not in house.asked(mind, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_front_of_a_conversation_its_own_archive_alone_is_there(house: House, language: str) -> None:
    mind = house.told(language, days=0, conversation="here", **{"recall.sharing": "conversation"})
    house.wait(900)
    word = TALK[language][2]
    assert word in texts(house.asked(mind, language, reach="archive", conversation="here"))
    assert word not in str(house.asked(mind, language, reach="archive", conversation="elsewhere", min_score=0))
    assert "archived" not in house.asked(mind, language, conversation="elsewhere")
    assert word not in str(house.asked(mind, language, reach="archive", heard_in=["elsewhere"], min_score=0))
    assert word in texts(house.asked(mind, language, reach="archive")), "the owner sees everything"


def test_what_the_archive_has_not_is_refused_in_one_line(house: House) -> None:
    mind = house.told("en")
    asked = {"mind": mind, "query": TALK["en"][1], "reach": "archive"}
    for more, word in (({"ranking": "stream"}, "ranking"), ({"as_of": START}, "as_of")):
        error = house.api.refused("invalid_params", "recall", **asked, **more)
        assert error.message.startswith(f"{word}: ")
        assert "\n" not in error.message
    house.api.refused_raw("invalid_params", "recall", {**asked, "reach": "attic"})
    for query in ("?", "！！！", "🙂", "the", "的"):
        answer = house.api.call("recall", mind=mind, query=query, reach="archive", record=False, min_score=0)
        assert answer["elapsed_ms"] >= 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_line_reaches_the_archive_and_says_that_it_is_there(
    house: House, language: str, tmp_path: Path
) -> None:
    mind = house.told(language)
    told, query, word, _ = TALK[language]
    shell = Shell(house.daemon.socket, tmp_path)
    out = shell("recall", query, "--mind", mind).stdout
    assert "faded" in out
    assert "--reach archive" in out
    assert word not in out
    out = shell("recall", query, "--mind", mind, "--reach", "archive").stdout
    assert "archive" in out
    assert word in out
    assert shell.json("recall", query, "--mind", mind, "--reach", "archive")["items"][0]["text"] == told
    shell("recall", query, "--mind", mind, "--reach", "attic", code=2)


_MEMBER = """
import os, socket, sys
os.setgroups([]), os.setgid(65533), os.setuid(65533)
with socket.socket(socket.AF_UNIX) as sock:
    sock.connect(sys.argv[1])
    sock.sendall(sys.argv[2].encode() + b"\\n")
    print(sock.makefile().readline())
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_nobody_but_the_owner_reaches_the_archive() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        root = Path(name)
        root.chmod(0o755)
        env = {"SOULMEM_SERVER_MODE": "0666", "SOULMEM_SERVER_OTHERS": "write"}
        with daemon_process(root, "--simulated-clock", START, env=env) as daemon:
            house = House(daemon)
            mind = house.told("en")
            for part in (root, *daemon.socket.parents):
                if root in (part, *part.parents):
                    part.chmod(0o755)

            def answer(**more: object) -> Json:
                params = {"mind": mind, "query": TALK["en"][1], "record": False, "min_score": 0, **more}
                call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "recall", "params": params})
                run = subprocess.run(
                    [sys.executable, "-c", _MEMBER, str(daemon.socket), call], capture_output=True, check=True
                )
                return dict(json.loads(run.stdout))

            assert "result" in answer()
            refused = answer(reach="archive")["error"]
            assert refused["data"]["name"] == "access_denied"
            assert refused["message"].startswith("reach: ")
            assert "this connection has write" in refused["message"]
            assert "\n" not in refused["message"]
            assert TALK["en"][2] not in str(refused)
