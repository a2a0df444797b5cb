"""What is deleted is gone: out of every method, every table, and the bytes of every file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from leftovers import files_with, tables_with
from spread import spread

START = "2026-03-02T09:00:00Z"
# (secret, what is said with it, around it, a question)
TOLD = {
    "en": (
        "quarzplover 66125",
        "Please remember that the code of my bicycle lock is quarzplover 66125.",
        ("My bicycle is a green Peugeot.", "I ride it to work on Mondays.", "My brother Ivo repairs it."),
        "What is the code of the bicycle lock?",
    ),
    "zh": (
        "鹧鸪岭七七三九",
        "请记住，我自行车锁的暗号是鹧鸪岭七七三九。",
        ("我的自行车是绿色的永久牌。", "我星期一骑车上班。", "我哥哥李雷会修车。"),
        "自行车锁的暗号是什么？",
    ),
}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)
        self.made = 0

    def mind(self, profile: str = "companion", **settings: object) -> str:
        self.made += 1
        flat = {key.replace("__", "."): value for key, value in settings.items()}
        self.api.call("mind.create", mind=f"d{self.made}", profile=profile, settings=flat)
        return f"d{self.made}"

    def file(self, mind: str) -> Path:
        return self.daemon.state / "minds" / f"{mind}.db"

    def tell(self, mind: str, language: str) -> str:
        """Tell a secret amid other talk; the id of the message."""
        _, told, around, _ = TOLD[language]
        self.api.say(mind, around[0], id="before", speaker="Ann")
        self.api.say(mind, told, id="secret", speaker="Ann")
        for number, text in enumerate(around[1:]):
            self.api.say(mind, text, id=f"after{number}", speaker="Ann")
        return "secret"

    def everything(self, mind: str, question: str) -> list[Json]:
        """What a client can be told of a mind."""
        call = self.api.call
        asked = [
            call("message.list", mind=mind), call("note.list", mind=mind),
            call("note.list", mind=mind, state="forgotten"),
            call("recall", mind=mind, query=question, k=50), call("recall", mind=mind, query=question, explain=True),
            call("context.get", mind=mind), call("context.get", mind=mind, conversation="main", query=question),
            call("link.list", mind=mind), call("graph.get", mind=mind), call("job.list", mind=mind),
            call("ledger.get", mind=mind), call("audit.list", mind=mind), call("mind.get", mind=mind),
        ]  # fmt: skip
        for number in range(1, 40):
            try:
                asked.append(call("note.history", mind=mind, id=f"n{number}"))
                asked.append(call("note.get", mind=mind, id=f"n{number}"))
            except Exception:
                continue
        return asked

    def gone(self, mind: str, language: str) -> None:
        """Nothing of the secret is left anywhere."""
        secret, _, _, question = TOLD[language]
        assert tables_with(self.file(mind), secret) == []
        assert files_with(self.daemon.state, secret) == []
        assert secret not in repr(self.everything(mind, question))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("gone"), "--simulated-clock", START) as daemon:
        yield House(daemon)


@pytest.mark.parametrize(
    ("when", "profile", "language"),
    spread(("fresh", "summarised", "digested", "shelved"), ("companion", "assistant"), TOLD),
)
def test_nothing_of_a_deleted_message_is_left(house: House, language: str, profile: str, when: str) -> None:
    mind = house.mind(profile, window__capacity=2, window__topic_marks=False)
    message = house.tell(mind, language)
    secret, _, around, question = TOLD[language]
    if when in ("digested", "shelved"):
        house.api.call("idle.run", mind=mind)
    if when == "summarised":
        house.api.settle(mind)
        house.api.until(lambda: rows(house.daemon, mind, "SELECT 1 FROM summary"), "a summary")
    if when == "shelved":
        house.api.call("recall", mind=mind, query=question)
        house.api.settle(mind)
    else:
        house.api.call("recall", mind=mind, query=TOLD[language][1])
    assert files_with(house.daemon.state, secret), "it was there"
    deleted = house.api.call("message.delete", mind=mind, id=message)
    assert deleted["erased"] is True
    assert deleted["corrected"] is False
    house.gone(mind, language)
    house.api.settle(mind)
    house.api.call("idle.run", mind=mind)
    house.gone(mind, language)
    if when != "shelved" or profile == "assistant":
        assert around[0] in repr(house.everything(mind, around[0])), "nothing else went"
    house.api.call("mind.delete", mind=mind, confirm=mind)  # the next looks through all files there are


def test_a_stopped_daemon_leaves_files_without_it(tmp_path: Path) -> None:
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        home = House(daemon)
        mind = home.mind("companion")
        home.tell(mind, "en")
        home.api.call("idle.run", mind=mind)
        home.api.call("message.delete", mind=mind, id="secret")
    assert files_with(daemon.state, TOLD["en"][0]) == []
    assert files_with(daemon.state, "quarzplover") == []
    assert files_with(daemon.state, "66125") == []
