"""kill -9 while what changed is found out: however it dies, what holds and what does not is as of a night in peace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from checking import checking
from daemon_fixture import Daemon, daemon_process
from killed_nights import CONTINUED, after_kill, copied, copied_amid
from years_of_others import YEAR_S, tell

pytestmark = pytest.mark.usefixtures("warm_starts")

START = "2020-03-02T18:00:00Z"
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
DELAYS = [0.0, 0.1, 0.25, 0.5, 0.8, 1.2, 1.8, 2.6]
FAST = {"en": [0.15], "zh": [0.6]}
LANGUAGES = ("en", "zh")


def picture(daemon: Daemon, mind: str) -> list[tuple[object, ...]]:
    """What is told, since when and until when it holds, and what is tied to what."""
    api = checking(daemon)
    notes = [
        (note["id"], note["text"], str(note["valid_from"]), str(note["valid_to"]), note["superseded_by"])
        for note in api.notes(mind)
    ]
    links = sorted((link["src"], link["dst"], link["kind"]) for link in api.links(mind) if link["kind"] == "supersedes")
    return [*notes, *links]


@pytest.mark.parametrize("language", LANGUAGES)
def test_killed_at_any_moment_it_finds_the_same_changes_once(language: str, tmp_path: Path) -> None:
    before = tmp_path / "before"
    (tmp_path / "peace").mkdir()
    with daemon_process(tmp_path / "peace", CONTINUED, START) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind=language, profile="assistant", language=language)
        tell(api, language, language, 0)
        api.call("idle.run", mind=language)
        api.call("clock.advance", seconds=YEAR_S)
        tell(api, language, language, 1)
        copied_amid(daemon, tmp_path / "peace" / "state", before)
        api.call("idle.run", mind=language)
        api.settle(language)
        after = picture(daemon, language)
    assert any(isinstance(each[-1], str) and each[-1] == "supersedes" for each in after)
    for number, delay in enumerate(DELAYS if LONG else FAST[language]):
        root = copied(before, tmp_path / str(number))
        assert after_kill(root, {"mind": language}, delay, lambda again: picture(again, language)) == after, delay
