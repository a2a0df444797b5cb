"""`soulmem recall --help` tells the truth: what it says of each option is what the option does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from daemon_fixture import daemon_process
from shell import Shell
from soulmem.ops.settings.setting_keys import KEYS

ASKED = "Where does Ines live?"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    root = tmp_path_factory.mktemp("help")
    with daemon_process(root, "--simulated-clock", "2026-06-01T12:00:00Z") as daemon:

        def note(text: str, at: str, *tags: str, kind: str = "semantic", **more: object) -> None:
            made = {"mind": "default", "kind": kind, "text": text, "at": at, "tags": list(tags), **more}
            daemon.call("note.add", made)

        note("Ines lives in Graz.", "2026-03-01T10:00:00Z", "home", "ines")
        note("Ines likes plum cake.", "2026-04-01T10:00:00Z", "ines")
        note("Ines lives by the river Mur.", "2026-05-01T10:00:00Z", "home", kind="episodic")
        daemon.call(
            "message.add", {"mind": "default", "role": "user", "speaker": "Bo", "content": "Ines lives near me."}
        )
        yield Shell(daemon.socket, root)


def ids(shell: Shell, *arguments: str, query: str = ASKED) -> list[str]:
    return [item["id"] for item in shell.json("recall", query, *arguments)["items"]]


def test_every_option_is_told_of(shell: Shell) -> None:
    text = re.sub(r"\s+", " ", shell("recall", "--help").stdout)
    for said in (
        "not recorded, and changes nothing that is remembered",
        "[default: 10; up to 40 where all of something is asked for]", "if there is one",
        "what happened then or later", "what happened before then", "with all of them", "any of them", "0 shows all",
        "[default: recall.min_score of the mind; a third of it if the text asks nothing; 0 with --tag,",
        "What held then, not what holds now. [default: now]", "With --ranking stream: what passes",
        "[default: even]", "[default: association]", "[default: as is asked for]", "[default: as the owner]",
    ):  # fmt: skip
        assert said in text, said
    assert KEYS["recall.min_score"].default == 0.2


def test_times_tags_kinds_and_speakers(shell: Shell) -> None:
    every = ("--min-score", "0")
    assert set(ids(shell, *every)) >= {"n1", "n2", "n3", "m1"}
    at = "2026-04-01T10:00:00Z"
    assert {"n2", "n3"} <= set(ids(shell, *every, "--from", at))
    assert "n1" not in ids(shell, *every, "--from", at)
    assert set(ids(shell, *every, "--to", at)) == {"n1"}, "before, not then"
    assert set(ids(shell, "--tag", "home", "--tag", "ines")) == {"n1"}
    assert set(ids(shell, "--tag", "ines")) == {"n1", "n2"}, "with tags nothing is too unsure"
    assert set(ids(shell, *every, "--kind", "episodic", "--kind", "message")) == {"n3", "m1"}
    assert "trigger" in shell("recall", ASKED, "--kind", "trigger", code=64).stderr
    assert set(ids(shell, *every, "--speaker", "Bo")) == {"m1"}
    assert len(ids(shell, *every, "-k", "2")) == 2


def test_the_score_that_is_needed(shell: Shell) -> None:
    found = shell.json("recall", ASKED, "--min-score", "0")["items"]
    assert found
    for floor in (0.2, 0.5, 0.9):
        kept = shell.json("recall", ASKED, "--min-score", str(floor))["items"]
        assert [item["id"] for item in kept] == [item["id"] for item in found if item["score"] >= floor]
    assert all(item["score"] >= 0.2 for item in shell.json("recall", ASKED)["items"])
    assert ids(shell) == ids(shell, "--min-score", "0.2")
    told = "Ines moved her piano."
    assert ids(shell, query=told) == ids(shell, "--min-score", str(0.2 / 3), query=told)


def test_the_stream(shell: Shell) -> None:
    assert 'ranking "stream"' in shell("recall", ASKED, "--filter", "relevance > 0.5", code=64).stderr
    assert 'ranking "stream"' in shell("recall", ASKED, "--weights", "even", code=64).stderr
    stream = ("--ranking", "stream")
    assert set(ids(shell, *stream, "--filter", "kind = semantic")) == {"n1", "n2"}, (
        "with a filter nothing is too unsure"
    )
    assert ids(shell, *stream) == ids(shell, *stream, "--weights", "even")


def test_what_held_then(shell: Shell) -> None:
    """A note of what is no longer so is found by when it was."""
    mind = ("-m", "moved")
    shell("say", "I live in Berlin.", "--speaker", "Tom", "--at", "2026-01-10T10:00:00Z", *mind)
    shell("sleep", *mind)
    shell("say", "I moved to Lisbon.", "--speaker", "Tom", "--at", "2026-05-20T10:00:00Z", *mind)
    shell("sleep", *mind)

    def first(*arguments: str) -> str:
        return str(shell.json("recall", "Where does Tom live?", *arguments, *mind)["items"][0]["text"])

    assert "Lisbon" in first()
    assert "Berlin" in first("--as-of", "2026-02-01T00:00:00Z")
    assert shell("recall", "x", "--as-of", "some day", *mind, code=64).stderr.count("\n") == 1


def test_it_leaves_no_trace(shell: Shell) -> None:
    before = shell.json("notes")
    assert shell.json("recall", ASKED)["recall_id"] is None
    assert shell.json("notes") == before
