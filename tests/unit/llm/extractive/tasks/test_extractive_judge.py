"""Judging notes without a model: planted answers and gaps in both languages, and that labels are always known."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from every_row import every_row
from soulmem.core.schema.engine_tasks import Judgement, JudgeRequest, Labelled, LabelledLink
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.judge import judge
from spoken_texts import labelled, texts

ENOUGH = [
    (["Where does Anna live?"], ["Anna lives in Denver.", "Bob likes jazz."]),
    (["What is Anna's job?"], ["Anna works as a baker (8 May 2023).", "Bob likes jazz."]),
    (["How many cats does Anna have?"], ["Anna has two cats.", "Anna has a dog."]),
    (["When did Melanie paint a sunrise?"], ["Melanie painted a lake sunrise last year (2022).", "Caroline went to a support group."]),
    (["Where does Anna live?", "What is Bob's dog called?"], ["Anna lives in Denver.", "Bob has a dog named Rex."]),
    (["Is Anna married?"], ["Anna is married to Tom.", "Bob is tired."]),
    (["Anna住在哪里？"], ["Anna搬到了北京", "小红喜欢爬山"]),
    (["小明在哪里上班？"], ["小明在网易工作", "小红喜欢爬山"]),
    (["小明的猫叫什么"], ["小明养了一只猫，名叫豆包", "天气很好"]),
    (["张伟去年去了哪里旅行？"], ["张伟去云南旅行了（2023年5月8日）", "李娜喜欢茶"]),
    (["小红对什么过敏？"], ["小红对芒果过敏", "小红在上海"]),
    (["小红喜欢什么？", "Where does Bob live?"], ["小红喜欢爬山", "Bob lives in Rome"]),
]  # fmt: skip
GAPS = [
    (["Where does Clara live?"], ["Anna lives in Denver.", "Bob likes jazz."], "Clara"),
    (["Where does Anna live?", "What is Bob's dog called?"], ["Anna lives in Denver.", "Bob likes jazz."], "What is Bob's dog called?"),
    (["How many cats does Anna have?"], ["Anna loves cats.", "Anna has a dog."], "How many cats does Anna have?"),
    (["When did Melanie run a marathon?"], ["Melanie painted a lake sunrise.", "Caroline went to a group."], "When did Melanie run a marathon?"),
    (["What is Bob's favourite food?"], ["Anna's favourite food is sushi.", "Anna likes tea."], "Bob"),
    (["张伟去年去了哪里旅行？"], ["张伟喜欢喝茶", "李娜去年去了云南"], "张伟去年去了哪里旅行？"),
    (["小红的生日是哪天？"], ["小红对芒果过敏", "小红在上海"], "小红的生日是哪天？"),
    (["小明养了几只猫？"], ["小明喜欢猫", "小明怕狗"], "小明养了几只猫？"),
    (["anything"], ["Anna lives here"], "anything"),
    (["Where does Anna live?"], ["Anna lives in Denver."], ""),
    (["Where?"], [], "Where?"),
]  # fmt: skip


def notes(*told: str) -> tuple[Labelled, ...]:
    return tuple(Labelled(f"N{index}", text, 1_700_000_000_000) for index, text in enumerate(told, 1))


@every_row(ENOUGH, unpack=True)
def test_enough(asked: list[str], told: list[str]) -> None:
    verdict = judge(JudgeRequest(tuple(asked), notes(*told)))
    assert verdict.sufficient, verdict
    assert verdict.missing == ()
    assert verdict.useful_nodes[0] == "N1"


@every_row(GAPS, unpack=True)
def test_gaps_are_named(asked: list[str], told: list[str], missing: str) -> None:
    verdict = judge(JudgeRequest(tuple(asked), notes(*told)))
    assert not verdict.sufficient
    assert verdict.missing == ((missing,) if missing else ())


def test_useful_are_at_most_three_and_links_between_them() -> None:
    told = notes(
        "Anna lives in Denver.",
        "Bob paints.",
        "Anna's home is Denver.",
        "Anna's flat in Denver is small.",
        "Anna loves Denver.",
    )
    links = (
        LabelledLink("e1", "N1", "tells of", "N3"),
        LabelledLink("e2", "N1", "", "N2"),
        LabelledLink("e3", "N9", "", "N1"),
    )
    verdict = judge(
        JudgeRequest(("Where in Denver does Anna live?",), told, links, (LabelledLink("d1", "N3", "", "N1"),))
    )
    assert len(verdict.useful_nodes) == 3
    assert "N2" not in verdict.useful_nodes
    assert verdict.useful_links == ("e1",)
    assert verdict.useful_dummies == ("d1",)


class NearEmbedder:
    """Vectors by the subject a text names: what other words say the same lies close."""

    name = "near"
    fingerprint = "0" * 12
    dimension = 3

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        kinds = (("residence", "denver", "home"), ("jazz", "music"), ())
        rows = np.zeros((len(texts), 3), dtype=np.float32)
        for row, text in enumerate(texts):
            rows[
                row, next(i for i, words in enumerate(kinds) if not words or any(w in text.lower() for w in words))
            ] = 1
        return rows

    def coverage(self, text: str) -> float:
        return 1.0


def test_the_same_in_other_words_is_known_by_vectors() -> None:
    request = JudgeRequest(
        ("Which town is the residence of my friend?",), notes("She settled in Denver.", "He plays jazz.")
    )
    assert not judge(request).sufficient
    verdict = judge(request, NearEmbedder())
    assert verdict.sufficient
    assert verdict.useful_nodes == ("N1",)


@settings(deadline=None)
@given(asked=st.lists(texts, max_size=3), told=labelled(), data=st.data())
async def test_any_notes_give_a_valid_judgement_and_always_the_same(
    asked: list[str], told: tuple[Labelled, ...], data: st.DataObject
) -> None:
    ends = st.sampled_from([*(note.label for note in told), "N99"])
    links = tuple(LabelledLink(f"e{i}", data.draw(ends), "", data.draw(ends)) for i in range(3))
    request = JudgeRequest(tuple(asked), told, links, links)
    engine = ExtractiveEngine(HashingEmbedder())
    verdict: Judgement = await engine.judge(request)
    assert 0.0 <= verdict.confidence <= 1.0
    assert set(verdict.useful_nodes) <= {note.label for note in told}
    assert len(verdict.useful_nodes) <= 3
    assert set(verdict.useful_links) <= {link.label for link in links}
    assert set(verdict.useful_dummies) <= {link.label for link in links}
    assert not (verdict.sufficient and verdict.missing)
    assert not (
        verdict.sufficient
        and len([note for note in told if note.text.strip()]) < 2
        and asked
        and any(map(str.strip, asked))
    )
    assert verdict == await engine.judge(request)
