"""The filter expression: what it means, what it refuses, and that no text whatever does anything else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.reranking.filter_expressions import DEEPEST, LONGEST, InvalidFilterError, Subject, parse

NOTE = Subject(
    relevance=0.4, recency=0.9, importance=0.8, valence=-0.5, age_days=3.0, kind="semantic",
    tags=frozenset({"work", "家 人", "O'Brien", "2026"}),
)  # fmt: skip

PASSES = [
    "relevance > 0.3", "relevance>.3", "relevance >= 0.4", "relevance = 0.4", "relevance == 4e-1", "relevance != 0.5",
    "valence < 0", "valence > -0.6", "valence > -.6", "age_days < 7", "AGE_DAYS <= 3.", "recency > +0.5",
    "kind = semantic", "kind == 'semantic'", "kind != plan", 'kind != "lore"',
    "tag = work", "tag = '家 人'", 'tag = "O\'Brien"', "tag != play", "tag = 2026", "tag != 音乐",
    "relevance > 0.3 and importance > 0.5", "relevance > 0.5 or importance > 0.5",
    "not relevance > 0.5", "not (kind = plan or kind = lore)", "NOT not (((kind = semantic)))",
    "relevance > 0.9 and kind = plan or kind = semantic", "kind = semantic or relevance > 0.9 and kind = plan",
    "not kind = plan and kind = semantic", "  relevance\t>\n0.1  ", "(relevance>0.1)and(tag=work)",
]  # fmt: skip


@every_row(PASSES)
def test_what_passes(text: str) -> None:
    assert parse(text)(NOTE) is True
    assert parse(f"not ({text})")(NOTE) is False
    assert parse(f"({text}) and valence > 0")(NOTE) is False


def test_and_binds_tighter_than_or_and_not_tightest() -> None:
    for kind, relevance, importance in [("plan", 0.0, 0.0), ("plan", 1.0, 0.0), ("lore", 1.0, 1.0), ("lore", 0.0, 1.0)]:
        note = replace(NOTE, kind=kind, relevance=relevance, importance=importance)
        found = parse("kind = plan or relevance > 0.5 and not importance > 0.5")(note)
        assert found is (kind == "plan" or (relevance > 0.5 and not importance > 0.5))


REFUSED = [
    ("", "empty"), ("   ", "empty"), ("relevance", "after relevance"), ("relevance >", "a number"),
    ("relevance > high", "a number"), ("relevance > '0.5'", "a number"), ("relevance 0.5", "after relevance"),
    ("relevence > 0.5", "'relevence'"), ("colour = red", "'colour'"), ("kind > semantic", "= != after kind"),
    ("kind = dream", "'dream'"), ("kind = trigger", "'trigger'"), ("kind =", "ends"), ("tag < work", "= != after tag"),
    ("tag = 'work", "not closed"), ("relevance > 0.5 relevance < 1", "and, or or the end"),
    ("relevance > 0.5 &&  valence > 0", "'&&'"), ("(relevance > 0.5", "and, or or )"), ("relevance > 0.5)", "the end"),
    ("and", "'and'"), ("not", "ends"), ("()", "')'"), ("relevance > nan", "a number"), ("relevance > inf", "a number"),
    ("relevance > 1e999", "too large"), ("relevance > 1_000", "'1_000'"), ("relevance > ٣", "a number"),
    ("relevance > 0.5.5", "0.5.5"), ("0.5 < relevance", "a column"), ("relevance > 0.5; drop table note", "';'"),
    ("__import__('os')", "'__import__'"), ("__class__ = 1", "'__class__'"), ("passes = 1", "'passes'"),
    ("relevance.__class__ = 1", "'.__class__'"), ("tags = work", "did you mean tag"), ("lambda: 1", "'lambda'"),
    ("relevance > (0.5)", "a number"), ("relevance > 0.1 and", "ends"), ("重要 > 0.5", "'重要'"),
    ("relevance ＞ 0.5", "＞"), ("importance > 0.5 和 valence > 0", "'和'"),
]  # fmt: skip


@every_row(REFUSED, unpack=True)
def test_what_is_refused_says_what_is_wrong_and_what_is_allowed(text: str, said: str) -> None:
    with pytest.raises(InvalidFilterError) as caught:
        parse(text)
    assert said in f"{caught.value} {caught.value.hint}"
    assert caught.value.hint
    assert "\n" not in str(caught.value)


@every_row([
        "x" * 100_000, "(" * 100_000, "not " * 25_000, "'" + "a" * 100_000, "relevance > 0." + "1" * 100_000,
        " " * 100_000, "relevance > 0.5 and " * 5_000, "((" * 50_000 + "关" * 10,
    ])  # fmt: skip
def test_what_is_too_long_is_refused_unread(text: str) -> None:
    with pytest.raises(InvalidFilterError, match=str(LONGEST)) as caught:
        parse(text)
    assert len(str(caught.value)) < 200


def test_the_depth_is_bounded() -> None:
    core = "relevance > 0.1"
    for wrap in ("({})", "not {}", "not ({})"):
        steps = DEEPEST if wrap != "not ({})" else DEEPEST // 2
        text = core
        for _ in range(steps):
            text = wrap.format(text)
        assert parse(text)(NOTE)
        for _ in range(steps):
            text = wrap.format(text)
        with pytest.raises(InvalidFilterError, match="deep"):
            parse(text)
    with pytest.raises(InvalidFilterError, match="deep"):
        parse("(" * LONGEST)
    assert parse(" and ".join(["valence<0"] * 34))(NOTE), "a long row is not deep"


words = st.sampled_from(
    [
        "relevance", "kind", "tag", "and", "or", "not", "(", ")", "<", ">=", "=", "!=", "0.5", "-1", "'家'", "plan",
        "'", "é", ".", "__", "\x00", "\ud800",
    ]
)  # fmt: skip


@given(st.one_of(st.text(max_size=600), st.lists(words, max_size=40).map(" ".join), st.lists(words).map("".join)))
@example("a" * 501)
@example("\u3000relevance > 0.5\u3000")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except InvalidFilterError as error:
        said, hint = str(error), error.hint
    else:
        said = hint = str(found(NOTE))
    assert said
    assert hint


trees = st.recursive(
    st.sampled_from(["relevance > 0.5", "kind = semantic", "tag = work", "valence >= 0", "importance = 0.8"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map(lambda part: f"not {part}"),
    ),
    max_leaves=8,
)


@given(trees)
def test_it_means_what_the_words_mean(text: str) -> None:
    """Held against Python's own reading of the same words, which the parser never uses."""
    if len(text) > LONGEST:
        return
    python = text.replace("relevance > 0.5", "False").replace("kind = semantic", "True").replace("tag = work", "True")
    python = python.replace("valence >= 0", "False").replace("importance = 0.8", "True")
    assert parse(text)(NOTE) is eval(python)
