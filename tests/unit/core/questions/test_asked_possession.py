"""What somebody has now is nothing that is gone, and nothing that is only wished for."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.questions.asked.asked_owner import asks_held, says_not_held, tells_loss
from soulmem.core.search.answer_kind import things_of

# question, text, whether all that it says of such a thing is that nobody has it
_HELD = [
    ("What car do I drive?", "The Volvo died on the bypass. Scrapped it, two hundred quid.", True),
    ("What car do I drive?", "I drive an old Volvo estate.", False),
    ("What car do I drive?", "Sold the Volvo and bought a Skoda off Marlene.", False),
    ("What car do I drive?", "I'd love a Porsche one day.", True),
    ("What car do I drive?", "I'd love a sandwich.", False),  # of cars nothing is said
    ("What car do I drive?", "I'm saving up for a Tesla.", True),
    ("我现在开什么车？", "我偷偷存了四万块，想给老公换台车。", True),
    ("我现在开什么车？", "买了台二手的比亚迪，白的。", False),
    ("我现在开什么车？", "那辆捷达卖了，一万八。", True),
    ("What car did I drive before?", "The Volvo died on the bypass.", False),
    ("我以前开什么车？", "那辆捷达卖了，一万八。", False),
]
_CALLED = [
    ("What's my dog's name?", "Joss wants a dog when we're there, a greyhound.", "dog", True),
    ("What's my dog's name?", "My dog Rex wants a walk.", "dog", False),
    ("What's my dog's name?", "We adopted a dog, Rex, and he wants walks.", "dog", False),
    ("我的狗叫什么？", "陆川想在新家养条狗，柴犬。", "狗", True),
    ("我的狗叫什么？", "我的狗旺财想出门。", "狗", False),
    ("我的狗叫什么？", "领养了一条狗，叫豆包。", "狗", False),
]


@every_row(_HELD, unpack=True)
def test_what_is_gone_or_wished_for_nobody_has(question: str, text: str, is_not: bool) -> None:
    assert says_not_held(question, text, things_of(question), ()) is is_not


@every_row(_CALLED, unpack=True)
def test_what_is_wished_for_has_no_name_yet(question: str, text: str, thing: str, is_not: bool) -> None:
    assert says_not_held(question, text, (), (thing,)) is is_not


def test_a_loss_is_told_where_nothing_came_instead() -> None:
    assert tells_loss("高尔夫今天卖了，一万八。")
    assert tells_loss("The Volvo died on the bypass.")
    assert not tells_loss("Traded the Golf in, got a van.")
    assert not tells_loss("旧手机丢了，买了个新的。")


def test_what_somebody_had_is_not_asked_as_what_he_has() -> None:
    assert asks_held("Which phone do I have?")
    assert asks_held("我养什么宠物？")
    assert not asks_held("What car did I use to drive?")
    assert not asks_held("我之前用什么手机？")
