"""`soulmem recall` and `feedback`: asking a mind what it knows, and saying how good that was.

`recall` asks without leaving a trace (`record: false`), so that looking never changes what is remembered; `feedback`
says how good a recall was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import typer

from soulmem.cli.commands.talk import ATTRIBUTE_LIKE, AttributeOption, TextArgument, text_of
from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session, wellformed
from soulmem.cli.output.key_values import key_values
from soulmem.cli.output.tables import (
    clip,
    columns,
    err,
    moment,
    number,
    one_line,
    out,
    paint,
    plural,
    table,
    terminal_cells,
)
from soulmem.cli.output.typed_times import Edge, typed_time

_BRANCH, _LAST, _GOES_ON, _BLANK = "├─ ", "└─ ", "│  ", "   "
_QUOTE = 48  # cells of a note on the way


@opens_session
def recall(
    session: Session,
    query: TextArgument,
    k: Annotated[
        int | None,
        typer.Option(
            "-k",
            help="At most so many items. [default: 10; up to 40 where all of something is asked for]",
            min=1,
            max=500,
        ),
    ] = None,
    depth: Annotated[
        Literal["skim", "normal", "deep"] | None,
        typer.Option(help="How hard to think; deep asks a language model, if there is one. [default: as is asked for]"),
    ] = None,
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", "-c", metavar="NAME", help="Ask in front of this one. [default: as the owner]"),
    ] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            help="Only this kind: message, summary, note, or a kind of note but trigger; repeated: any of them.",
        ),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", help="Only notes with this tag; repeated: with all of them.")
    ] = None,
    speaker: Annotated[str | None, typer.Option(help="Only what this speaker said, and notes of that.")] = None,
    attribute: AttributeOption = None,
    since: Annotated[
        str | None,
        typer.Option("--from", metavar="TIME", help="Only what happened then or later; also 2026-03, yesterday, 上周."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Only what happened before then, or before its end.")
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(
            "--min-score",
            min=0.0,
            max=1.0,
            help="Only what scores so much; 0 shows all. [default: recall.min_score of the mind; a third of it if the "
            "text asks nothing; 0 with --tag, and in the stream with --filter or --kind]",
        ),
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="What held then, not what holds now. [default: now]")
    ] = None,
    ranking: Annotated[
        Literal["association", "stream"] | None,
        typer.Option(
            help="By association, or as a stream of notes by recency, importance and relevance. [default: association]"
        ),
    ] = None,
    passing: Annotated[
        str | None,
        typer.Option("--filter", metavar="EXPR", help="With --ranking stream: what passes, like 'relevance > 0.5'."),
    ] = None,
    weights: Annotated[
        Literal["even", "relevance"] | None,
        typer.Option(help="With --ranking stream: all three alike, or relevance most. [default: even]"),
    ] = None,
    reach: Annotated[
        Literal["memory", "archive"] | None,
        typer.Option(
            help="archive also finds what was said word for word and is recalled no more; for the owner. "
            "[default: memory]"
        ),
    ] = None,
    why: Annotated[bool, typer.Option("--explain", help="Draw why each item came back.")] = False,
) -> None:
    """Ask a mind what it remembers, best first. The recall is not recorded, and changes nothing that is remembered."""
    request: dict[str, Any] = {
        "query": text_of(query),
        "k": k,
        "depth": depth,
        "conversation": conversation,
        "kinds": kind or None,
        "tags": tag or None,
        "attributes": key_values(attribute, like=ATTRIBUTE_LIKE) if attribute else None,
        "speaker": speaker,
        "from": typed_time(session, since),
        "to": typed_time(session, until, Edge.END),
        "ranking": ranking,
        "filter": passing,
        "weights": weights,
        "as_of": typed_time(session, as_of, Edge.AS_OF),
        "min_score": min_score,
        "reach": reach,
        "record": False,
        "explain": True if why else None,
    }
    result = session.call("recall", mind=session.mind, **request)
    if session.gave_json(result):
        return
    items = result.get("items", [])
    if not items:
        out(_nothing(result))
    shown = tree(result) if why else _items_table(items) if items else ()
    for line in shown:
        out(line)
    for warning in result.get("warnings") or ():
        err(f"soulmem: {warning}")
    more = f", {result['more']} more with a higher -k" if result.get("more") else ""
    below = result.get("below_floor") or 0
    rest = f", {below} more below the floor (--min-score 0 shows all)" if below else ""
    out(paint(f"{plural(len(items), 'item')}{more}{rest} in {number(result.get('elapsed_ms'), 1)} ms", "dim"))


def _nothing(result: Mapping[str, Any]) -> str:
    """Why nothing comes to mind, and whether the words still lie in the archive."""
    reason = str(result.get("reason") or "").replace("_", " ")
    kinds = f" ({'; '.join(result['faded'])})" if result.get("faded") else ""
    archived = "; the words still lie in the archive (--reach archive)" if result.get("archived") else ""
    return f"nothing comes to mind{': ' + reason if reason else ''}{kinds}{archived}"


def _items_table(items: Sequence[Mapping[str, Any]]) -> list[str]:
    return table(
        columns("score>, id, kind, state, when, text*"),
        [
            (
                number(item.get("score")),
                str(item.get("id", "-")),
                str(item.get("kind", "-")),
                str(item.get("from") or item.get("state") or "-"),
                moment(item.get("at") or item.get("created_at")),
                (f"{item['speaker']}: " if item.get("kind") == "message" and item.get("speaker") else "")
                + str(item.get("text", "")),
            )
            for item in items
        ],
    )


def tree(result: Mapping[str, Any]) -> Iterator[str]:
    """How a recall came about, drawn as a tree: each item, its evidence, the links that led to it, what gave way."""
    cells = terminal_cells()
    for item in result.get("items", ()):
        head = f"{number(item.get('score'))}  {item.get('id')}  {item.get('tier')}  {one_line(str(item.get('text')))}"
        yield clip(head, cells) if cells else head
        reasons = list(_reasons(item.get("why") or {}))
        for place, lines in enumerate(reasons):
            is_last = place == len(reasons) - 1
            for row, line in enumerate(lines):
                lead = (_LAST if is_last else _BRANCH) if row == 0 else (_BLANK if is_last else _GOES_ON)
                yield paint(lead + line, "dim")
    held_back = result.get("suppressed") or ()
    if held_back:
        yield "held back:"
    for place, item in enumerate(held_back):
        like = f" ({item['like']})" if item.get("like") else ""
        text = clip(one_line(str(item.get("text"))), _QUOTE)
        lead = _LAST if place == len(held_back) - 1 else _BRANCH
        yield paint(f"{lead}{item.get('id')}  “{text}”: {item.get('because')}{like}", "dim")


def _reasons(why: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    channels = why.get("channels") or {}
    if channels:
        yield [" · ".join(f"{name} {number(value)}" for name, value in channels.items())]
    path = why.get("path") or ()
    if path:
        yield [_step(step, depth) for depth, step in enumerate(path)]


def _step(step: Mapping[str, Any], depth: int) -> str:
    """One link as it was walked; the arrow points the way the link was made."""
    name = step.get("verb") or step.get("kind") or "link"
    told = f"{name}, {step.get('origin')} {number(step.get('strength'))}"
    arrow = f"◀─[{told}]─" if step.get("backward") else f"─[{told}]─▶"
    text = clip(one_line(str(step.get("from") or "")), _QUOTE)
    return f"{_BLANK * depth}{step.get('src')} “{text}” {arrow} {step.get('dst')}"


@opens_session
def feedback(
    session: Session,
    recall_id: Annotated[str, typer.Argument(metavar="RECALL", help="The recall, like r17.")],
    verdict: Annotated[Literal["good", "bad"], typer.Argument(help="Whether what it brought was good.")],
    used: Annotated[
        list[str] | None, typer.Option("--used", metavar="IDS", help="What the reply was made of, like n4,n9.")
    ] = None,
    strength: Annotated[float | None, typer.Option(help="How strongly it is meant.", min=0, max=1)] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", "-c", metavar="NAME", help="In front of whom. [default: nobody]")
    ] = None,
) -> None:
    """Say how good what a recall brought was, so that it brings better next time."""
    if strength is not None and not 0 <= strength <= 1:  # the parser lets NaN pass
        raise CommandError("--strength is not a number", hint="give one from 0 to 1", code=ExitCode.WRONG_USAGE)
    ids = None if used is None else [each for text in used for each in text.replace(",", " ").split()]
    result = session.call(
        "feedback",
        mind=session.mind,
        recall_id=wellformed(recall_id),
        verdict=verdict,
        used=ids,
        strength=strength,
        conversation=conversation,
    )
    if session.gave_json(result):
        return
    for warning in result.get("warnings") or ():
        err(f"soulmem: {warning}")
    told = "that was said already" if result.get("duplicate") else "taken to heart"
    gained, lost = result.get("enhanced", 0), result.get("penalised", 0)
    out(f"{told}: {plural(gained, 'way')} gained, {lost} lost")
