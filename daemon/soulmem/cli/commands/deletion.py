"""`soulmem edit` and `soulmem delete`: putting right what was said, and removing it for good.

`edit` gives a message other words; what was made of the former ones follows. `delete` removes a message with all that
was made of it, or a note; it asks first, tells what else says the same, and removes that too if it is asked to.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from soulmem.cli.commands.talk import ATTRIBUTE_LIKE, ConversationOption
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, confirm, opens_session, wellformed
from soulmem.cli.output.key_values import key_values
from soulmem.cli.output.tables import err, out, paint, plural

SeqOption = Annotated[
    int | None, typer.Option("--seq", metavar="N", help="The message by its number in the conversation.", min=1)
]
KeepOption = Annotated[
    bool,
    typer.Option("--keep-notes", help="Leave what was made of the former words as it is, and these in the history."),
]


@opens_session
def edit(
    session: Session,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[ID] [TEXT]", help="The message, unless --seq names it; text.")
    ] = None,
    seq: SeqOption = None,
    conversation: ConversationOption = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option("--attribute", metavar="KEY=VALUE", help="Its attributes from now on, and no others; repeated."),
    ] = None,
    bare: Annotated[bool, typer.Option("--no-attributes", help="Take its attributes away.")] = False,
    keep_notes: KeepOption = False,
) -> None:
    """Give a message other words or attributes; notes and summaries of the former words follow."""
    attributes = key_values(attribute, like=ATTRIBUTE_LIKE) if attribute else {} if bare else None
    texts = list(words or ())
    named = texts.pop(0) if seq is None and texts else None
    if (seq is None) is (named is None) or len(texts) > 1 or not (texts or attributes is not None):
        raise CommandError(
            "edit takes a message and its new text, or its attributes",
            hint="`soulmem edit m7 'My sister is called Brigitte'`, or --seq 7 instead of m7; `--attribute topic=bees`",
            code=ExitCode.WRONG_USAGE,
        )
    name = named if seq is None else _at(session, conversation, seq)
    result = session.call(
        "message.update", mind=session.mind, conversation=conversation, id=name,
        content=wellformed(texts[0]) if texts else None, attributes=attributes, keep_notes=keep_notes or None,
    )  # fmt: skip
    if session.gave_json(result):
        return
    if result.get("again"):
        out(f"{name} {'says' if texts else 'is'} so already")
        return
    out(f"{name} changed")
    if result["withdrawn"]:
        out(paint(f"{plural(len(result['withdrawn']), 'note')} taken back, to be made anew when the talk rests", "dim"))
    if result["corrected"]:
        out(paint("what was summarised already is corrected by a message of its own", "dim"))


@opens_session
def delete(
    session: Session,
    message: Annotated[str | None, typer.Argument(metavar="[ID]", help="The message, by its id.")] = None,
    seq: SeqOption = None,
    note: Annotated[str | None, typer.Option("--note", metavar="ID", help="A note instead of a message.")] = None,
    conversation: ConversationOption = None,
    repeats: Annotated[
        bool, typer.Option("--repeats", help="Also what says the same: other messages, and notes of those.")
    ] = False,
    keep_notes: KeepOption = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a message with what was made of it, or a note, for good."""
    if sum(each is not None for each in (message, seq, note)) != 1:
        raise CommandError(
            "delete takes one message or one note",
            hint="`soulmem delete m7`, --seq 7 or --note n3",
            code=ExitCode.WRONG_USAGE,
        )
    if note is not None and (repeats or keep_notes):
        raise CommandError(
            "--repeats and --keep-notes are for messages", hint="leave them out", code=ExitCode.WRONG_USAGE
        )
    name = message if message is not None else note or _at(session, conversation, seq or 0)
    question = f"Take {name} back?" if keep_notes else f"Delete {name} for good?"
    confirm(f"{question} It cannot be undone.", yes=yes)
    if note is not None:
        _print_purge(session, session.call("note.purge", mind=session.mind, id=note))
        return
    result = session.call(
        "message.delete", mind=session.mind, conversation=conversation, id=name, keep_notes=keep_notes or None
    )
    others = result.get("repeats") or []
    if repeats:
        result["deleted"] = [_remove(session, each) for each in others]
    if session.gave_json(result):
        return
    out(f"{name} was deleted already" if result.get("again") else f"{name} deleted")
    _tell(result)
    if repeats and others:
        out(paint(f"and what says the same: {_names_of(others)}", "dim"))
    elif others:
        out(paint(f"the same is still said by {_names_of(others)}; --repeats deletes that too", "dim"))


def _at(session: Session, conversation: str | None, seq: int) -> str:
    """The id of the message with this number."""
    found = session.call("message.list", mind=session.mind, conversation=conversation, cursor=str(seq - 1), limit=1)
    items = found["items"]
    if not items or items[0]["seq"] != seq:
        raise CommandError(
            f"there is no message {seq} in this conversation",
            hint="`soulmem context` shows the latest ones",
            code=ExitCode.REFUSED_INPUT,
        )
    return str(items[0]["id"])


def _remove(session: Session, each: Mapping[str, Any]) -> dict[str, Any]:
    if each["kind"] == "note":
        return session.call("note.purge", mind=session.mind, id=each["id"])
    return session.call("message.delete", mind=session.mind, conversation=each["conversation"], id=each["id"])


def _tell(result: Mapping[str, Any]) -> None:
    """What went along, and what may still hold the words."""
    if result["purged"]:
        out(paint(f"{plural(len(result['purged']), 'note')} of it gone for good", "dim"))
    if result["withdrawn"]:
        out(paint(f"{plural(len(result['withdrawn']), 'note')} to be made anew from what is left", "dim"))
    _tell_bytes(result)


def _tell_bytes(result: Mapping[str, Any]) -> None:
    if result.get("erased") is False:
        err(paint("its bytes are still being removed from the file; it goes on in the background", "dim", sys.stderr))
    for copy in result.get("copies") or ():
        err(paint(f"a copy from before an update still holds it: {copy}", "dim", sys.stderr))


def _print_purge(session: Session, result: Mapping[str, Any]) -> None:
    if session.gave_json(dict(result)):
        return
    out(f"{result['id']} is gone for good")
    if result["sources"]:
        said = _names_of({"kind": "message", **each} for each in result["sources"])
        out(paint(f"it was made of {said}, which stands; `soulmem delete` removes that", "dim"))
    _tell_bytes(result)


def _names_of(items: Iterable[Mapping[str, Any]]) -> str:
    return ", ".join(
        str(each["id"]) if each["kind"] == "note" else f"{each['conversation']}/{each['id']}" for each in items
    )
