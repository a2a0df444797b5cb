"""An edit counts at once, also while somebody talks and its notes wait for the next silence to be made anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon_fixture import daemon_process

# (said, what is said beside it, edited to, a question, the old value, the new one)
CASES = {
    "en": (
        "I live in Berlin.", "I had lunch with Tom.", "I moved to Porto last week.", "Where do I live?",
        "Berlin", "Porto",
    ),
    "zh": ("我住在苏州。", "我今天吃了面。", "我上周搬到青岛了。", "我住在哪里？", "苏州", "青岛"),
    "mixed": ("I live in Berlin.", "我喜欢喝茶。", "我上周搬到 Porto 了。", "我住在哪里？", "Berlin", "Porto"),
}  # fmt: skip


@pytest.mark.parametrize("language", CASES)
def test_what_an_edit_says_stands_before_what_it_ends(tmp_path: Path, language: str) -> None:
    first, beside, edited, question, old, new = CASES[language]
    with daemon_process(tmp_path, "--simulated-clock", "2026-09-07T06:40:00+00:00") as daemon:

        def say(text: str, name: str) -> None:
            daemon.call("message.add", {"mind": "m", "role": "user", "speaker": "Mia", "content": text, "id": name})
            daemon.call("clock.advance", {"seconds": 40})

        def night() -> None:
            daemon.call("clock.advance", {"seconds": 72_000})
            daemon.settle("m")

        def asked() -> list[str]:
            items = daemon.call("recall", {"mind": "m", "query": question, "k": 5})["items"]
            return [item["text"] for item in items]

        say(first, "a")
        night()
        say(beside, "b")
        night()
        assert old in asked()[0]  # to ask is to be there: the mind works from here on
        daemon.call("message.update", {"mind": "m", "conversation": "main", "id": "b", "content": edited})
        assert [
            job["step"] for job in daemon.call("job.list", {"mind": "m"})["items"] if job["state"] == "pending"
        ] == ["rederive"]
        told = asked()
        assert new in told[0]
        ended = [text for text in told if old in text and new not in text]
        assert all("until" in text or "为止" in text or "已" in text for text in ended), told
        night()
        assert new in asked()[0]
