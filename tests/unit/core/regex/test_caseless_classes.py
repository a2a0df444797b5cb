"""Wide classes that are compiled without regard to case match what they matched."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.regex.caseless_classes import with_caseless_classes

# All that can have a case, and some of the rest.
CHARACTERS = "".join(map(chr, (*range(0x20000), *range(0x20000, sys.maxunicode + 1, 61))))
TEXT = st.text("abkKsSiIıİſ\u212aé中国々·%-^]「 ", max_size=12)


@pytest.mark.parametrize("negation", ["", "^"])
@pytest.mark.parametrize(
    "members",
    [r"\u4e00-\u9fff", "一-鿿", r"\u4e00-\u9fffA-Za-z", r"\u4e00-\u9fff·%", r"A-Za-z0-9\u3400-\u9fff \-", r"\d一-鿿々"],
)
def test_a_wide_class_matches_the_same_characters(negation: str, members: str) -> None:
    written = f"[{negation}{members}]"
    rewritten = with_caseless_classes(written)
    assert rewritten.startswith("(?-i:["), "it is one that takes long to compile"
    found = re.findall(rewritten, CHARACTERS, re.IGNORECASE)
    assert found == re.findall(written, CHARACTERS, re.IGNORECASE)


@pytest.mark.parametrize(
    "written",
    [
        r"[abc]", r"[\u0400-\u9fff]", r"[\u4e00-\u9fffé]", r"[\u4e00-\u9fffa-f]", r"[\w\u4e00-\u9fff]",
        r"\[\u4e00-\u9fff\]", r"(?-i:[A-Za-z\u4e00-\u9fff])",
    ],
)  # fmt: skip
def test_narrow_classes_and_letters_with_a_case_stay_as_they_are(written: str) -> None:
    assert with_caseless_classes(written) == written


@given(
    TEXT,
    st.sampled_from([r"(?P<o>[一-鿿A-Za-z]{1,3}?)k?\b", r"(?<=[一-鿿])s|[^一-鿿]+", r"([一-鿿]|[a-c])\1|\[[一-鿿·]"]),
)
def test_patterns_find_what_they_found(text: str, written: str) -> None:
    before, after = (re.compile(each, re.IGNORECASE) for each in (written, with_caseless_classes(written)))
    assert before.pattern != after.pattern
    assert [(each.span(), each.groups()) for each in before.finditer(text)] == [
        (each.span(), each.groups()) for each in after.finditer(text)
    ]
