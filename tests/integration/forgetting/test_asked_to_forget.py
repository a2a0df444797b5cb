"""Who asks in talk that something be forgotten is obeyed: it is in no note, no summary and no answer any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from household import Home
from mind_bench import Host, hosted
from shell import Shell
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.working.recall.recall_request import RecallRequest

ENGLISH = (
    ("I feed forty sheep and two dogs, Moss and Fly.", "Quite a farm."),
    ("My hip hurts on cold mornings.", "Mind yourself."),
    (
        "Something I've told nobody. I owe Armstrong's four thousand for feed.",
        "Armstrong's and the feed: I'll say nothing.",
    ),
    ("Armstrong's lorry comes on Tuesdays.", "Noted."),
)
CHINESE = (
    ("我叫大鹏，在杭州跑外卖。", "辛苦了。"),
    ("我闺女朵朵五岁，在老家跟我妈。", "真好。"),
    ("我偷偷跟你说个事 我借了网贷 两万", "网贷的事我烂在肚子里。"),
    ("我弟大鸣今年考研。", "祝他顺利。"),
)
CASES = [
    (
        ENGLISH,
        "That about Armstrong's and the feed. Forget it. Strike it out.",
        "four thousand",
        "what do I owe for feed?",
    ),
    (CHINESE, "那个网贷的事儿 我跟你说的那个 你给我忘了吧 就当我没说过", "网贷", "我借了多少网贷？"),
]

FORMER = (
    "SELECT c.name, m.client_id FROM message m JOIN conversation c ON c.id = m.conversation "
    "JOIN message_version v ON v.message = m.id WHERE v.content LIKE 'Something%'"
)


async def talk(host: Host, said: tuple[tuple[str, str], ...], speaker: str = "Orrin") -> None:
    for own, answer in said:
        await host.hear(own, speaker=speaker)
        await host.hear(answer, role="assistant")
        host.clock.advance(60_000)


async def sleep(host: Host) -> None:
    await host.mind.life.sleep(None, wait=True)
    await host.mind.workers.wait_settled()


async def everywhere(host: Host) -> str:
    """All that the mind may show to whoever talks to it."""
    notes = await host.rows("SELECT text FROM note WHERE lifecycle <> 'forgotten'")
    said = await host.rows("SELECT content FROM message")
    rolled = await host.rows("SELECT text FROM summary WHERE version = (SELECT max(version) FROM summary)")
    return "\n".join(str(row[0]) for row in [*notes, *said, *rolled])


async def found(host: Host, query: str) -> list[str]:
    answer: dict[str, Any] = await host.mind.recall(RecallRequest(query, 10), [], record=False, explained=False)
    return [item["text"] for item in answer["items"]]


@pytest.mark.parametrize(("said", "request_", "secret", "query"), CASES, ids=["en", "zh"])
@pytest.mark.parametrize("slept_between", [True, False], ids=["noted", "fresh"])
async def test_what_was_meant_is_gone_and_all_else_stays(
    tmp_path: Path, said: tuple[tuple[str, str], ...], request_: str, secret: str, query: str, slept_between: bool
) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await talk(host, said)
        if slept_between:
            await sleep(host)
            assert secret in await everywhere(host)
            host.clock.advance(2 * DAY_MS)
        await talk(host, ((request_, "It's as if you never said it."),))
        await sleep(host)
        left = await everywhere(host)
        assert secret not in left
        assert request_ not in left
        assert not any(secret in text for text in await found(host, query))
        for other in (
            ("lorry comes on Tuesdays", "hip hurts") if secret == "four thousand" else ("朵朵五岁", "大鸣今年考研")
        ):
            assert other in left, "nothing else was asked to go"
        former = await host.rows("SELECT content FROM message_version")
        assert any(secret in row[0] for row in former), "the owner has a way back"


async def test_the_owner_brings_it_back(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await talk(host, ENGLISH)
        await sleep(host)
        await talk(host, ((CASES[0][1], "Done."),))
        await sleep(host)
        (told,) = await host.rows(FORMER)
        await host.mind.amend(*told, ENGLISH[2][0], key=None)
        await sleep(host)
        assert "four thousand" in await everywhere(host)


async def test_another_speaker_or_a_talk_of_others_is_not_obeyed(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await talk(host, ENGLISH)
        await talk(host, ((CASES[0][1], "No."),), speaker="Agnes")
        await host.hear(CASES[0][1], speaker="Orrin", conversation="pub")
        await sleep(host)
        left = await everywhere(host)
        assert "four thousand" in left
        assert "Strike it out" in left, "what could not be obeyed is not lost"


async def test_what_was_said_last_and_what_stands_beside_the_request(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await talk(
            host,
            (("My aunt keeps bees.", "Nice."), ("My PIN is 4417.", "Ok."), ("forget what i just told you", "Sure.")),
        )
        await talk(host, (("The garage is open. My code is 9923. Please forget what I just said.", "Sure."),))
        await sleep(host)
        left = await everywhere(host)
        assert "4417" not in left
        assert "9923" not in left
        assert "bees" in left
        assert "The garage is open." in left


async def test_what_was_said_the_day_before_is_not_what_was_said_last(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await talk(host, (("My aunt keeps bees.", "Nice."),))
        host.clock.advance(DAY_MS)
        await talk(host, (("forget what i just told you", "What?"),))
        await sleep(host)
        assert "bees" in await everywhere(host)


async def test_it_can_be_switched_off(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db", **{"forgetting.on_request": False}) as host:
        await talk(host, (*ENGLISH, (CASES[0][1], "Noted.")))
        await sleep(host)
        assert "four thousand" in await everywhere(host)


async def test_a_second_night_changes_nothing_more(tmp_path: Path) -> None:
    async with hosted(tmp_path / "a.db") as host:
        await talk(host, (*ENGLISH, (CASES[0][1], "Noted.")))
        await sleep(host)
        before = await host.rows("SELECT id, version, content FROM message ORDER BY id")
        await talk(host, (("The vet comes on Friday.", "Good."),))
        await sleep(host)
        assert (await host.rows("SELECT id, version, content FROM message ORDER BY id"))[: len(before)] == before


@pytest.mark.parametrize(("said", "request_", "secret", "query"), CASES, ids=["en", "zh"])
def test_a_daemon_says_that_it_obeyed_and_tells_it_no_more(
    house: Home, said: tuple[tuple[str, str], ...], request_: str, secret: str, query: str
) -> None:
    mind = house.mind(profile="companion")
    for own, answer in said:
        house.api.say(mind, own, speaker="Orrin")
        house.api.say(mind, answer, role="assistant")
    house.pass_time(3600)
    house.api.settle(mind)
    house.api.say(mind, request_, speaker="Orrin")
    house.pass_time(3600)
    house.api.settle(mind)
    assert [each["count"] for each in house.daemon.events("words_withdrawn") if each["mind"] == mind] == [3]
    told = house.api.call("context.get", mind=mind, query=query)["text"]
    assert secret not in told
    assert not any(secret in item["text"] for item in house.api.found(mind, query))


UNMET = {
    "none": ("en", ("I feed forty sheep.", "Moss is a good dog."), "Please forget what I told you about the boat.", 0),
    "many": ("en", tuple(f"My loan is {n} hundred now." for n in range(5)), "Forget what I said about the loan.", 5),
    "zh": ("zh", ("我在杭州跑外卖。", "朵朵五岁。"), "那个网贷的事你给我忘了吧", 0),
    "zh many": ("zh", tuple(f"网贷还剩{n}万。" for n in "一二三四五"), "那个网贷的事你给我忘了吧", 5),
    "mixed": ("zh", ("我 owe 两万 loan。", "Moss 五岁。"), "please forget what I told you about the 游艇", 0),
}


@pytest.mark.parametrize(("language", "said", "request_", "meant"), UNMET.values(), ids=UNMET)
def test_what_cannot_be_obeyed_is_told_to_the_owner(
    house: Home, language: str, said: tuple[str, ...], request_: str, meant: int
) -> None:
    mind = house.mind(profile="companion", language=language)
    for text in said:
        house.api.say(mind, text, speaker="Orrin")
    house.api.say(mind, request_, speaker="Orrin", id="asks")
    house.api.say(mind, "That I cannot know.", role="assistant")
    for _ in range(2):  # a second night tells it no second time
        house.pass_time(3600)
        house.api.settle(mind)
        house.api.say(mind, "Good night 晚安.", speaker="Orrin")
    told = [each for each in house.daemon.events("words_kept") if each["mind"] == mind]
    assert [(each["level"], each["count"], each["message_seq"]) for each in told] == [("warning", meant, len(said) + 1)]
    assert not [each for each in told if request_ in str(each) or "loan" in str(each) or "网贷" in str(each)]
    page = house.api.call("note.list", mind=mind, state="forgotten")
    assert [(each["conversation"], each["id"], each["meant"]) for each in page["unmet"]] == [("main", "asks", meant)]
    assert "unmet" not in house.api.call("note.list", mind=mind)
    assert "unmet" not in house.api.call("note.list", mind=mind, state="forgotten", conversation="main")
    shell = Shell(house.daemon.socket, house.daemon.state)
    lines = shell("forgotten", "-m", mind).stdout
    assert "asked to forget, not done: asks in main" in lines
    assert ("5 messages may be meant" if meant else "no message tells of it") in lines
    assert "soulmem delete ID -c NAME" in lines
    assert house.api.status(mind)["unmet_requests"] == 1
    stated = shell("status").stdout
    assert "1 request to forget not met" in stated
    assert f"soulmem forgotten -m {mind}" in stated
    house.api.call("message.delete", mind=mind, id="asks")
    assert house.api.call("note.list", mind=mind, state="forgotten")["unmet"] == []
    assert "asked to forget" not in shell("forgotten", "-m", mind).stdout
    assert house.api.status(mind)["unmet_requests"] == 0


def test_a_request_that_was_not_met_is_told_for_a_while(house: Home) -> None:
    mind = house.mind(profile="companion")
    house.api.say(mind, "Please forget what I told you about the boat 船.", speaker="Orrin")
    house.pass_time(3600)
    house.api.settle(mind)
    assert len(house.api.call("note.list", mind=mind, state="forgotten")["unmet"]) == 1
    assert house.api.status(mind)["unmet_requests"] == 1
    house.pass_time(31 * 86_400)
    assert house.api.call("note.list", mind=mind, state="forgotten")["unmet"] == []
    assert house.api.status(mind)["unmet_requests"] == 0
