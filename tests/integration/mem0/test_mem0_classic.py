"""Classic mode: what is new rewrites or deletes the memory there was, and there is a way back (algorithms.md §9.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from daemon_fixture import Daemon
from soulmem.mem0 import Memory
from soulmem.mem0.input_errors import Mem0ValidationError

MOVED = {
    "en": ("I live in Paris.", "I moved to Berlin yesterday.", "Where do I live?", "Berlin"),
    "zh": ("我住在成都。", "我昨天搬到杭州了。", "我住在哪里？", "杭州"),
}
STOPPED = {
    "en": ("I have a dog called Rex.", "I no longer have a dog."),
    "zh": ("我每周三打网球。", "我不打网球了。"),
}


@pytest.fixture
def classic(daemon: Daemon, request: pytest.FixtureRequest) -> Iterator[Memory]:
    name = hashlib.sha256(request.node.name.encode()).hexdigest()[:20]
    ours = {"mind": name, "socket": str(daemon.socket), "add_policy": "classic"}
    with Memory({"soulmem": ours}) as found:
        yield found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fact_that_changed_keeps_its_id_and_its_history(classic: Memory, language: str) -> None:
    before, after, question, word = MOVED[language]
    (old,) = classic.add(before, user_id="a")["results"]
    (new,) = classic.add(after, user_id="a")["results"]
    assert (new["event"], new["id"], new["previous_memory"]) == ("UPDATE", old["id"], old["memory"])
    (only,) = classic.get_all(user_id="a")["results"]
    assert only["id"] == old["id"]
    assert word in only["memory"]
    assert "valid_to" not in only
    rows = classic.history(old["id"])
    assert [row["event"] for row in rows] == ["ADD", "UPDATE"]
    assert (rows[1]["old_memory"], rows[1]["new_memory"]) == (old["memory"], only["memory"])
    assert word in classic.search(question, user_id="a")["results"][0]["memory"]
    (again,) = classic.add(after, user_id="a")["results"]
    assert again["event"] == "NONE"
    assert len(classic.get_all(user_id="a")["results"]) == 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_holds_no_more_is_deleted_and_comes_back(classic: Memory, language: str) -> None:
    before, after = STOPPED[language]
    old = classic.add(before, user_id="a")["results"]
    added = classic.add(after, user_id="a")["results"]
    gone = [each["id"] for each in added if each["event"] == "DELETE"]
    assert gone
    assert set(gone) <= {each["id"] for each in old}
    assert not set(gone) & {each["id"] for each in classic.get_all(user_id="a")["results"]}
    assert classic.history(gone[0])[-1]["event"] == "DELETE"
    assert classic.restore(gone)["results"]


def test_what_says_nothing_of_another_is_added(classic: Memory) -> None:
    classic.add("I live in Paris.", user_id="a")
    (new,) = classic.add("我对花生过敏。", user_id="a")["results"]
    assert new["event"] == "ADD"
    assert len(classic.get_all(user_id="a")["results"]) == 2


def test_another_policy_is_refused() -> None:
    with pytest.raises(Mem0ValidationError, match=r"soulmem\.add_policy: 'clasic' is none of additive, classic"):
        Memory({"soulmem": {"add_policy": "clasic"}})
