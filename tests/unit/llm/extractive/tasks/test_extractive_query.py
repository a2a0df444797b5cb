"""Understanding a question without a model: its parts, times, names, depth, leaning and mood, planted and arbitrary."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import math
import time
from datetime import UTC, datetime

from hypothesis import example, given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.schema.engine_tasks import Depth, QueryAnalysis, QueryRequest
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.analyse_query import _ASKING, analyse
from spoken_texts import moments, texts

NOW = int(datetime(2024, 6, 12, 15, tzinfo=UTC).timestamp() * 1000)


def of(query: str, *said: tuple[str, str]) -> QueryAnalysis:
    turns = tuple(Turn(seq, Role.USER, speaker, text, NOW) for seq, (speaker, text) in enumerate(said, 1))
    return analyse(QueryRequest(query, NOW, turns))


def day(at_ms: int | None) -> str | None:
    return None if at_ms is None else datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d")


COURTESY = [
    "Hi!", "Hello Caroline, how are you?", "ok thanks", "Thank you so much!", "good morning", "lol", "bye, see you tomorrow",
    "你好", "好的，谢谢！", "哈哈哈", "你好，你最近怎么样？", "早上好", "晚安", "嗯嗯", "ok 好的", "😀😀", "...", "", "是吗？", "haha yes",
]  # fmt: skip
ASKED = [
    "Hi, where is Anna?", "谢谢，小红住在哪里？", "好吃的餐厅有哪些", "great places to visit?", "早就想问你了，我妈妈生日是哪天？", "why?",
    "I had pasta with Anna", "你记得我吗", "no sugar for whom?", "right hand or left hand?",
]  # fmt: skip
PARTS = [
    ("Where does Anna live and what does she do?", ["Where does Anna live", "what does she do?"]),
    ("Did we go to Rome, and did we see the Colosseum?", ["Did we go to Rome", "did we see the Colosseum?"]),
    ("What did we eat? Where did we sleep?", ["What did we eat?", "Where did we sleep?"]),
    ("小红住在哪里，她的猫叫什么？", ["小红住在哪里", "她的猫叫什么？"]),
    ("小明几岁？还有他喜欢什么？", ["小明几岁？", "还有他喜欢什么？"]),
    ("我妈妈的生日是哪天；我爸爸喜欢吃什么", ["我妈妈的生日是哪天", "我爸爸喜欢吃什么"]),
    ("Anna喜欢吃什么，还有 Bob 的 birthday 是哪天？", ["Anna喜欢吃什么", "Bob 的 birthday 是哪天？"]),
    ("What does Nate make that is sweet and is delicious?", ["What does Nate make that is sweet and is delicious?"]),
    ("When did Anna fall and have to stay in bed?", ["When did Anna fall and have to stay in bed?"]),
    ("Do you know salt and pepper?", ["Do you know salt and pepper?"]),
    ("What do Anna and Bob like?", ["What do Anna and Bob like?"]),
    ("小红和小明喜欢什么？", ["小红和小明喜欢什么？"]),
    ("昨天下雨了，我们去了哪里？", ["昨天下雨了，我们去了哪里？"]),
]  # fmt: skip
TIMES = [
    ("What did I do last week?", "2024-06-03", "2024-06-10"),
    ("What happened in May 2023?", "2023-05-01", "2023-06-01"),
    ("What did I eat yesterday?", "2024-06-11", "2024-06-12"),
    ("What did I do before May 2023?", None, "2023-05-01"),
    ("What did I do after 3 March 2024?", "2024-03-04", None),
    ("Since 2020, what has changed?", "2020-01-01", None),
    ("Where did I live between 2019 and 2021?", "2019-01-01", "2022-01-01"),
    ("What did we eat in August?", "2023-08-01", "2023-09-01"),
    ("Where will we go in August?", "2024-08-01", "2024-09-01"),
    ("我8月份主要在哪里办公？", "2023-08-01", "2023-09-01"),
    ("我们八月打算去哪里？", "2024-08-01", "2024-09-01"),
    ("上周我去了哪里？", "2024-06-03", "2024-06-10"),
    ("去年夏天我们做了什么", "2023-06-01", "2023-09-01"),
    ("五月之前我做了什么？", None, "2024-05-01"),
    ("2023年以来小明搬过几次家？", "2023-01-01", None),
    ("2022年5月3号以后我去过哪里？", "2022-05-04", None),
    ("Tell me about last week", "2024-06-03", "2024-06-10"),
    ("What should I cook today?", None, None),
    ("I had pasta with Anna today", None, None),
    ("我今天应该吃什么？", None, None),
    ("Where does Anna live?", None, None),
]  # fmt: skip
DEPTHS = [
    (Depth.SKIM, "Where is Anna?"), (Depth.SKIM, "Who is Bob?"), (Depth.SKIM, "小红住在哪里？"), (Depth.SKIM, "我的生日是哪天"),
    (Depth.NORMAL, "What is Anna's sister's job?"), (Depth.NORMAL, "How do I make dumplings?"), (Depth.NORMAL, "上周发生了什么？"),
    (Depth.NORMAL, "Where does Anna live and what does she do?"), (Depth.NORMAL, "红烧肉怎么做？"),
    (Depth.NORMAL, "What was the name of the little restaurant near the station where we met Clara?"),
    (Depth.DEEP, "Why did Anna quit her job?"), (Depth.DEEP, "为什么小明不开心？"), (Depth.DEEP, "仔细想想，我喜欢什么"),
    (Depth.DEEP, "Compare Anna and Bob"), (Depth.DEEP, "总结一下我的一年"), (Depth.DEEP, "Think carefully: where did we meet?"),
    (Depth.DEEP, "How did Anna get over the loss?"), (Depth.DEEP, "小红和小明有什么区别？"),
    (Depth.NORMAL, "Quick! Why did she leave?"), (Depth.NORMAL, "快点告诉我，她为什么走了"), (Depth.SKIM, "快点告诉我小明在哪"),
]  # fmt: skip
LEANS = [
    ("specific", "When did we go to Rome?"), ("specific", "那次我们在哪里吃的饭"), ("abstract", "What do I usually eat?"),
    ("abstract", "我一般几点睡觉"), ("semantic", "Who is Bob?"), ("semantic", "小红最喜欢的颜色是什么"),
    ("procedural", "How do I make dumplings?"), ("procedural", "红烧肉怎么做？"),
]  # fmt: skip


@every_row(COURTESY)
def test_courtesy_asks_for_nothing(query: str) -> None:
    analysis = of(query)
    assert analysis.depth is Depth.NONE
    assert analysis.subquestions == ()


@every_row(ASKED)
def test_what_begins_like_courtesy_is_still_asked(query: str) -> None:
    analysis = of(query)
    assert analysis.depth is not Depth.NONE
    assert analysis.subquestions


@every_row(PARTS, unpack=True)
def test_parts(query: str, parts: list[str]) -> None:
    assert [part.text for part in of(query).subquestions] == parts


@every_row(TIMES, unpack=True)
def test_times(query: str, first: str | None, last: str | None) -> None:
    (part,) = of(query).subquestions
    assert (day(part.from_ms), day(part.to_ms)) == (first, last)


def test_parts_share_the_time_of_the_whole() -> None:
    parts = of("Last week, where did I go and who did I meet?").subquestions
    assert len(parts) == 2
    assert {(day(part.from_ms), day(part.to_ms)) for part in parts} == {("2024-06-03", "2024-06-10")}


@every_row(DEPTHS, unpack=True)
def test_depth(depth: Depth, query: str) -> None:
    assert of(query).depth is depth


@every_row(LEANS, unpack=True)
def test_leaning(kind: str, query: str) -> None:
    leaning = of(query).leaning
    weights = {name: getattr(leaning, name) for name in ("specific", "abstract", "semantic", "procedural")}
    assert max(weights, key=lambda name: weights[name]) == kind
    assert weights[kind] > 0.3


@every_row(
    [
        ("Where did Anna go?", ("Anna",)),
        ("Anna's dog?", ("Anna",)),
        ("小红住在哪里", ("小红",)),
        ("Anna喜欢什么？", ("Anna",)),
        ("Compare Anna and Bob", ("Anna", "Bob")),
        ("为什么小明不开心", ("小明",)),
    ],
    unpack=True,
)
def test_names(query: str, names: tuple[str, ...]) -> None:
    assert of(query).subquestions[0].entities == names


def test_a_pronoun_takes_the_names_last_spoken_of() -> None:
    said = ("Anna", "I bought a dog named Rex in Denver."), ("Bob", "Nice!")
    assert of("and what does it eat?", *said).subquestions[0].entities == ("Rex", "Denver")
    assert of("她的狗呢？", ("Anna", "我给小红买了一条狗")).subquestions[0].entities == ("小红",)
    assert of("where does bob live?", *said).subquestions[0].entities == ("Bob",)


def test_an_empty_question_is_read_with_what_it_follows() -> None:
    (part,) = of("why?", ("Anna", "I quit my job at the bakery.")).subquestions
    assert "bakery" in part.text
    (part,) = of("为什么？", ("Anna", "我把面包店的工作辞了")).subquestions
    assert "面包店" in part.text


@every_row(
    [
        (True, "Tell me quickly, where is Anna?"),
        (True, "JUST TELL ME WHERE IT IS!!!"),
        (True, "快点说，小明在哪"),
        (True, "赶紧告诉我密码"),
        (False, "Do you remember our quick trip to Rome?"),
        (False, "他怎么才能跑快点"),
        (False, "Where is Anna?"),
    ],
    unpack=True,
)
def test_impatience(hurried: bool, query: str) -> None:
    assert (of(query).mood.impatience >= 0.7) is hurried


@every_row(
    [
        (-1, "I feel so sad. What did my mum say?"),
        (1, "I'm so happy! When was it?"),
        (-1, "我很难过，奶奶说过什么？"),
        (1, "太好了！是哪天？"),
        (0, "Where is Anna?"),
        (0, "What is my favourite colour?"),
    ],
    unpack=True,
)
def test_valence(sign: int, query: str) -> None:
    valence = of(query).mood.valence
    assert (valence > 0) - (valence < 0) == sign


@every_row(
    [
        (True, "What did my mum say to me?"),
        (True, "我一般几点睡觉"),
        (True, "I'm so sad, why did it end?"),
        (False, "Where does Anna live?"),
        (False, "Can you tell me who Bob is?"),
        (False, "告诉我小明住在哪里"),
        (False, "小红喜欢什么？"),
    ],
    unpack=True,
)
def test_cares(cares: bool, query: str) -> None:
    assert of(query).cares is cares


@settings(deadline=None)
@given(query=texts, said=st.lists(st.tuples(texts, texts), max_size=4), now_ms=moments)
@example(query="\x00 ? doesn't like", said=[], now_ms=0)  # what stands before the question is no sentence
async def test_any_question_gives_a_valid_analysis_and_always_the_same(
    query: str, said: list[tuple[str, str]], now_ms: int
) -> None:
    turns = tuple(Turn(seq, Role.USER, speaker, text, now_ms) for seq, (speaker, text) in enumerate(said, 1))
    request = QueryRequest(query, now_ms, turns)
    analysis = await ExtractiveEngine().analyse_query(request)
    assert len(analysis.subquestions) <= 3
    assert bool(analysis.subquestions) is (analysis.depth is not Depth.NONE)
    for part in analysis.subquestions:
        assert part.text.strip()
        assert part.from_ms is None or part.to_ms is None or part.from_ms < part.to_ms
        assert len(part.entities) <= 8
        assert all(part.entities)
    weights = [getattr(analysis.leaning, name) for name in ("specific", "abstract", "semantic", "procedural")]
    assert math.isclose(sum(weights), 1.0, abs_tol=1e-6)
    assert min(weights) >= 0
    assert -1 <= analysis.mood.valence <= 1
    assert 0 <= analysis.mood.arousal <= 1
    assert 0 <= analysis.mood.impatience <= 1
    assert analysis == await ExtractiveEngine().analyse_query(request)


def test_a_wall_of_text_is_analysed() -> None:
    for wall in ("why and where, " * 40_000, "为什么，" * 100_000, "hi " * 100_000, "a" * 500_000):
        assert len(of(wall).subquestions) <= 3


def test_a_row_of_commas_is_read_about_as_fast_as_words_between_commas() -> None:
    """Each comma may open what asks: a pattern that tries every stretch of signs after it takes fourteen times as long."""

    def least_s(text: str) -> float:
        took = list[float]()
        for _ in range(9):
            began = time.thread_time()
            assert _ASKING.search(text) is None
            took.append(time.thread_time() - began)
        return min(took)

    assert least_s("lamp " + "，" * 1990) < 6 * least_s("lamp " + "，我" * 995)
