"""Whoever asks for what was never told is told that nothing is known, by every ranking, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking
from daemon_fixture import daemon_process
from household import DAY, START, Home

TOLD = {
    "en": [
        "My daughter Inga plays the harp in a brass band, go figure.", "We sold the houseboat in April.",
        "I can't eat hazelnuts, my throat closes.", "Uncle Bram fixes church organs.",
        "Our rent went up to 870 a month.", "The rooster wakes the whole street at five.",
        "I promised Inga a trip to Bruges.", "My knee still hurts from the fall on the pier.",
    ],
    "zh": [
        "女儿英格在铜管乐队里弹竖琴，稀奇吧。", "四月里我们把船屋卖了。", "我不能吃榛子，一吃喉咙就肿。",
        "布拉姆舅舅给教堂修管风琴。", "房租涨到八百七一个月了。", "公鸡五点就把整条街吵醒。",
        "我答应带英格去布鲁日。", "膝盖从码头摔那一跤以后一直疼。",
    ],
}  # fmt: skip
ANSWERED = {
    "en": [("what instrument does Inga play?", 0), ("which nuts can't I eat", 2), ("how high is the rent?", 4)],
    "zh": [("英格弹什么乐器？", 0), ("我不能吃什么", 2), ("房租多少钱一个月？", 4)],
}
UNKNOWN = {
    "en": ["what is my dog called?", "when does my passport expire", "Which university did I study at?"],
    "zh": ["我的狗叫什么名字？", "我的护照什么时候到期", "我是哪所大学毕业的？"],
}
OF_ONE = {
    "en": (
        [
            "Inga broke her skis.", "Inga plays the harp in a brass band.", "I promised Inga a trip to Bruges.",
            "Inga shares a flat with two nurses.", "Inga can't stand liver.", "Inga repairs clocks for a living.",
            "Inga was born on a ferry.", "Inga walks the neighbour's goat on Sundays.",
        ],
        "what happened to Inga's skis?",
    ),
    "zh": (
        [
            "英格三月把滑雪板摔断了。", "英格在铜管乐队里弹竖琴。", "我答应带英格去布鲁日。", "英格跟两个护士合租。",
            "英格最受不了猪肝。", "英格靠修钟表过日子。", "英格是在渡轮上出生的。", "英格礼拜天替邻居遛山羊。",
        ],
        "英格的滑雪板怎么了？",
    ),
}  # fmt: skip
LINE = {"en": "(Nothing is known about this.)", "zh": "（关于这件事，什么也不知道。）"}
LANGUAGES = ["en", "zh"]


def told(api: Checking, mind: str, language: str) -> list[str]:
    return [api.note(mind, text) for text in TOLD[language]]


def recall(api: Checking, mind: str, query: str, **more: Any) -> Json:
    return api.call("recall", mind=mind, query=query, **{"record": False} | more)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("more", [{}, {"depth": "skim"}, {"depth": "deep"}, {"ranking": "stream"}, {"record": True}])
def test_nothing_is_known_of_what_was_never_told(house: Home, language: str, more: Json) -> None:
    mind = house.mind()
    notes = told(house.api, mind, language)
    house.api.settle(mind)
    for query in UNKNOWN[language]:
        answer = recall(house.api, mind, query, **more)
        assert (answer["items"], answer["reason"]) == ([], "nothing_known"), query
    for query, place in ANSWERED[language]:
        answer = recall(house.api, mind, query, **more)
        assert notes[place] in [item["id"] for item in answer["items"]], query
        assert "reason" not in answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fact_is_told_without_all_else_unless_all_is_wanted(house: Home, language: str) -> None:
    """`k` is a ceiling: of one person's facts the one that is asked for; what was left out is counted."""
    facts, query = OF_ONE[language]
    came = []
    for settings in ({"recall.noise": 0}, {}, {"recall.noise": 0.2}):
        mind = house.mind(settings=settings)
        for text in facts:
            house.api.note(mind, text)
        house.api.settle(mind)
        answer, everything = recall(house.api, mind, query), recall(house.api, mind, query, min_score=0)
        assert answer["items"][0]["text"] == facts[0]
        assert answer["below_floor"] == len(everything["items"]) - len(answer["items"])
        texts = [item["text"] for item in answer["items"]]
        block = house.api.call("context.get", mind=mind, query=query)["blocks"]
        lines = "".join(each["text"] for each in block if each["kind"] == "notes")
        assert [text for text in facts if text in lines] == [text for text in facts if text in texts]
        came.append(len(texts))
    all_there_is, usual, few = came
    assert few == 1 < all_there_is
    assert few <= usual <= all_there_is


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_asks_for_everything_gets_it(house: Home, language: str) -> None:
    mind = house.mind()
    notes = told(house.api, mind, language)
    house.api.settle(mind)
    query = UNKNOWN[language][0] + " " + TOLD[language][1]
    everything = recall(house.api, mind, query, min_score=0)["items"]
    assert everything
    scores = [item["score"] for item in everything]
    assert scores == sorted(scores, reverse=True)
    for floor in (scores[0], scores[-1] + 1e-4, 1.0):
        answer = recall(house.api, mind, query, min_score=floor)
        assert [item["id"] for item in answer["items"]] == [it["id"] for it in everything if it["score"] >= floor]
        assert answer["below_floor"] == len(everything) - len(answer["items"]), "what was cut is said"
    for ranking in ("association", "stream"):
        whole = recall(house.api, mind, query, min_score=0, ranking=ranking)
        none = recall(house.api, mind, query, min_score=1, ranking=ranking)
        assert (whole["below_floor"], none["below_floor"]) == (0, len(whole["items"])), ranking
        assert (none["items"], none["reason"]) == ([], "nothing_known")
    assert {item["id"] for item in everything} <= set(notes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_sure_it_is_does_not_depend_on_how_much_is_wanted(house: Home, language: str) -> None:
    mind = house.mind()
    told(house.api, mind, language)
    house.api.settle(mind)
    asked = [*(query for query, _ in ANSWERED[language]), *UNKNOWN[language], TOLD[language][7]]
    most = 0
    for query in asked:
        ten = recall(house.api, mind, query, k=10, min_score=0)["items"]
        most = max(most, len(ten))
        for k in (1, 2, 3, 5):
            few = recall(house.api, mind, query, k=k, min_score=0)["items"]
            assert [(each["id"], each["score"]) for each in few] == [(each["id"], each["score"]) for each in ten[:k]]
    assert most > 3, "more was found than was wanted"


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (("My mum's called Ruth, she dances.", "The doctor put Mum on amlodipine, one every morning.", "Rain again."),
         "What medicine does my mum take?"),
        (("我妈叫周慧，退休了，天天跳舞。", "我妈血压高，医生让她每天吃氨氯地平，早上一片。", "又下雨了。"),
         "我妈吃什么药？"),
    ],
)  # fmt: skip
def test_who_is_known_by_name_is_still_known_as_mum(house: Home, told: tuple[str, ...], asked: str) -> None:
    mind = house.mind()
    notes = [house.api.note(mind, text) for text in told]
    house.api.settle(mind)
    assert recall(house.api, mind, asked, k=3)["items"][0]["id"] == notes[1]


def test_a_mind_is_as_sure_as_it_is_set(house: Home) -> None:
    sure, unsure = house.mind(settings={"recall.min_score": 1}), house.mind(settings={"recall": {"min_score": 0}})
    for mind in (sure, unsure):
        told(house.api, mind, "en")
        house.api.settle(mind)
    assert recall(house.api, sure, "the houseboat?")["items"] == []
    assert recall(house.api, unsure, "what is my rooster's passport called?")["items"]
    for wrong in (-0.1, 1.1, "sure"):
        with pytest.raises(Exception, match="min_score"):
            house.api.call("mind.create", mind="wrong", settings={"recall.min_score": wrong})
        with pytest.raises(Exception, match="min_score"):
            recall(house.api, sure, "anything", min_score=wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_context_says_in_one_line_that_nothing_is_known(house: Home, language: str) -> None:
    mind = house.mind()
    told(house.api, mind, language)
    house.api.say(mind, TOLD[language][1], id="said")
    house.api.settle(mind)

    def notes(query: str, **more: Any) -> tuple[str, list[str]]:
        blocks = house.api.call("context.get", mind=mind, conversation="main", query=query, **more)["blocks"]
        return next(((block["text"], block["items"]) for block in blocks if block["kind"] == "notes"), ("", []))

    assert notes(UNKNOWN[language][0]) == (LINE[language], [])
    assert LINE[language] not in notes(ANSWERED[language][0][0])[0]
    assert LINE[language] not in notes(UNKNOWN[language][0], min_score=0)[0]
    greeting = {"en": "good morning to you", "zh": "早上好呀"}[language]
    assert LINE[language] not in notes(greeting)[0], "nobody asked"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_in_the_window_is_known(house: Home, language: str) -> None:
    mind = house.mind()
    said = {"en": "We named the goat Clementine.", "zh": "我们给山羊起名叫小柑橘。"}[language]
    asks = {"en": "what is the goat called?", "zh": "山羊叫什么名字？"}[language]
    house.api.say(mind, said)
    house.api.settle(mind)
    context = house.api.call("context.get", mind=mind, conversation="main", query=asks)
    assert LINE[language] not in context["text"]
    assert said in context["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_asks_for_the_unknown_is_answered_so(house: Home, language: str) -> None:
    mind = house.mind()
    told(house.api, mind, language)
    house.api.settle(mind)
    heard = house.api.say(mind, UNKNOWN[language][0], recall=True)
    assert LINE[language] in heard["context"]["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_knows_no_more_than_who_asks_it(house: Home, language: str) -> None:
    mind = house.mind()
    asks, tells, other = {
        "en": ("what is the name of the goat?", "The goat is Clementine.", "where did the goat sleep last night"),
        "zh": ("那只山羊叫什么名字？", "那只山羊是小柑橘。", "山羊昨晚睡在哪儿了"),
    }[language]
    for conversation in ("a", "b"):
        house.api.say(mind, asks, conversation=conversation)
    house.api.say(mind, other, conversation="c")
    house.api.settle(mind)
    assert recall(house.api, mind, asks)["reason"] == "nothing_known", "echoes alone answer nothing"
    house.api.say(mind, tells, conversation="d")
    house.api.settle(mind)
    found = recall(house.api, mind, asks, min_score=0)["items"]
    assert found[0]["text"] == tells
    assert asks in [item["text"] for item in found[1:]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_statement_reminds_of_more_than_a_question_brings_up(house: Home, language: str) -> None:
    mind = house.mind()
    notes = told(house.api, mind, language)
    house.api.settle(mind)
    said = {"en": "Inga broke a string today, in front of the mayor and all", "zh": "英格今天当着市长的面弄断了一根弦"}
    assert notes[0] in [item["id"] for item in recall(house.api, mind, said[language])["items"]]


@pytest.mark.parametrize("asks", ["and hers?", "那她呢？"])
def test_a_question_that_says_nothing_is_not_silenced(house: Home, asks: str) -> None:
    mind = house.mind()
    house.api.note(mind, "Hers is the green one. 她的是绿色那个。")
    house.api.settle(mind)
    assert recall(house.api, mind, asks)["items"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mind_too_large_for_memory_knows_as_little(tmp_path: Path, language: str) -> None:
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        notes = told(api, "mira", language)
        api.settle("mira")
        for query in UNKNOWN[language]:
            for more in ({}, {"ranking": "stream"}):
                assert recall(api, "mira", query, **more)["reason"] == "nothing_known", query
        for query, place in ANSWERED[language]:
            assert notes[place] in [item["id"] for item in recall(api, "mira", query)["items"]]


# -- what items carry -------------------------------------------------------------------------------------------


def test_items_carry_when_and_what_else(house: Home) -> None:
    mind, at = house.mind(), "2026-02-01T10:00:00Z"
    note = house.api.note(mind, "Ann keeps geese 鹅.", tags=["farm"], attributes={"what": "geese"}, at=at)
    bare = house.api.note(mind, "Somebody keeps geese 鹅 too.")
    said = house.api.say(mind, "Geese 鹅 bite.", speaker="Tom")
    house.api.settle(mind)
    items = {item["id"]: item for item in recall(house.api, mind, "who keeps geese 鹅?", min_score=0)["items"]}
    full = {"tags": ["farm"], "attributes": {"what": "geese"}, "at": at, "speaker": None}
    valid = {"valid_from": None, "valid_to": None, "superseded_by": None}
    assert items[note] | full | valid == items[note]
    assert items[bare] | {"tags": [], "attributes": {}} == items[bare]
    assert items[said["id"]]["speaker"] == "Tom"


# -- asked about time -------------------------------------------------------------------------------------------

TIME = {
    "en": {
        "monday": "I repotted the fig tree and burnt the rice.", "plan": "I'm going to the optician on Friday.",
        "yesterday": "Yesterday I had pancakes with Inga.", "march": "In March I learnt to juggle.",
        "then": "what did I do on Monday?", "next": "what are my plans for this Friday, on Friday?",
        "eaten": "what did I eat yesterday?", "spring": "what did I do in March?", "never": "what did I do in January?",
        "eaten_never": "what did I paint two days ago?",
    },
    "zh": {
        "monday": "给无花果换了盆，饭烧糊了。", "plan": "周五我要去配眼镜。", "yesterday": "昨天跟英格吃了煎饼。",
        "march": "三月份我学会了抛球。", "then": "周一我做了什么？", "next": "周五我有什么安排？",
        "eaten": "昨天我吃了什么？", "spring": "三月我做了什么？", "never": "一月我做了什么？",
        "eaten_never": "前天我画了什么？",
    },
}  # fmt: skip
WORDS = {"en": ("fig", "optician", "pancakes", "juggle"), "zh": ("无花果", "眼镜", "煎饼", "抛球")}


@pytest.mark.parametrize(
    ("language", "profile"),
    [
        ("en", "companion"),
        ("zh", "assistant"),
        pytest.param("en", "assistant", marks=pytest.mark.torture),
        pytest.param("zh", "companion", marks=pytest.mark.torture),
    ],
)
def test_what_happened_then_is_told_whenever_it_was_told(tmp_path: Path, language: str, profile: str) -> None:
    """A week: Monday 4 May 2026 to Wednesday 6 May, when it is asked about."""
    text = TIME[language]
    with daemon_process(tmp_path, "--simulated-clock", "2026-05-04T10:00:00Z") as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="ida", profile=profile)

        def say(words: str) -> None:
            api.say("ida", words, speaker="Ida", conversation="main")

        say(text["monday"])
        say(text["march"])
        api.call("clock.advance", seconds=2 * DAY)
        say(text["yesterday"])
        say(text["plan"])
        api.settle("ida")

        def first(query: str) -> str:
            items = recall(api, "ida", query)["items"]
            return str(items[0]["text"]) if items else ""

        fig, optician, pancakes, juggle = WORDS[language]
        assert fig in first(text["then"])
        assert optician in first(text["next"])
        assert pancakes in first(text["eaten"])
        assert juggle in first(text["spring"])
        speakers = {item["speaker"] for item in recall(api, "ida", text["then"])["items"]}
        assert speakers == {"Ida"}, "of what was said and of what was noted"
        answer = recall(api, "ida", text["never"])
        assert (answer["items"], answer["reason"]) == ([], "nothing_known")
        assert recall(api, "ida", text["eaten_never"])["items"] == []
        context = api.call("context.get", mind="ida", query=text["never"])
        assert LINE[language] in context["text"]
