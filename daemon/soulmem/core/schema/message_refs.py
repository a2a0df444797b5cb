"""Refs of messages: what tells a message of a mind from every other, for ids are the clients' own in each conversation.

`conversation/id`, in which a slash or a percent sign of the conversation's name is written as in addresses. Shown
beside the id wherever an answer holds a message, and understood where ids are given back.
"""

from __future__ import annotations


def message_ref(conversation: str, client_id: str) -> str:
    """The ref of the message that its client calls so."""
    return f"{conversation.replace('%', '%25').replace('/', '%2F')}/{client_id}"


def read_ref(text: str) -> tuple[str, str] | None:
    """Conversation and id of a ref; None of what is none."""
    conversation, slash, client_id = text.partition("/")
    if not slash or not conversation or not client_id:
        return None
    return conversation.replace("%2F", "/").replace("%25", "%"), client_id
