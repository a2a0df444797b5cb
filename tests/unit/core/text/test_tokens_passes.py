"""One pass over a text: every shortcut gives what the plain way of working it out gives."""

from __future__ import annotations

import math
import random
import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.conversation import message_features, topic_shift
from soulmem.core.text import tokens
from soulmem.core.text.tokens import asks, estimate_tokens, fold, segment, stored_hashes, text_hashes
from soulmem.text_memo import WordCache

MIXED = (
    st.text(alphabet="abcXYZ'’ʼ＇ \t\u3000,.09年号點時，？！：；（）～…的什么怎么我图书馆éßﬁİ\u0301กั゛ガﾞ한😀_-Ａ½ﬀ")
    | st.text()
)


def bare(char: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.category(c).startswith("M"))


def test_the_characters_that_folding_does_not_look_at_have_nothing_to_fold() -> None:
    planes = (*range(0x33480), *range(0xE0000, 0xE0200))  # no character lies beyond but for private ones
    plain = [chr(code) for code in planes if not tokens._FOLDABLE.match(chr(code))]
    assert len(plain) > 20_000
    assert [char for char in plain if bare(char) != char and unicodedata.is_normalized("NFKC", char)] == []


@given(MIXED)
def test_wide_punctuation_replaced_beforehand_changes_no_folding(text: str) -> None:
    straight = re.sub("[\u2019\u02bc\uff07]", "'", text)
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", straight).casefold()
    whole = folded if folded.isascii() else "".join(tokens._bare(char) for char in folded)
    assert fold(text) == whole


@given(st.text(alphabet=st.characters(max_codepoint=127)) | st.text(alphabet="abz09,' -"))
def test_words_between_spaces_are_read_as_the_whole_text_would_be(text: str) -> None:
    pieces = re.findall(r"[a-z]+(?:'[a-z]+)*|[0-9]+(?:,[0-9]{3})*", text.lower())
    assert segment(text) == [tokens._stem(p) if p[0] > "9" else p.replace(",", "") for p in pieces]


@given(MIXED)
def test_token_estimates_are_those_of_the_formula(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text)
    cjk = len(tokens._IS_CJK.findall(folded))
    words = sum(max(1.3, len(word) / 6) for word in tokens._IS_CJK.sub(" ", folded).split())
    assert estimate_tokens(text) == (max(1, math.ceil(round(cjk + words, 6))) if text else 0)


@given(MIXED)
def test_what_is_derived_from_known_terms_is_what_the_text_alone_gives(text: str) -> None:
    terms = segment(text)
    assert stored_hashes(terms, asking=asks(text)) == text_hashes(text).tobytes()
    assert topic_shift.utterance(text, terms=terms) == topic_shift.utterance(text)
    assert topic_shift.utterance(text, opens=False).terms == topic_shift.utterance(text).terms


@given(
    MIXED | st.text(alphabet="abcXYZ', 09!?") | st.sampled_from(["what is it", "the a of", "I do. Do you?", "?", ""])
)
def test_one_reading_gives_what_each_question_by_itself_gives(text: str) -> None:
    for opens in (True, False):
        whole = message_features.read(text, opens=opens)
        assert whole.tokens == estimate_tokens(text)
        assert whole.hashes == text_hashes(text).tobytes()
        assert whole.said == topic_shift.utterance(text, opens=opens)


def test_a_long_text_shows_its_subject_at_its_beginning() -> None:
    text = "harbour market violin. " * 100 + "submarine"
    assert message_features.read(text, opens=True).said.terms == {"harbour", "market", "violin"}
    assert message_features.read(text, opens=True).hashes == text_hashes(text).tobytes()


@given(st.text(alphabet="我图书馆的什么々〇1年2,000日号abc'd，。？“” "))
def test_han_and_letters_are_read_as_any_script_is(text: str) -> None:
    assert not tokens._BEYOND_HAN.search(fold(text))
    # A sign of another script sends the same text the general way.
    assert segment(text + " ☂") == segment(text)


@given(MIXED)
def test_a_text_of_grammar_alone_shows_its_longer_words_and_others_what_they_ask_for(text: str) -> None:
    asked = tokens.query_terms(text)
    assert topic_shift.utterance(text).terms == frozenset(filter(topic_shift._names_subject, asked))


@given(st.sampled_from(["on a separate note", "change the subject", "talk about something else", "new topic",
                        "switching gears", "moving on to", "换个话题", "聊点别的", "說點別的", "不说这个了", "換話題"]),
       st.text(max_size=20), st.text(max_size=20))  # fmt: skip
def test_a_switch_is_never_overlooked(said: str, before: str, after: str) -> None:
    opening = fold(before + " " + said + " " + after).strip()
    found = topic_shift._SWITCH.search(opening) is not None
    assert (topic_shift._cue(opening) is topic_shift.Cue.SWITCH) == found


# Stems are stored, so they must never change: these were made by Snowball's English stemmer, version 3.
@every_row([
        ("generously", "generous"), ("running", "run"), ("skies", "sky"), ("dying", "die"), ("happily", "happili"),
        ("communication", "communic"), ("hopefulness", "hope"), ("relational", "relat"), ("inning", "inning"),
        ("lying", "lie"), ("ugly", "ugli"), ("news", "news"), ("exceeding", "exceed"), ("archaeology", "archaeolog"),
        ("sensationally", "sensat"), ("y", "y"), ("by", "by"), ("saying", "say"), ("yellowed", "yellow"),
    ], unpack=True)  # fmt: skip
def test_stems_stay_what_they_are(word: str, stem: str) -> None:
    assert segment(word) == [stem]


def test_what_is_remembered_is_bounded_and_forgetting_changes_nothing() -> None:
    asked: list[str] = []

    def answer(word: str) -> int:
        asked.append(word)
        return len(word)

    memory = WordCache(answer, 10)
    randomness = random.Random(7)
    for _ in range(500):
        word = "x" * randomness.randint(1, 80)
        assert memory[word] == len(word)
        assert len(memory) <= 10
        assert all(len(kept) <= 64 for kept in memory)
    assert len(asked) < 500
