"""What counts as information: plain statements in any person leave a summary and notes, small talk leaves none."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Sequence

import pytest

from every_row import every_row
from slowness import within
from soulmem.core.calendar import calendar_math
from soulmem.core.schema.note_requests import NoteDraft, Role, SplitRequest, SummariseRequest, Summary, Turn
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.language.sentence_splitter import sentences_of
from soulmem.llm.extractive.language.statement_similarity import MOST_EMBEDDED
from soulmem.llm.extractive.reading.statements import statements_of
from soulmem.llm.extractive.tasks import split, summarise
from soulmem.ports import FloatMatrix
from spread import spread

AT = calendar_math.day_number(2026, 3, 6) * calendar_math.DAY_MS

STATEMENTS = [
    "The printer ate a chive pocket.", "My dog is called Biscuit.", "Ann sailed to the island.", "Dad died.",
    "The server room is on the third floor.", "He works at the mill.", "Paris is the capital of France.",
    "The train leaves at nine.", "Bob hates olives.", "It rains in Bergen.", "Nobody knows where the boat went.",
    "They sold the farm in 1990.", "there are seven goats on the island", "The red door leads to the cellar!",
    "打印机吃了一个韭菜盒子。", "我的狗叫饼干。", "安去了岛。", "磨坊烧了。", "钥匙在门垫下面。", "火车九点开。",
    "他在磨坊工作。", "她有两个哥哥", "老王讨厌橄榄。", "汤是绿色的。", "岛上有七只山羊", "船沉了。",
    "红色的门通向地窖！",
    "Ann 去了 Corfu。", "我们 deploy 了新的 server。",
]  # fmt: skip
SMALL_TALK = [
    "Hey! Good morning!", "How are you?", "Thanks so much!", "Wow, that's amazing!", "Haha, yeah.", "Of course.",
    "What a lovely day!", "How cute!", "You are the best.", "I'm so happy for you!", "See you tomorrow!", "Got it.",
    "Congratulations!", "Happy birthday!", "No problem at all.", "I totally agree.", "Let me know!", "Me neither.",
    "where do you live", "what are you doing", "Sure thing, buddy.", "Nice to meet you, Ann.", "That's hilarious!",
    "你好呀！", "好久不见！", "最近怎么样？", "谢谢你", "太棒了！", "哈哈哈哈", "好的，没问题", "晚安，好梦", "辛苦了",
    "你真厉害！", "加油，你可以的", "真的吗", "我也是", "好可爱！", "祝你生日快乐！", "你在干什么", "原来是这样",
    "那就好", "抱抱你。", "回头聊！", "太可惜了！", "多漂亮啊！", "你叫什么名字", "好的我知道了",
]  # fmt: skip
PLAIN = [
    "On day {n} Ann sailed to island {n}.",
    "安在第{n}天去了{n}号岛。",
    "On day {n} Ann sailed to island {n} 安在第{n}天去了{n}号岛。",
    "The mill burned down in winter {n}. 磨坊烧了。",
    "The printer ate a chive pocket.",
    "打印机吃了一个韭菜盒子。",
    "Ann sailed to the island. 安去了岛。",
]


def talk(*lines: str) -> tuple[Turn, ...]:
    """Lines said in turn by a user and an assistant."""
    return tuple(
        Turn(seq, Role.USER if seq % 2 else Role.ASSISTANT, "user" if seq % 2 else "assistant", line, AT + seq * 60_000)
        for seq, line in enumerate(lines, 1)
    )


def digest(told: Sequence[Turn]) -> tuple[Summary, tuple[NoteDraft, ...]]:
    summary = summarise.summarise(SummariseRequest(None, tuple(told)), None)
    return summary, split.split(SplitRequest(summary, tuple(told)))


@every_row(STATEMENTS)
def test_what_states_something_informs(text: str) -> None:
    assert any(statement.informs for statement in statements_of(talk(text)))


@every_row(SMALL_TALK)
def test_small_talk_does_not(text: str) -> None:
    assert not any(statement.informs for statement in statements_of(talk(text)))


@every_row(STATEMENTS)
def test_one_statement_among_courtesies_is_summarised_and_noted(text: str) -> None:
    summary, made = digest(
        talk("Hi! 你好！", "Hello, how are you? 你好呀，最近怎么样？", text, "Haha, nice! 哈哈，真好！")
    )
    assert [{source.seq for source in point.sources} for point in summary.points] == [{3}]
    assert made
    assert all(source.seq == 3 and source.quote in text for note in made for source in note.sources)


@pytest.mark.parametrize(("pattern", "count"), spread(PLAIN, [3, 6, 8, 20]))
def test_plain_talk_is_never_forgotten(pattern: str, count: int) -> None:
    told = talk(*(pattern.format(n=number) for number in range(2, 2 + count)))
    summary, made = digest(told)
    total = sum(len(turn.text) for turn in told)
    assert summary.points
    assert len(summary.text) <= (0.4 if total >= summarise.SHORT else summarise.SHORT_SHARE) * total or (
        len(summary.points) == 1
    )
    if "{n}" in pattern:  # differing by number, they are different facts, however many there are
        numbered = [note for note in made if any(char.isdigit() for char in note.sources[0].quote)]
        assert len(numbered) == count
        assert len({note.text for note in made}) == len(made) <= count + 1
        assert {source.seq for note in made for source in note.sources} == set(range(1, count + 1))
    else:  # said over and over, they are one
        assert len(made) <= len({sentence.language for sentence in sentences_of(1, pattern)})


def test_a_sentence_in_two_languages_keeps_its_person() -> None:
    _, made = digest(talk("Hi! 你好！", "嗨", "I planted 3 trees 我种了3棵树", "哈哈"))
    assert [note.text.split("：", 1)[1] for note in made] == ["I planted 3 trees 我种了3棵树"]


async def test_statements_without_room_in_the_summary_still_become_notes() -> None:
    filler = "and the harbour was full of gulls that cried until the lamps were lit along the pier"
    told = talk(*(f"In port {number} the crew unloaded {number * 7} crates, {filler}." for number in range(2, 12)))
    summary, made = digest(told)
    assert 0 < len(summary.points) < 10
    assert {source.seq for note in made for source in note.sources} == set(range(1, 11))
    told = talk(
        *(
            f"船员在第{number}个港口卸下了{number * 7}箱货，码头上到处都是海鸥，叫到灯亮起来才停。"
            for number in range(2, 12)
        )
    )
    summary, made = digest(told)
    assert 0 < len(summary.points) < 10
    assert {source.seq for note in made for source in note.sources} == set(range(1, 11))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wall_without_full_stops_leaves_a_summary(language: str) -> None:
    wall = {
        "en": " ".join(f"the crew carried crate {number} over to the old mill and" for number in range(90)),
        "zh": "".join(f"船员把第{number}箱货搬到老磨坊去了然后" for number in range(90)),
    }[language]
    summary, made = digest(talk("Hi! 你好！", wall, "Haha! 哈哈！"))
    assert summary.points
    assert len(summary.text) <= 0.4 * len(wall) + 8
    assert made


QUOTING = [
    (
        'I said "Marjorie?" in the waiting room and nobody answered. Then I left.',
        ['I said "Marjorie?" in the waiting room and nobody answered.', "Then I left."],
    ),
    ('She said "I quit. I am done." and left. He stayed.', ['She said "I quit. I am done." and left.', "He stayed."]),
    ('He asked "Are you ok?" Then he left.', ['He asked "Are you ok?"', "Then he left."]),
    ('"Hello there. I missed you," he said. Fine.', ['"Hello there.', 'I missed you," he said.', "Fine."]),
    ("Really? No way!", ["Really?", "No way!"]),
    (
        "我在候诊室喊了一声“玛乔丽？”没人答应。然后我走了。",
        ["我在候诊室喊了一声“玛乔丽？”没人答应。", "然后我走了。"],
    ),
    ("他说：“我走了。不回来了。”她哭了。", ["他说：“我走了。不回来了。”", "她哭了。"]),
]


@every_row(QUOTING, unpack=True)
def test_quoted_speech_does_not_cut_its_sentence(text: str, cut: list[str]) -> None:
    assert [sentence.text for sentence in sentences_of(1, text)] == cut


@pytest.mark.parametrize("text", ['I asked her "Where is the key?"', "我问她：“钥匙在哪里？”"])
def test_to_tell_of_a_question_is_not_to_ask(text: str) -> None:
    assert not any(sentence.is_question for sentence in sentences_of(1, text))
    assert digest(talk("Hi!", "你好", text))[1]


def test_a_long_message_is_cut_alike_however_it_is_read() -> None:
    """Stretch by stretch is how long messages are searched; no sentence may come out otherwise because of it."""
    text = "The crew sailed to Corfu [waves], and Dr. Vale stayed. 安去了岛！ “Who? Me?” she said. " * 200
    period = len(text) // 200
    cut = sentences_of(1, text)
    assert len(cut) % 200 == 0
    once = [s.text for s in cut[: len(cut) // 200]]
    assert [s.text for s in cut] == once * 200
    assert all(s.start % period == cut[index % len(once)].start for index, s in enumerate(cut))


class CountingEmbedder(HashingEmbedder):
    """The real one, keeping count of what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        self.asked.append(len(texts))
        return super().embed(texts)


async def test_only_what_is_on_the_edge_is_embedded() -> None:
    rng = random.Random(3)
    words = ("harbour", "lantern", "orchard", "violin", "saddle", "compass", "thistle", "anchor", "bakery", "quarry")
    told = talk(
        *(f"Marta carried the {rng.choice(words)} to the {rng.choice(words)} in {n}." for n in range(1900, 1960))
    )
    embedder = CountingEmbedder()
    engine = ExtractiveEngine(embedder)
    summary = await engine.summarise(SummariseRequest(None, told))
    assert await engine.split(SplitRequest(summary, told))
    assert len(embedder.asked) == 1  # by the summary: notes leave nothing out, so there is nothing to weigh
    assert max(embedder.asked) <= MOST_EMBEDDED


def watched(work: Callable[[], object]) -> tuple[float, float]:
    """(the longest time a worker thread kept this one from running, ms; how long it worked, s)."""
    worked: list[float] = []

    def run() -> None:
        began = time.thread_time()
        work()
        worked.append(time.thread_time() - began)

    worker = threading.Thread(target=run)
    longest, last = 0.0, time.perf_counter()
    worker.start()
    while worker.is_alive():
        time.sleep(0.0005)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return longest * 1000, worked[0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        "the cat yesterday went to Denver with Anna and bought 3 books because my sister likes tea ",
        "我昨天去了北京的医院看妈妈她说三天前他很好喜欢猫",
        "a,",
        "Aa ",
        *(pytest.param(text, marks=pytest.mark.torture) for text in ("a", "[", '"', "A.", "I am I like I'm ")),
    ],
)
def test_one_huge_message_is_read_in_time_and_lets_others_run(text: str) -> None:
    """A search over the whole of it would hold the interpreter; the best of a few tries leaves out a busy machine."""
    huge = (text * 262_144)[: 262_144 if text.isascii() else 87_000]
    told = talk("Where?", huge, "ok")
    read: list[Summary] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)
    try:
        for work in (
            lambda: read.append(summarise.summarise(SummariseRequest(None, told), None)),
            lambda: split.split(SplitRequest(read[-1], told)),
        ):
            bound = within(50)
            gaps, spans = zip(*_tried(work, bound), strict=True)
            assert min(gaps) <= bound, gaps
            assert spans[0] < 2.0
    finally:
        sys.setswitchinterval(before)
    assert len(read[-1].text) <= 0.4 * (len(huge) + 8)


def _tried(work: Callable[[], object], bound: float) -> list[tuple[float, float]]:
    """What came of it each time, until it kept nobody waiting."""
    tries = [watched(work)]
    while len(tries) < 5 and min(tries)[0] > bound:
        tries.append(watched(work))
    return tries


@pytest.mark.parametrize(
    "told",
    [
        "蒋老师给介绍了个家教 教初二小孩数学 一小时八十 那小孩第一句话问我什么段位",
        "我换了新工作 你觉得怎么样", "我换了新工作 你觉得怎么样？",
        "我的猫又拉稀了 怎么办", "我弟问我借钱 我该怎么办？", "我在想要不要换工作", "我纠结要不要分手",
        "我妈说要不要回家吃饭", "你记得我养了只猫吗",
    ],
)  # fmt: skip
def test_what_is_told_before_a_question_without_a_stop_is_told(told: str) -> None:
    assert [each.untold for each in statements_of([Turn(1, Role.USER, "阿泽", told, 1_775_070_000_000)])] == [None]


@pytest.mark.parametrize(
    "asked",
    [
        "你记得我说过的那家店吗 叫什么",
        "你记得我上次说的那本书吗",
        "你觉得我要不要染头发",
        "我该不该辞职",
        "那家新开的店 你去过吗 怎么样",
        "刚才说到我妹妹 她叫什么来着",
        "周末你想去哪 吃什么",
    ],
)
def test_what_only_asks_in_two_breaths_tells_nothing(asked: str) -> None:
    assert None not in [each.untold for each in statements_of([Turn(1, Role.USER, "阿泽", asked, 1_775_070_000_000)])]


@every_row(
    [
        ("know this: 1 im coeliac so no bread, 2 my nan raised me, 3 i bite my nails",
         ["know this:", "im coeliac so no bread", "my nan raised me", "i bite my nails"]),
        ("记住三件事：1、我花生过敏，2、我怕狗，小时候被咬过，3、别叫我大名",
         ["记住三件事：", "我花生过敏", "我怕狗，小时候被咬过", "别叫我大名"]),
        ("第一，我不吃辣，第二，我晚上十点睡，第三，叫我阿宁", ["我不吃辣", "我晚上十点睡", "叫我阿宁"]),
        ("house rules: (1) no phones at dinner, (2) no shoes inside, (3) 进门先洗手再说话",
         ["house rules:", "no phones at dinner", "no shoes inside", "进门先洗手再说话"]),
        ("Shopping: 1 egg, 2 cups of flour, 3 spoons", ["Shopping: 1 egg, 2 cups of flour, 3 spoons"]),
        ("I have 1 dog, 2 cats and 3 birds", ["I have 1 dog, 2 cats and 3 birds"]),
        ("房子是 1 厅 2 房，3 楼", ["房子是 1 厅 2 房，3 楼"]),
    ],
    unpack=True,
)  # fmt: skip
def test_the_points_of_a_list_told_in_one_line_are_sentences(text: str, cut: list[str]) -> None:
    assert [sentence.text for sentence in sentences_of(1, text)] == cut


@every_row(
    [
        (
            "things u need to know about me: 1 im coeliac so no bread, 2 my nan raised me, 3 i bite my nails",
            "things u need",
        ),
        ("记住三件事：1、我花生过敏，2、我怕狗，小时候被咬过，3、别叫我大名", "记住"),
        ("my rules 规矩如下：1、no phones at dinner 吃饭不看手机，2、进门先洗手，3、别叫我大名", "如下"),
    ],
    unpack=True,
)
def test_each_point_is_told_by_itself_and_what_announces_them_is_not(text: str, heading: str) -> None:
    _, made = digest([Turn(1, Role.USER, "Tash", text, 1_775_070_000_000)])
    assert len([note for note in made if note.sources]) >= 3
    assert not any(heading in note.text for note in made)
