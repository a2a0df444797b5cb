"""`soulmem say` and `context`: talking to a mind, and seeing what a prompt would get of it.

`say` hands over one message and shows what came to mind; `context` prints what a prompt would get.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session, wellformed
from soulmem.cli.output.key_values import key_values
from soulmem.cli.output.tables import clip, err, one_line, out, paint, terminal_cells
from soulmem.cli.output.typed_times import typed_time

_SHOWN = 5  # notes shown after `say`

TextArgument = Annotated[str, typer.Argument(metavar="TEXT", help="The text, or - to read it from stdin.")]
ConversationOption = Annotated[
    str | None, typer.Option("--conversation", "-c", metavar="NAME", help="The conversation. [default: main]")
]
ATTRIBUTE_LIKE = "topic=bees"
AttributeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--attribute", metavar="KEY=VALUE", help="Kept with it, found by it; may be repeated, like topic=bees."
    ),
]


def text_of(argument: str) -> str:
    """What is said or asked: the argument, or stdin for -."""
    text = sys.stdin.read().removesuffix("\n") if argument == "-" else argument
    if not text.strip():
        raise CommandError(
            "there is nothing to say", hint="give the text, or - and the text on stdin", code=ExitCode.REFUSED_INPUT
        )
    return wellformed(text)


@opens_session
def say(
    session: Session,
    text: TextArgument,
    role: Annotated[Literal["user", "assistant", "system"], typer.Option("--as", help="Who is speaking.")] = "user",
    speaker: Annotated[str | None, typer.Option(help="The speaker's name.")] = None,
    conversation: ConversationOption = None,
    at: Annotated[str | None, typer.Option(metavar="TIME", help="When it happened. [default: now]")] = None,
    message_id: Annotated[str | None, typer.Option("--id", help="Your id; saying it twice is then harmless.")] = None,
    mark: Annotated[str | None, typer.Option(metavar="topic|end", help="A change of topic, or the end.")] = None,
    attribute: AttributeOption = None,
) -> None:
    """Say something to a mind, and see what comes to it."""
    result = session.call(
        "message.add",
        mind=session.mind,
        conversation=conversation,
        role=role,
        content=text_of(text),
        speaker=speaker,
        at=typed_time(session, at),
        id=message_id,
        mark=mark,
        attributes=key_values(attribute, like=ATTRIBUTE_LIKE) if attribute else None,
        recall=True if role == "user" else None,
    )
    if session.gave_json(result):
        return
    window = result.get("window") or {}
    parts = [
        f"{'already kept as' if result.get('duplicate') else 'kept as'} {result['id']}",
        f"window {window.get('size', '?')}/{window.get('capacity', '?')}",
        str(result.get("state", "")),
    ]
    if result.get("jobs"):
        parts.append(f"summary on its way ({', '.join(map(str, result['jobs']))})")
    out(" · ".join(parts))
    if role == "user":
        _print_thoughts(result.get("context"))


def _print_thoughts(context: Mapping[str, Any] | None) -> None:
    """Show the notes and earlier messages that the daemon put into the context of a message."""
    blocks = (context or {}).get("blocks", ())
    thoughts = [line for block in blocks if block.get("kind") == "notes" for line in block["text"].splitlines()]
    if not thoughts:
        out(paint("nothing else comes to mind yet", "dim"))
        return
    out(paint("what comes to mind:", "dim"))
    cells = terminal_cells()
    for line in thoughts[:_SHOWN]:
        out("  " + (clip(one_line(line), cells - 2) if cells else one_line(line)))


@opens_session
def context(
    session: Session,
    query: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="What the talk is about.")] = None,
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", "-c", metavar="NAME", help="In front of this one. [default: the latest]"),
    ] = None,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", help="The budget.", min=1)] = None,
    attribute: AttributeOption = None,
    tell_rewritten: Annotated[
        bool, typer.Option("--tell-rewritten", help="Mark recalled notes of which gaps were filled in.")
    ] = False,
) -> None:
    """Print what belongs into a prompt, within a budget."""
    result = session.call(
        "context.get",
        mind=session.mind,
        conversation=conversation,
        query=text_of(query) if query is not None else None,
        max_tokens=max_tokens,
        attributes=key_values(attribute, like=ATTRIBUTE_LIKE) if attribute else None,
        tell_rewritten=True if tell_rewritten else None,
    )
    if session.gave_json(result):
        return
    blocks = result.get("blocks", [])
    text = result.get("text", "")
    out(text or paint("there is nothing to tell yet", "dim"))
    if blocks:
        shares = ", ".join(f"{block.get('kind')} {block.get('tokens', '?')}" for block in blocks)
        err(paint(f"tokens: {shares}", "dim", sys.stderr))
