"""Segmentation: the same terms for the same words, in Chinese, English and both together."""

from __future__ import annotations

import os
import re
import sqlite3
from binascii import crc32

from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.text.tokens import (
    ASKING,
    asks,
    estimate_tokens,
    fts_query,
    index_text,
    is_cjk_pair,
    query_terms,
    script_of,
    segment,
    term_hashes,
    text_hashes,
)

EXAMPLES = 20_000 if os.environ.get("SOULMEM_TORTURE") else 200


@every_row(
    [
        ("Running runs RAN", ["run", "run", "ran"]),
        ("Caroline's café, naïve Åsa", ["carolin", "cafe", "naiv", "asa"]),
        ("don't — can’t", ["dont", "cant"]),
        ("艺术展", ["艺", "术", "展", "艺术", "术展"]),
        ("1月18号下午", ["1月", "18日", "下", "午", "下午"]),
        ("1月18日", ["1月", "18日"]),
        ("paid 1,280.50 at 13:56", ["paid", "1280", "50", "at", "13", "56"]),
        ("ＡＢＣ１２３", ["abc", "123"]),
        ("去Starbucks喝coffee", ["去", "starbuck", "喝", "coffe"]),
        ("がんばる", ["が", "ん", "ば", "る", "がん", "んば", "ばる"]),
        ("한국", ["한", "국", "한국"]),
        ("Москва й", ["москва", "и"]),
        ("😀🎉 ... —— ！", []),
        ("snake_case_name", ["snake", "case", "name"]),
        ("", []),
    ],
    unpack=True,
)
def test_segments(text: str, terms: list[str]) -> None:
    assert segment(text) == terms


@every_row(
    [
        ("What did Caroline research?", ["carolin", "research"]),
        ("When did she do it?", ["when", "did", "she", "do", "it"]),
        ("谁？", ["谁"]),
        ("他在哪里办公？", ["办", "公", "办公"]),
        ("我最喜欢什么coffee", ["最", "喜", "欢", "最喜", "喜欢", "coffe"]),
        ("他的猫在沙发上", ["猫", "沙", "发", "上", "沙发", "发上"]),
        ("the cat and the cat", ["cat"]),
        ("😀", []),
    ],
    unpack=True,
)
def test_question_words_do_not_search_unless_nothing_else_is_there(text: str, terms: list[str]) -> None:
    assert query_terms(text) == terms


@given(st.text(max_size=200))
@settings(max_examples=EXAMPLES, deadline=None)
def test_terms_are_letters_and_digits_and_a_query_is_empty_only_without_any(text: str) -> None:
    terms = segment(text)
    assert all(term and term.isalnum() for term in terms)
    assert bool(query_terms(text)) == bool(terms)
    assert set(query_terms(text)) <= set(terms) or not terms
    assert index_text(text).split(" ") == (terms or [""])


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=60))
@settings(max_examples=EXAMPLES, deadline=None)
def test_folding_does_not_depend_on_case_or_width(text: str) -> None:
    assert segment(segment_source := text.casefold()) == segment(segment_source.casefold())
    assert segment(text) == segment(text + " 😀")


TEXTS = [
    "Caroline went to a LGBTQ support group yesterday",
    "1月18号和彭雨晴一起参观了艺术展",
    "去Starbucks喝了coffee，很开心",
    "Über café naïve résumé don't",
    "हिन्दी ไทย Ελλάδα Москва й",
]


def test_fts5_finds_every_text_by_its_own_terms_and_only_those() -> None:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize='unicode61')")
    base.executemany("INSERT INTO t(rowid, body) VALUES (?, ?)", enumerate(map(index_text, TEXTS), start=1))
    for number, text in enumerate(TEXTS, start=1):
        for term in segment(text):
            rows = base.execute("SELECT rowid FROM t WHERE t MATCH ?", (f'"{term}"',)).fetchall()
            assert {row for (row,) in rows} == {
                n for n, other in enumerate(TEXTS, start=1) if term in segment(other)
            }, term
        hits = base.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank", (fts_query(text),)).fetchall()
        assert hits[0] == (number,)


def test_fts_query_quotes_every_term() -> None:
    assert fts_query('say "NEAR" OR café*') == '"say" OR "near" OR "cafe"'
    assert fts_query("!?") == ""
    assert re.fullmatch(r'"[^"]+"( OR "[^"]+")*', fts_query("1月中旬，我在哪里见过彭雨晴？"))


def test_hashes_are_crc32_and_stable() -> None:
    hashes = term_hashes(["run", "艺术", "run"])
    assert hashes.dtype.name == "uint32"
    assert hashes.tolist() == [crc32(b"run"), crc32("艺术".encode()), crc32(b"run")]
    assert hashes.tolist()[0] == 1349952704
    assert term_hashes([]).shape == (0,)


def test_a_text_is_stored_with_a_mark_when_it_asks() -> None:
    assert text_hashes("running?").tolist() == [*term_hashes(["run"]).tolist(), ASKING]
    assert text_hashes("running!").tolist() == term_hashes(["run"]).tolist()
    assert text_hashes("？").tolist() == []


@every_row(
    [
        ("I went home", "latin"),
        ("我回家了", "cjk"),
        ("我回家了 ok", "cjk"),
        ("在 Starbucks 喝咖啡", "mixed"),
        ("123 ... 😀", "none"),
        ("", "none"),
    ],
    unpack=True,
)
def test_script(text: str, script: str) -> None:
    assert script_of(text) == script


def test_asking_looks_past_quotes_and_emoji() -> None:
    assert asks("What's up?")
    assert asks("真的吗？😀")
    assert asks('He said "why?"')
    assert not asks("Why not? Because I say so.")
    assert not asks("")


def test_pairs_are_told_from_two_letter_words() -> None:
    assert is_cjk_pair("艺术")
    assert not is_cjk_pair("go")
    assert not is_cjk_pair("艺")


def test_token_estimates_grow_with_the_text_and_know_both_scripts() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("我回家了") == 4
    assert estimate_tokens("the quick brown fox jumps over the lazy dog again") == 13
    assert estimate_tokens("x" * 600) == 100
    assert estimate_tokens("我 love 你") == 4
