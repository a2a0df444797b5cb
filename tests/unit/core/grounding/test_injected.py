"""Text of ours that comes back: all of it is recognised, and nobody's first words ever are."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.grounding.echo_masking import cut, index_of, mask, open_parts, read_turns
from soulmem.core.grounding.served_text_index import ANYBODY, MOST_UNITS, Origin, ServedIndex, ServedText
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.core.text import shingles
from soulmem.core.text.shingles import RUN, runs, units_of

NOTE = "Ann bought a red kayak from her neighbour Ingrid, who lives by the sea."
ZH_NOTE = "小林从邻居阿芳那里买了一辆红色的二手自行车。"

_ENGLISH = st.sampled_from(
    ("river", "stone", "lamp", "garden", "violin", "winter", "letter", "harbour", "bread", "mirror", "engine", "forest")
)
_CHINESE = st.sampled_from("山水火风云雨石木花鸟鱼虫")
_WORDS = st.lists(_ENGLISH, min_size=8, max_size=24).map(" ".join)
_CHARACTERS = st.lists(_CHINESE, min_size=12, max_size=40).map("".join)
_PASSAGE = st.one_of(
    _WORDS, _CHARACTERS, st.tuples(_CHARACTERS, _WORDS).map("，".join), st.tuples(_WORDS, _CHARACTERS).map(" ".join)
)
_OTHER = st.text(alphabet="abcxyzäöABC0123 .,!?:\n-「」甲乙丙丁戊", max_size=80)
_OWN = st.sampled_from([Origin.NOTE, Origin.PERSONA, Origin.LORE, Origin.SYSTEM])


def masked_words(text: str, served: ServedIndex, **by: object) -> str:
    return " ".join(text[m.start : m.end] for m in mask(text, served, **by))  # type: ignore[arg-type]


def is_covered(text: str, start: int, end: int, served: ServedIndex, **by: object) -> bool:
    spans = mask(text, served, **by)  # type: ignore[arg-type]
    return all(any(span.start <= at < span.end for span in spans) for at in range(start, end) if text[at].isalnum())


# -- properties ----------------------------------------------------------------------------------------------------


@given(_PASSAGE, _OTHER, _OTHER, _OWN)
@settings(max_examples=300, deadline=None)
def test_a_passage_of_ours_is_covered_wherever_it_stands(
    passage: str, before: str, behind: str, origin: Origin
) -> None:
    served = ServedIndex([ServedText(passage, origin)])
    text = f"{before} {passage} {behind}"
    start = len(before) + 1
    assert is_covered(text, start, start + len(passage), served)


@given(_PASSAGE, _OTHER, _OTHER)
@settings(max_examples=200, deadline=None)
def test_a_message_is_covered_where_another_repeats_it(passage: str, before: str, behind: str) -> None:
    served = ServedIndex([ServedText(passage, Origin.MESSAGE, 3, "Ann")])
    text = f"{before}. {passage}. {behind}"
    start = len(before) + 2
    assert is_covered(text, start, start + len(passage), served, seq=4, speaker="Mira")


@given(_PASSAGE, _PASSAGE, st.booleans())
@settings(max_examples=300, deadline=None)
def test_what_shares_no_run_is_not_masked(passage: str, text: str, spoken: bool) -> None:
    one, other = units_of(passage), units_of(text)
    shared = {one.hash_of(*run) for run in runs(one)} & {other.hash_of(*run) for run in runs(other)}
    served = ServedIndex([ServedText(passage, Origin.MESSAGE if spoken else Origin.NOTE)])
    if not shared and one.hash_of(0, len(one)) != other.hash_of(0, len(other)):
        assert mask(text, served) == ()


@given(st.lists(st.tuples(st.sampled_from(["Ann", "Mira"]), _PASSAGE), min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_the_first_to_say_something_is_never_masked(talk: list[tuple[str, str]]) -> None:
    texts = [ServedText(text, Origin.MESSAGE, seq, speaker) for seq, (speaker, text) in enumerate(talk, 1)]
    texts += [ServedText(text, Origin.NOTE, len(talk), speaker) for speaker, text in talk]
    served = index_of(texts)
    heard: set[int] = set()
    for seq, (speaker, text) in enumerate(talk, 1):
        units = units_of(text)
        here = {units.hash_of(*run) for run in runs(units)} | {units.hash_of(0, len(units))}
        if not here & heard:
            assert mask(text, served, seq=seq, speaker=speaker) == ()
        heard |= here


@given(_PASSAGE, _OTHER)
@settings(max_examples=200, deadline=None)
def test_spans_are_in_order_and_what_is_left_is_the_rest(passage: str, other: str) -> None:
    served = ServedIndex([ServedText(passage, Origin.NOTE)])
    text = f"{other}\n{passage}\n{other}"
    spans = mask(text, served)
    edges = [edge for span in spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(text) for edge in edges)
    for start, end in open_parts(text, spans):
        assert all(end <= span.start or span.end <= start for span in spans)
    turn = Turn(1, Role.USER, "Ann", text, 0)
    left = cut(turn, spans).text
    assert mask(left, served) == ()
    assert all(piece in text for piece in left.split("\n"))


# -- shapes in which it comes back -----------------------------------------------------------------------------------


@pytest.mark.parametrize("note", [NOTE, ZH_NOTE])
@pytest.mark.parametrize(
    ("frame", "left"),
    [
        ("Relevant memories:\n- [2026-02-20] {}\nWhat shall I cook?", "What shall I cook?"),
        ("相关记忆：\n* {}\n今晚吃什么？", "今晚吃什么？"),
        ("I remember: {}", ""),
        ("我记得：{}", ""),
        ("1. {}\n2. {}\nThanks for listening, Mira.", "Thanks for listening, Mira."),
        ("> {}\nI moved to Oslo.", "I moved to Oslo."),
        ("[2026-02-20] Ann: {}", ""),
        ("小林: “{}”\n我搬家了。", "我搬家了。"),
        ("## Memories\n{}\n\nI moved to Oslo.", "I moved to Oslo."),
    ],
)
def test_headings_bullets_days_and_labels_go_with_it(note: str, frame: str, left: str) -> None:
    served = ServedIndex([ServedText(note, Origin.NOTE)])
    turn = Turn(1, Role.USER, "Ann", frame.format(note, note), 0)
    assert cut(turn, mask(turn.text, served)).text == left


def test_width_case_and_blanks_do_not_hide_it() -> None:
    served = ServedIndex(
        [ServedText(NOTE, Origin.NOTE), ServedText("他在 Google 上班，住在苏黎世的老城区", Origin.NOTE)]
    )
    for text in (
        NOTE.upper(),
        "Ａｎｎ　ｂｏｕｇｈｔ　ａ　ｒｅｄ　ｋａｙａｋ　ｆｒｏｍ　ｈｅｒ　ｎｅｉｇｈｂｏｕｒ　Ｉｎｇｒｉｄ",
        "Ann bought a red\n  kayak from\u00a0her neighbour — Ingrid",
        "他在Google上班,住在苏黎世的老城区!",
    ):
        assert is_covered(text, 0, len(text), served), text


def test_short_sentences_count_as_a_whole() -> None:
    served = ServedIndex([ServedText("Ann likes green tea.", Origin.NOTE), ServedText("小林喜欢喝茶。", Origin.NOTE)])
    assert masked_words("Ann likes green tea. I like coffee.", served) == "Ann likes green tea. "
    assert masked_words("我也爱咖啡。小林喜欢喝茶。", served) == "小林喜欢喝茶。"
    assert mask("Ann likes green", served) == ()
    assert mask("Ann likes green tea with honey", served) == ()


def test_ones_own_words_may_be_said_again() -> None:
    said = "I walk the dog along the river every morning before I go to work."
    served = index_of([ServedText(said, Origin.MESSAGE, 1, "Ann"), ServedText(NOTE, Origin.NOTE, 1)])
    assert mask(said, served, seq=9, speaker="Ann") == ()
    assert mask(f"As ever: {said}", served, seq=9, speaker="Ann") == ()
    assert masked_words(said, served, seq=9, speaker="Mira") == said
    assert masked_words(f"- {said}", served, seq=9, speaker="Ann") == f"- {said}"
    assert masked_words(f"Ann: {said}", served, seq=9, speaker="Ann").endswith(said)
    assert is_covered(f"{NOTE} {said}", 0, len(NOTE) + 1 + len(said), served, seq=9, speaker="Ann")


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("你还记得我和我家里人的什么事情？", "我小时候在奶奶家的院子里种过一棵柚子树，现在还在结果。"),
        ("What do you remember about me and my family?", "My brother Lars gets married on 14 June 2026 in Oslo."),
        ("你还记得 my brother Lars 的婚礼是哪一天吗？", "我们在 Oslo 的教堂里见过一次 Ingrid。"),
    ],
)
def test_ones_own_sentence_again_and_again_is_a_paste(asked: str, fact: str) -> None:
    served = index_of([ServedText(asked, Origin.MESSAGE, 1, "Ann")])
    pasted = " ".join([asked] * 6)
    turn = Turn(2, Role.USER, "Ann", f"Relevant memories:\n{pasted}\n{fact}", 0)
    assert cut(turn, mask(turn.text, served, seq=2, speaker="Ann")).text == fact
    once = f"{asked} {fact}"
    assert mask(once, served, seq=2, speaker="Ann") == (), "who asks again is not quoting"
    short = index_of([ServedText("好的呀。", Origin.MESSAGE, 1, "Ann")])
    assert mask("好的呀。好的呀。好的呀。", short, seq=2, speaker="Ann") == (), "short ones are said again and again"


@pytest.mark.parametrize("said", ["I love my cat.", "我养了一只橘猫。", "我爱 my cat。"])
def test_ones_own_words_stay_ones_own_though_another_was_noted_to_say_so(said: str) -> None:
    served = index_of([ServedText(said, Origin.MESSAGE, 3, "Ann"), ServedText(said, Origin.NOTE, 10, "Ben")])
    assert mask(said, served, seq=20, speaker="Ann") == ()
    assert masked_words(said, index_of([ServedText(said, Origin.NOTE, 10, "Ben")]), seq=20, speaker="Ann") == said


@pytest.mark.parametrize("sound", ["哈", "no "])
def test_laughter_does_not_repeat_itself(sound: str) -> None:
    served = index_of([ServedText(sound * 16, Origin.MESSAGE, 3, "Ann")])
    assert mask(sound * 19, served, seq=9, speaker="Ann") == ()


def test_only_what_came_before_counts() -> None:
    served = index_of([ServedText(NOTE, Origin.NOTE, 5)])
    assert mask(NOTE, served, seq=5) == ()
    assert mask(NOTE, served, seq=4) == ()
    assert mask(NOTE, served, seq=6) != ()


def test_a_summary_is_anybodys_words_until_it_stands_as_a_list() -> None:
    line = "Ann (1 March 2026): I moved from the old harbour to a flat above the bakery."
    served = index_of([ServedText(line, Origin.SUMMARY, 1, ANYBODY)])
    assert mask("I moved from the old harbour to a flat above the bakery, finally.", served, seq=2, speaker="Ann") == ()
    assert masked_words(f"Summary so far:\n{line}", served, seq=2, speaker="Ann") == f"Summary so far:\n{line}"


def test_words_belong_to_who_said_them_first() -> None:
    said = "I planted twelve apple trees behind the house of my parents."
    texts = [
        ServedText(said, Origin.MESSAGE, 1, "Ann"),
        ServedText(f"You told me: {said}", Origin.MESSAGE, 2, "Mira"),
    ]
    turns = [Turn(seq, Role.USER, text.speaker, text.text, 0) for seq, text in enumerate(texts, 1)]
    assert [bool(masked) for _, masked in read_turns(turns, index_of(texts))] == [False, True]
    assert mask(said, index_of(texts), seq=3, speaker="Ann") == ()
    assert [cut(turn, masked).text for turn, masked in read_turns(turns, index_of(texts))] == [said, ""]


# -- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_the_index_is_bounded() -> None:
    served = ServedIndex()
    for number in range(400):
        served.add(ServedText(" ".join(f"w{number}x{i}" for i in range(500)), Origin.NOTE))
    assert len(served._runs) <= MOST_UNITS
    first, last = (" ".join(f"w{number}x{i}" for i in range(20)) for number in (0, 399))
    assert mask(first, served) != ()
    assert mask(last, served) == (), "what came last found no room"


@pytest.mark.torture  # it takes the time
@pytest.mark.parametrize("word", ["a ", "啊", "a. ", "- ", "a:", "[1] ", "I remember: "])
def test_time_is_linear_whatever_the_text(word: str) -> None:
    served = ServedIndex([ServedText(word * 3_000, Origin.NOTE), ServedText(word * 3_000, Origin.MESSAGE, 0, "Ann")])

    def seconds(count: int) -> float:
        began = time.process_time()
        mask(word * count, served, speaker="Mira")
        return time.process_time() - began

    seconds(2_000)
    short, long = max(seconds(10_000), 0.005), seconds(80_000)
    assert long < 24 * short, f"8 times the text took {long / short:.0f} times as long"


def test_the_weights_are_as_told() -> None:
    assert len(list(runs(units_of("one two three four five six seven eight")))) == 1
    assert len(list(runs(units_of("一二三四五六七八九十甲乙")))) == 1
    assert list(runs(units_of("one two three four five six seven"))) == []
    assert RUN == 24


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("You said:\n\nAnn bought a red kayak from her neighbour Ingrid, who li\n\nIs that right?", "Is that right?"),
        ("你说过：\n\n小林从邻居阿芳那里买了一辆红色的二\n\n对吗？", "对吗？"),
        (f"{NOTE}\n[2026-03-01] Ann's best friend Solveig moved to Reykjavik t\n\nIs that right?", "Is that right?"),
        (f"{ZH_NOTE}\n[2026-03-01] 小林的好朋友阿芳搬到雷克雅未克去\n\n对吗？", "对吗？"),
        (f"{NOTE} Yes\n\nIs that right?", "Yes\n\nIs that right?"),
        (f"{ZH_NOTE}对\n真的", "对\n真的"),
    ],
)
def test_the_rest_of_a_word_that_was_cut_off_says_nothing(said: str, own: str) -> None:
    served = ServedIndex([ServedText(NOTE, Origin.NOTE), ServedText(ZH_NOTE, Origin.NOTE)])
    parts = open_parts(said, mask(said, served))
    assert said[parts[-1][0] : parts[-1][1]].strip() == own


@pytest.mark.parametrize(
    ("note", "item", "own"),
    [
        (NOTE, "Ann's best friend Solveig moved to Reykjavik t", "Is that right?"),
        (ZH_NOTE, "小林的好朋友阿芳搬到雷克雅未克去", "对吗？"),
        (f"{NOTE} {ZH_NOTE}", "Ann's best friend 阿芳搬到雷克雅未克去", "对吗？ Is that right?"),
    ],
    ids=["en", "zh", "mixed"],
)
def test_an_item_cut_off_behind_its_day_goes_though_its_day_had_come_back_before(
    note: str, item: str, own: str
) -> None:
    """The day alone is known as a whole line, so it is masked by itself: what follows it is an item all the same."""
    served = index_of([ServedText(note, Origin.NOTE), ServedText("[2026-03-01]", Origin.MESSAGE, 70, "Mira")])
    said = f"{note}\n[2026-03-01] {item}\n\n{own}"
    masked = mask(said, served, seq=78, speaker="Mira")
    assert [said[start:end].strip() for start, end in open_parts(said, masked)] == [own]


@pytest.mark.parametrize("letter", ["a", "é"])
def test_a_page_without_a_blank_is_read_and_not_kept(letter: str) -> None:
    kept = shingles._read.cache_info().currsize
    page = units_of(letter * 100_000)
    assert len(page) == 1
    assert page.prefix == units_of(letter * 100_000 + "!").prefix
    assert shingles._read.cache_info().currsize == kept
