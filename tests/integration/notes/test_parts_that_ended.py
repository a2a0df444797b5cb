"""A note of which a part is over: what is asked of the rest is told by it, and of that part by what came instead.

Told over the socket, slept on and asked over the socket, in both languages.
"""

# ruff: noqa: E501 (cases stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daemon_fixture import Daemon, daemon_process
from told_facts import idle, recall, say

START = "2026-11-02T18:00:00Z"
DAY = 86_400

# (speaker, told first, told two days later, asked of the rest, its word, asked of the part, the word of what holds)
PARTS = {
    "en": (
        "Jonah", "My wife Petra is a midwife, she works nights at the moment.", "Petra's switching to days from Monday, finally.",
        "What does my wife do?", "midwife", "Does Petra work nights or days?", "days",
    ),
    "a trade, not the love": (
        "Nadia", "My boyfriend Owen's in Cardiff, he's a paramedic.", "Owen and I broke up.",
        "What does Owen do?", "paramedic", "Am I seeing anyone?", "broke up",
    ),
    "住处，不是室友": (
        "周棠", "我刚搬到厦门，跟两个女生合租，一个叫小满，一个叫雅婷。", "小满月底要搬走，我们得找新室友。",
        "我住在哪儿？", "厦门", "谁要搬走？", "要搬走",
    ),
    "zh": (
        "沈知秋", "我先生叫陆远，是儿科医生，最近老值夜班。", "陆远下周改上白班了，总算。",
        "我先生是做什么的？", "儿科医生", "陆远现在上夜班还是白班？", "白班",
    ),
}  # fmt: skip
# (speaker, told first, told two days later, the question, the word of what stands first)
STAY_OR_PAUSE = {
    "another name": (
        "Jonah", "My son Milo lost his first tooth at breakfast!", "Milo wants to be called Max at school, not Milo. At home he's still Milo.",
        "What did Milo lose?", "tooth",
    ),
    "climbing": (
        "Jonah", "I go climbing on Thursdays with my mate Tariq.", "Tariq's hurt his shoulder so climbing's off till January.",
        "Do I still go climbing on Thursdays?", "off till January",
    ),
    "瑜伽": ("沈知秋", "我每周六上午练瑜伽，跟同事苏晴一起。", "苏晴怀孕了，瑜伽先停了，等她生完再说。", "我现在周六还练瑜伽吗？", "先停了"),
    "她的年纪": ("沈知秋", "我们家有个五岁的小家伙，叫糯米。", "今天带糯米去公园了。", "我女儿几岁？", "五岁"),
}  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    env = {"SOULMEM_PROFILE": "assistant"}
    with daemon_process(tmp_path_factory.mktemp("parts"), "--simulated-clock", START, env=env) as daemon:
        yield daemon


def told(house: Daemon, mind: str, speaker: str, before: str, after: str) -> None:
    client = house.client()
    client.call("mind.create", {"mind": mind, "profile": "assistant"})
    say(client, before, speaker, mind)
    idle(client, mind)
    client.call("clock.advance", {"seconds": 2 * DAY})
    say(client, after, speaker, mind)
    idle(client, mind)


@pytest.mark.parametrize("language", PARTS)
def test_what_is_left_answers_what_is_asked_of_it(house: Daemon, language: str) -> None:
    speaker, before, after, of_rest, rest, of_part, now = PARTS[language]
    mind = f"parts-{list(PARTS).index(language)}"
    told(house, mind, speaker, before, after)
    first = recall(house.client(), of_rest, mind)[0]["text"]
    assert rest in first, first
    first = recall(house.client(), of_part, mind)[0]["text"]
    assert now in first, first
    assert rest not in first, first


@pytest.mark.parametrize("case", STAY_OR_PAUSE)
def test_what_stays_stays_and_what_is_off_is_told_first(house: Daemon, case: str) -> None:
    speaker, before, after, question, word = STAY_OR_PAUSE[case]
    mind = f"case-{list(STAY_OR_PAUSE).index(case)}"
    told(house, mind, speaker, before, after)
    found = recall(house.client(), question, mind)
    assert word in found[0]["text"], found
    old = [item for item in found if before[:8] in item["text"]]
    over = {item.get("valid_to") is not None or "“" in item["text"] for item in old if item["kind"] != "message"}
    assert over <= {word not in before}, old
    assert old or word in after


def test_what_says_nothing_of_it_takes_the_place_of_no_answer(house: Daemon) -> None:
    """ "Do I still play darts?" is not answered by what was told last of somebody else."""
    client = house.client()
    client.call("mind.create", {"mind": "darts", "profile": "assistant"})
    told_in_turn = (
        "I play darts for the Cross Keys on Tuesdays.",
        "I've packed in the darts, my eyes aren't up to it.",
        "Theatre was lovely but we've decided to just be friends, me and Sheila.",
    )
    for text in told_in_turn:
        say(client, text, "Gareth", "darts")
        client.call("clock.advance", {"seconds": DAY})
    idle(client, "darts")
    first = recall(client, "Do I still play darts?", "darts")[0]["text"]
    assert "packed in the darts" in first
    assert "said earlier" not in first


@pytest.mark.parametrize(
    ("mind", "speaker", "said", "question", "word"),
    [
        ("well", "Gareth", ("The dog's called Bramble, she's a springer.", "Bramble had an operation on her ear, she's on the mend.", "I'm terrified of the dentist."), "Is Bramble well?", "operation"),
        ("sohn", "谭立冬", ("两个儿子，大的谭磊二十七，小的谭鑫二十四。", "我有糖尿病，得控糖。", "家里狗叫黑豆。"), "谭磊多大？", "二十七"),
    ],
)  # fmt: skip
def test_what_was_told_in_other_words_than_the_question_has_is_known(
    house: Daemon, mind: str, speaker: str, said: tuple[str, ...], question: str, word: str
) -> None:
    client = house.client()
    client.call("mind.create", {"mind": mind, "profile": "companion"})
    for text in said:
        say(client, text, speaker, mind)
        client.call("clock.advance", {"seconds": DAY})
        idle(client, mind)
    found = recall(client, question, mind)
    assert found
    assert word in found[0]["text"], found
