"""The hashing embedder: the same everywhere, near for what shares words, never failing."""

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.embed.adapters import hashing_embedder
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder

EMBEDDER = HashingEmbedder()


def similarity(one: str, other: str) -> float:
    first, second = EMBEDDER.embed([one, other])
    return float(first @ second)


@every_row(
    [
        ("Where did Anna move?", "Anna moved to Oslo in March.", "The cat hid under the sofa."),
        ("安娜搬到哪里了？", "安娜三月搬到了奥斯陆。", "那只猫躲在沙发下面。"),
        ("安娜喜欢什么茶", "Anna 最喜欢的是绿茶", "I bought new shoes today."),
        ("the Berlin trip", "她下周五去 Berlin 出差", "他昨天在家里做饭"),
        ("swimming lessons", "He swims twice a week", "Our landlord called"),
        ("ＡＮＮＡ", "anna is here", "nobody is there"),
    ],
    unpack=True,
)
def test_shared_words_bring_texts_near(query: str, near: str, far: str) -> None:
    assert similarity(query, near) > similarity(query, far) + 0.05


def test_words_of_grammar_weigh_little() -> None:
    assert similarity("what is the name of it", "the cat and the dog") < 0.35


def test_order_of_texts_is_kept_and_equal_texts_are_equal() -> None:
    matrix = EMBEDDER.embed(["我喜欢茶", "I like tea", "我喜欢茶"])
    assert np.array_equal(matrix[0], matrix[2])
    assert not np.array_equal(matrix[0], matrix[1])


@pytest.mark.thorough
def test_vectors_do_not_depend_on_the_process() -> None:
    """Python salts its own hash per process; ours must not show it."""
    program = (
        "import hashlib; from soulmem.embed.adapters.hashing_embedder import HashingEmbedder as H;"
        "print(hashlib.sha256(H().embed(['Anna went to 湖边 yesterday', '']).tobytes()).hexdigest())"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_fingerprint_is_pinned() -> None:
    """Whoever changes the vectors must change the version too; these figures notice it."""
    vector = EMBEDDER.embed(["Anna 去了湖边"])[0]
    assert EMBEDDER.fingerprint == "33298af627d2"
    assert {int(place): round(float(vector[place]), 4) for place in np.flatnonzero(np.abs(vector) > 0.3)} == {
        76: -0.4419,
        111: 0.4419,
        141: -0.4419,
        148: 0.4419,
    }


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_every_text_has_a_unit_vector(text: str) -> None:
    vector = EMBEDDER.embed([text])[0]
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1.0) < 1e-5


def test_lone_surrogates_and_long_texts_do_not_fail() -> None:
    matrix = EMBEDDER.embed(["\ud800 broken", "长" * 300_000, "a" * 300_000, "🐍" * 1000])
    assert np.allclose(np.linalg.norm(matrix, axis=1), 1.0, atol=1e-5)


@given(st.text(alphabet="abc def湖边去abc的the ", max_size=80))
@settings(max_examples=100, deadline=None)
def test_features_are_added_one_by_one_in_single_precision(text: str) -> None:
    row = np.zeros(256, dtype=np.float32)
    for (place, weight), count in Counter(hashing_embedder._features(text)).items():
        row[place] += np.float32(weight * count**0.5)
    norm = float(np.linalg.norm(row))
    assert not norm or HashingEmbedder().embed([text])[0].tobytes() == (row / norm).tobytes()
