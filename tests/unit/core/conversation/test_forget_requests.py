"""What asks to be forgotten is read in both languages; a reproach, a dropped plan or "never mind" asks nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.conversation.forget_requests import (
    MOST_MEANT,
    forget_request,
    mentions,
    telling,
    told_part,
    topic_words,
)

ASKS = [
    ("那个充皮肤学费的事 你忘了吧 钱我还清子豪了 你别留着", {"皮肤", "学费"}),
    ("哦 还有那个网贷的事儿 我跟你说的那个 你给我忘了吧 就当我没说过 真的 删了", {"网贷"}),
    ("阿禾,那天夜里楼道的事,你忘掉吧。我不想它留在哪儿。", {"楼道", "夜里"}),
    ("请你把我借钱的事忘了吧", {"借钱"}),
    ("我跟老张的事，就当我没说过", {"老张"}),
    ("那件离婚的事从你的记忆里删掉吧", {"离婚"}),
    ("That business about the horse and the boiler. I would rather you put it out of your mind.", {"hors", "boiler"}),
    ("That about Armstrong's and the feed. Forget it. Strike it out.", {"armstrong", "feed"}),
    ("oh and that genetics thing i told u. the resit. can u just delete that from ur brain pls", {"genet", "resit"}),
    ("Please forget what I told you about the abortion.", {"abort"}),
    ("Forget I ever mentioned the money from my uncle.", {"money", "uncl"}),
    ("Can you delete what I said about Peter from your memory?", {"peter"}),
    ("About the loan: pretend I never told you.", {"loan"}),
    ("Could you please forget that tattoo story?", {"tattoo"}),
    ("Tony 那个网贷的事 please forget it, 你给我忘了吧", {"网贷", "toni"}),
    ("The Benson thing. The sick day. Lose that, ok? I don't want it said back to me ever.", {"benson", "sick"}),
    ("知秋，前几日我说的班费那桩事，你把它抹去罢。不该存在一部机器里。", {"班费"}),
    ("forget what i just said, please", set()),
    ("刚才说的话你给我忘了吧", set()),
]
ASKS_NOTHING = (
    "你忘了吧？我上周说过的", "别忘了明天买奶", "我生日那事你忘了吧", "我都忘了", "把旧照片删掉了", "忘掉过去吧，她说",
    "他让我忘掉她", "不要忘记带伞", "我把他微信删了", "不想养了，当我没说过", "那些不开心的事就忘掉吧",
    "你把闹钟删了吧", "请你帮我把这个文件删掉", "妈妈说你把药忘了",
    "Don't forget that I'm allergic to nuts.", "forget it", "Never mind, forget I said anything.", "I forgot my keys",
    "you forgot my birthday, I told you about it", "Forget about the party, I'm not going.",
    "I want to forget that day.",
    "She told me to forget about him.", "He acted as if I never told him about the baby.",
    "I deleted the app from my phone", "Did you forget what I told you about the dog?", "we pretend I never told her",
    "Don't mention it!", "I don't want that sofa anymore",
    "could you delete that file from my notes", "it's like I never told you",
)  # fmt: skip


@pytest.mark.parametrize(("text", "topic"), ASKS)
def test_a_request_says_what_is_meant(text: str, topic: set[str]) -> None:
    request = forget_request(text)
    assert request is not None
    assert request.topic >= topic
    assert bool(request.topic) == bool(topic)


@every_row(ASKS_NOTHING)
def test_what_only_sounds_like_one_is_no_request(text: str) -> None:
    assert forget_request(text) is None


def test_what_was_said_just_now_may_stand_in_the_same_message() -> None:
    request = forget_request("The garage is fine. My PIN is 4417. Forget what I just told you.")
    assert request is not None
    assert (request.is_here, request.start) == (True, len("The garage is fine."))
    assert not (forget_request("Forget what I just told you.") or request).is_here


def test_a_long_paste_asks_nothing() -> None:
    assert forget_request("Please forget what I told you about the loan. " * 20) is None


DIARY = [
    "My sister Ines moved to Ghent.", "我妹妹在重庆上班。", "I owe Armstrong's four thousand for feed.",
    "Armstrong's lorry comes on Tuesdays.", "我偷偷跟你说个事 我借了网贷 两万", "网贷还剩一万，八月能还完",
    "The horse fair is in May.", "I put 600 on a horse once and told Yvonne the boiler needed it.",
]  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ({"armstrong", "feed"}, [2]), ({"网贷"}, [4, 5]), ({"hors", "boiler"}, [7]), ({"genet", "resit"}, []),
        ({"lorri", "goat", "cow", "pig", "barn"}, []),
    ],
)  # fmt: skip
def test_what_tells_of_it_is_found(topic: set[str], told: list[int]) -> None:
    assert telling(frozenset(topic), DIARY) == told


def test_nothing_is_meant_where_much_tells_of_it() -> None:
    texts = [f"Rex did trick number {number} today." for number in range(4)] + ["It rains."] * 96
    assert len(telling(frozenset({"rex"}), texts)) > MOST_MEANT
    assert telling(frozenset({"rex"}), texts[2:]) == [0, 1]
    assert telling(frozenset(), texts) == []


@pytest.mark.parametrize(
    ("text", "topic", "left"),
    [
        ("I owe Armstrong's four thousand for feed. Keep that to yourself.", {"armstrong"}, "…"),
        (
            "The cows are fine. Something I've told nobody. I owe Armstrong's money.",
            {"armstrong"},
            "The cows are fine. …",
        ),
        ("今天四十单。偷偷跟你说个事 我借了网贷 两万", {"网贷"}, "今天四十单。 …"),
        ("跟你说个没跟任何人讲过的。我去楼道里坐了二十分钟。", {"楼道"}, "…"),
        ("跟你说个没跟任何人讲过的。上礼拜我把年糕放在床上,自己去楼道里坐了二十分钟。", {"楼道"}, "…"),
        ("饭吃了。上礼拜我把年糕放在床上,自己去楼道里坐了二十分钟。", {"楼道"}, "饭吃了。 …"),
        ("My PIN is 4417.", set(), "…"),
        ("", {"pin"}, "…"),
    ],
)
def test_what_led_up_to_it_goes_with_it(text: str, topic: set[str], left: str) -> None:
    assert told_part(text, frozenset(topic)) == left


@given(st.lists(st.sampled_from(DIARY), min_size=1, max_size=5), st.sampled_from(["armstrong", "网贷", "ine"]))
def test_what_is_left_never_names_it(parts: list[str], word: str) -> None:
    left = told_part(" ".join(parts), frozenset({word}))
    assert not mentions(left, frozenset({word})) or word not in topic_words(" ".join(parts))


CORPUS = [
    line.split("\t")
    for line in (Path(__file__).parents[3] / "corpora" / "forget_requests.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_many_wordings_most_are_read_and_no_other_is(language: str) -> None:
    """By somebody who saw no pattern; the patterns were written in view of every second line."""
    asks = [
        forget_request(text) is not None for tongue, kind, text, *_ in CORPUS if (tongue, kind) == (language, "asks")
    ]
    others = [text for tongue, kind, text, *_ in CORPUS if (tongue, kind) == (language, "not") and forget_request(text)]
    assert others == []
    assert sum(asks) / len(asks) >= 0.6
