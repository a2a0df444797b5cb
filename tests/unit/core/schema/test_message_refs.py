"""Refs of messages: no two messages of a mind share one, and each says again which it is."""

from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.schema.message_refs import message_ref, read_ref

WORDS = st.text("ab/%2F5 群", min_size=1, max_size=6)


def test_what_a_ref_looks_like() -> None:
    assert message_ref("main", "m7") == "main/m7"
    assert message_ref("群/聊", "x/y") == "群%2F聊/x/y"
    for text in ("m7", "/m7", "main/", "", "/"):
        assert read_ref(text) is None


@given(WORDS, WORDS)
def test_a_ref_says_which_message_it_is(conversation: str, client_id: str) -> None:
    assert read_ref(message_ref(conversation, client_id)) == (conversation, client_id)
