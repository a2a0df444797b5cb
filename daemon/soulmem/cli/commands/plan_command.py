"""`soulmem plan`: what is intended for which time, and what became of it.

`add`, `list`, `done`, `drop`, `move`, `edit`, `supersede` and `delete`. A time without an offset is told by the clock
of this machine, and shown by it; "Friday" and 周五 are the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import typer

from soulmem.cli.commands.notes import LimitOption, needs_no_table, pages
from soulmem.cli.commands.talk import ConversationOption
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, confirm, opens_session, wellformed
from soulmem.cli.output.tables import moment, out, paint, plural, show_table
from soulmem.cli.output.typed_times import Edge, typed_time

app = typer.Typer(help="What is planned: add, list, settle, move, replace, delete.", no_args_is_help=True)


IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The plan, as `soulmem plan list` names it.")]
TextArgument = Annotated[str, typer.Argument(metavar="TEXT", help="What is intended.")]
LevelOption = Annotated[
    Literal["day", "hour", "action"] | None,
    typer.Option(help="How broad a stroke: a day holds hours, those actions. [default: hour]"),
]
WhoseOption = Annotated[str | None, typer.Option(metavar="NAME", help="Whose plan. [default: the character's own]")]
FromOption = Annotated[
    str | None,
    typer.Option("--from", metavar="TIME", help="When it begins, like 2026-03-01T18:30 or 'tomorrow 18:30'."),
]
ToOption = Annotated[str | None, typer.Option("--to", metavar="TIME", help="When it is over.")]


@app.command("add")
@opens_session
def add(
    session: Session,
    text: TextArgument,
    begins: Annotated[
        str, typer.Option("--from", metavar="TIME", help="When it begins, like 2026-03-01T18:30 or 'tomorrow 18:30'.")
    ],
    ends: ToOption = None,
    level: LevelOption = None,
    whose: WhoseOption = None,
    part_of: Annotated[str | None, typer.Option(metavar="ID", help="The broader plan that it is a part of.")] = None,
    conversation: ConversationOption = None,
) -> None:
    """Plan something; what cannot be kept beside it gives way."""
    item = _item(session, text, begins, ends, level)
    result = session.call(
        "plan.add", mind=session.mind, items=[item], whose=whose, parent=part_of, conversation=conversation
    )
    _tell(session, result, "planned")


@app.command("list")
@opens_session
def list_plans(
    session: Session,
    begins: Annotated[str | None, typer.Option("--from", metavar="TIME", help="Not those that are over then.")] = None,
    ends: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Not those that begin later.")] = None,
    status: Annotated[
        list[str] | None, typer.Option(help="Only these: planned, active, done, dropped, missed, superseded.")
    ] = None,
    level: LevelOption = None,
    whose: WhoseOption = None,
    part_of: Annotated[str | None, typer.Option(metavar="ID", help="Only the parts of this plan.")] = None,
    conversation: ConversationOption = None,
    limit: LimitOption = 50,
) -> None:
    """List plans by when they begin."""
    more = {**_span(session, begins, ends), "status": status or None, "parent": part_of, "whose": whose}
    items = pages(session, "plan.list", limit, level=level, conversation=conversation, **more)
    if needs_no_table(session, items, "nothing is planned", "`soulmem plan add TEXT --from TIME` plans something"):
        return
    rows = [
        (
            str(each["id"]), str(each["status"]), str(each["level"]), moment(each["start"]), moment(each["end"]),
            str(each["whose"] or "-"), str(each["text"]),
        )
        for each in items
    ]  # fmt: skip
    show_table("id, status, level, from, to, whose, text*", rows)


@app.command("done")
@opens_session
def done(session: Session, plan: IdArgument, conversation: ConversationOption = None) -> None:
    """Say that a plan was carried out."""
    _update(session, plan, conversation, "done", status="done")


@app.command("drop")
@opens_session
def drop(session: Session, plan: IdArgument, conversation: ConversationOption = None) -> None:
    """Call a plan off, with its parts; `soulmem plan delete` removes it."""
    _update(session, plan, conversation, "dropped", status="dropped")


@app.command("move")
@opens_session
def move(
    session: Session,
    plan: IdArgument,
    begins: FromOption = None,
    ends: ToOption = None,
    conversation: ConversationOption = None,
) -> None:
    """Give a plan another time; its parts move along."""
    if begins is None and ends is None:
        raise CommandError("move needs a time", hint="add --from, --to or both", code=ExitCode.WRONG_USAGE)
    _update(session, plan, conversation, "moved", **_span(session, begins, ends, "start", "end"))


@app.command("edit")
@opens_session
def edit(session: Session, plan: IdArgument, text: TextArgument, conversation: ConversationOption = None) -> None:
    """Give a plan other words."""
    _update(session, plan, conversation, "changed", text=wellformed(text))


@app.command("supersede")
@opens_session
def supersede(
    session: Session,
    begins: Annotated[str, typer.Option("--from", metavar="TIME", help="From when on nothing planned holds any more.")],
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="What is intended then instead.")] = None,
    ends: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Until when; else nothing later holds.")
    ] = None,
    level: LevelOption = None,
    whose: WhoseOption = None,
    conversation: ConversationOption = None,
) -> None:
    """Plan anew from a time on: what was planned then gives way, what runs ends there."""
    items = [_item(session, text, begins, ends, level)] if text is not None else []
    result = session.call(
        "plan.supersede", mind=session.mind, items=items, level=level, whose=whose, conversation=conversation,
        **_span(session, begins, ends),
    )  # fmt: skip
    _tell(session, result, "planned instead")


@app.command("delete")
@opens_session
def delete(
    session: Session,
    plan: IdArgument,
    conversation: ConversationOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a plan for good; what gave way to it holds again."""
    confirm(f"Delete {plan} for good? It cannot be undone.", yes=yes)
    result = session.call("plan.delete", mind=session.mind, id=plan, conversation=conversation)
    if not session.gave_json(result):
        out(f"{plan} deleted")


def _update(session: Session, plan: str, conversation: str | None, done: str, **change: Any) -> None:
    result = session.call("plan.update", mind=session.mind, id=plan, conversation=conversation, **change)
    _tell(session, result, done)


def _tell(session: Session, result: Mapping[str, Any], done: str) -> None:
    if session.gave_json(result):
        return
    for each in result["items"]:
        out(f"{each['id']} {done}: {each['text']}, {moment(each['start'])} to {moment(each['end'])}")
    for name, word in (("superseded", "given up"), ("shortened", "cut short")):
        _others(result[name], word)


def _others(ids: Sequence[str], word: str) -> None:
    if ids:
        out(paint(f"{plural(len(ids), 'plan')} {word}: {', '.join(ids[:10])}", "dim"))


def _item(session: Session, text: str, begins: str, ends: str | None, level: str | None) -> dict[str, Any]:
    given = {"text": wellformed(text), "level": level, **_span(session, begins, ends, "start", "end")}
    return {name: value for name, value in given.items() if value is not None}


def _span(
    session: Session, begins: str | None, ends: str | None, first: str = "from", last: str = "to"
) -> dict[str, str | None]:
    """Both times, each under its name, as the protocol takes them."""
    return {
        first: typed_time(session, begins, is_ahead=True),
        last: typed_time(session, ends, Edge.END, is_ahead=True),
    }
