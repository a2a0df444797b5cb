"""What tells that a text repeats another one, and whether what a note was made of is still said."""

from __future__ import annotations

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.text.repetition import is_carried, still_stands, telling
from soulmem.core.text.tokens import fold

# (deleted, says the same, only speaks of the same things)
REPEATED = [
    ("my pin is 4471", "so your PIN is 4471, noted!", "what is my pin again?"),
    ("The wifi password is tulip-99-otter", "try tulip-99-otter, thats the wifi password", "the wifi is slow"),
    ("My sister Marta moved to Zagreb", "Marta, your sister, moved to Zagreb?", "is Zagreb cold in March?"),
    (
        "im seeing dr okonkwo about my knee on friday",
        "good luck with dr Okonkwo and the knee on Friday",
        "how's the knee",
    ),
    ("Call me on 07700 900123", "I called 07700 900123 twice", "call me later"),
    ("我的密码是七七三九", "好的，你的密码是七七三九", "密码改了吗"),
    ("我姐姐住在苏州，有两个孩子", "你姐姐住苏州，有两个孩子对吧", "苏州好玩吗"),
    ("房东老欧周四来修锅炉", "老欧周四来修锅炉，记下了", "锅炉又坏了"),
    ("手机号13800138000", "拨了13800138000没人接", "你手机呢"),
    ("my 生日 is 3月14日 at Lilla's place", "生日 3月14日 at Lilla's place, got it", "happy 生日"),
]


@every_row(REPEATED, unpack=True)
def test_a_repetition_is_told_from_talk_of_the_same_things(deleted: str, same: str, other: str) -> None:
    traces = telling([deleted])
    assert traces.is_repeated_in(same)
    assert not traces.is_repeated_in(other)


@every_row(REPEATED, unpack=True)
def test_what_was_made_of_a_text_is_found_by_any_wording_it_had(deleted: str, same: str, other: str) -> None:
    assert other not in (deleted, same)
    assert telling(["Something quite different 别的", deleted]).is_source_of(deleted)
    assert telling([deleted]).is_source_of(same)


@given(st.text(max_size=200))
def test_a_text_is_made_of_itself(text: str) -> None:
    traces = telling([text])
    assert traces.is_source_of(text) is bool(traces.terms)
    assert not telling([]).is_source_of(text)


@every_row([("I saw her cry", "she cried and cries"), ("my cat is dying", "the cat died"), ("in July", "july!"),
     ("it cost 1,234", "1234 it was"), ("O'Neill came", "oneill"), ("18号见老欧", "18日老欧"),
     ("Zoë's flat", "ZOE flat")], unpack=True)  # fmt: skip
def test_other_forms_of_a_word_are_found(told: str, again: str) -> None:
    assert telling([told]).may_stand_in(again)


@every_row(
    [
        ("I live in Berlin", "I live in Berlin. My sister is Marta.", "I live in Berlin. My sister is Brigitte.", True),
        ("My sister is Marta", "I live in Berlin. My sister is Marta.", "I live in Berlin. My sister is Bea.", False),
        ("in Berlin", "I live in Berlin.", "I never said that I live in Berlin.", False),
        ("i live in berlin", "i live in berlin", "I live in Berlin!", True),
        ("我住在苏州", "我住在苏州。我养猫。", "我住在苏州。我养狗。", True),
        ("我养猫", "我住在苏州。我养猫。", "我住在苏州。我养狗。", False),
        ("住在苏州", "我住在苏州", "我不住在苏州", False),
        ("a cat. And a dog", "I have a cat. And a dog.", "I have a cat. And a bird.", False),
        ("nowhere", "I have a cat.", "I have a cat.", False),
        ("", "I have a cat.", "I have a cat.", False),
    ],
    unpack=True,
)
def test_a_note_stands_on_sentences_that_are_said_as_they_were(
    quote: str, before: str, after: str, stands: bool
) -> None:
    assert still_stands(quote, before, after) is stands


@given(st.text(max_size=80), st.text(max_size=80))
def test_what_is_not_changed_stands_and_what_is_gone_does_not(before: str, after: str) -> None:
    for piece in (each.strip() for each in re.split(r"[.!?。！？…;；\n]+", before) if fold(each).strip()):
        assert still_stands(piece, before, before)
        assert not still_stands(piece, before, "")
        still_stands(piece, before, after)


@every_row(
    [
        ("Ann is allergic to penicillin", ["I am allergic to penicillin."], True),
        ("The user said: my dog is Rex", ["my dog is Rex, lol"], True),
        ("The wedding is on 23 November", ["the wedding dress is ready"], False),
        ("Ann对青霉素过敏", ["我对青霉素过敏"], True),
        ("婚礼在11月23日", ["婚纱做好了"], False),
        ("", ["anything"], False),
    ],
    unpack=True,
)
def test_a_note_is_carried_by_those_who_say_every_word_of_it(note: str, by: list[str], carried: bool) -> None:
    assert is_carried([note], by, ["Ann", "The user"]) is carried


def test_long_texts_take_time_in_step_with_their_length() -> None:
    took = []
    for size in (20_000, 80_000):
        text = "".join(f"word{number} 词{number}。" for number in range(size // 12))
        began = time.thread_time()
        traces = telling([text])
        assert traces.is_source_of(text)
        assert still_stands(text[: size // 2], text, text)
        took.append(time.thread_time() - began)
    assert took[1] < 12 * took[0] + 0.05
