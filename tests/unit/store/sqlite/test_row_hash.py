"""The hashes of rows are stored, so they must stay what they are."""

from __future__ import annotations

from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from soulmem.store.sqlite.row_hash import row_hash

VALUES = (
    st.text() | st.text(alphabet="\ud800\udfff'\"\\\n茶é😀") | st.integers() | st.floats() | st.binary() | st.none()
)


@given(st.lists(VALUES, max_size=7))
def test_each_value_stands_behind_its_length(values: list[object]) -> None:
    framed = b""
    for value in values:
        raw = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        framed += len(raw).to_bytes(4, "big") + raw
    assert row_hash(*values) == blake2b(framed, digest_size=16).digest()


def test_where_one_value_ends_and_the_next_begins_counts() -> None:
    assert len({row_hash("ab", "c"), row_hash("a", "bc"), row_hash("abc"), row_hash("ab", "c", "")}) == 4
    assert row_hash("水", 1).hex() == row_hash("水", 1).hex() != row_hash("水", "1").hex()
