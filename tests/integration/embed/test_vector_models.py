"""The vector models with the real encoders: what answers a question, and what leaves an earlier statement outdated."""

from __future__ import annotations

import numpy as np
import pytest

from real_model import installed_e5, installed_minilm, installed_multilingual
from soulmem.core.vector_models import answer_model, replacement_model
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.embed.base.model_manifest import E5, MINILM_INT8, MULTILINGUAL
from soulmem.ports import Embedder

# What was told, what leaves it outdated, and what sounds like it and leaves it standing.
TOLD = [
    (
        "I rent a room from an old lady in Kemptown.",
        "Got the keys on Friday, my own front door at last.",
        "The old lady painted my room while I was away.",
    ),
    (
        "I work the till at a garden centre.",
        "First week as a dental nurse done, my feet ache.",
        "A woman cried at my till today over a dead fern.",
    ),
    (
        "My dad drives a coach for a living.",
        "Dad handed in his licence and sleeps till nine like a lord.",
        "Dad had to change a tyre on the hard shoulder.",
    ),
    ("我在一家花店打工。", "我在幼儿园上了头一个礼拜的班，嗓子都喊哑了。", "花店今天来了一车玫瑰，搬得我腰疼。"),
    ("我跟室友合租在五楼。", "搬进自己买的小房子了，头一晚没睡着。", "室友过生日，五楼吵了一夜。"),
    ("我爸还在跑长途货车。", "我爸把车卖了，天天在楼下下棋。", "我爸昨晚在高速上堵了三个小时。"),
]


@pytest.fixture(scope="module", params=[MULTILINGUAL, E5])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    """MiniLM and one of other languages side by side."""
    minilm, other = installed_minilm(), installed_e5() if request.param == E5 else installed_multilingual()
    assert minilm.parent == other.parent
    return load_embedder(EmbedderSpec(f"{MINILM_INT8}+{request.param}"), minilm.parent)[0]


def test_a_change_is_told_from_what_sounds_like_one(embedder: Embedder) -> None:
    """The pair of `use-multilingual` knows them all; that of `e5` errs in one."""
    right = 0
    for first, then, alike in TOLD:
        found = replacement_model.logits(embedder.embed([first, then, alike]))
        right += bool(found[0, 1] > found[0, 2])
    assert right >= (len(TOLD) - 1 if embedder.name.endswith(E5) else len(TOLD))


# What is asked, what answers it, and what cosines alone put first.
ASKED = [
    (
        "Where do I work?",
        "First week at the bakery done, up at three every day.",
        "My cousin asked where I parked the van.",
    ),
    ("What does my brother do for a living?", "Tom drives the 47 bus these days.", "My brother rang, he sounded well."),
    ("我爸还抽烟吗？", "老爷子把烟戒了，天天嗑瓜子。", "我爸说楼下还在抽水。"),
    ("我跟谁住？", "房子里就我跟小雅两个人，还有她那堆花。", "楼上的住户半夜还在搬东西。"),
    ("我家养了什么？", "橘猫又把花盆打翻了。", "我家楼下新开了一家面馆。"),
]


def test_an_answer_is_told_from_what_shares_words(embedder: Embedder) -> None:
    """The pair of `use-multilingual` errs in one; that of `e5` knows not even half of these, which are the hardest."""
    right = 0
    for question, answer, alike in ASKED:
        asked, *told = embedder.embed([question, answer, alike])
        found = answer_model.logits(np.asarray(asked), np.stack(told))
        right += bool(found[0] > found[1])
    assert right >= (2 if embedder.name.endswith(E5) else len(ASKED) - 1)
