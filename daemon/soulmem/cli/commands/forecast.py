"""`soulmem forecast`: how one note will fade in the coming days, if nobody talks till then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from soulmem.cli.commands.notes import shown_text
from soulmem.cli.output.chart import LETTERS, Level, chart, distinct, meter
from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import columns, number, out, paint, parse_time, plural, table, terminal_cells

_ROWS = 9
_WIDEST = 100
_LINKS = 12  # the strongest ones; `--json` has more
_KEPT = {
    "pinned": "pinned, so it is never forgotten",
    "lore": "lore, which is never forgotten",
    "settings": "this mind deletes nothing",
    "clear": "one of its details never blurs, so it is never forgotten",
    "open_epoch": "its conversation has not been digested yet: `soulmem sleep` does it now",
}


@opens_session
def forecast(
    session: Session,
    note_id: Annotated[str, typer.Argument(metavar="ID", help="The note, as `soulmem notes` names it.")],
    days: Annotated[
        int | None,
        typer.Option(help="How many silent days to look ahead. [default: until its details are gone]", min=1, max=3650),
    ] = None,
) -> None:
    """Draw how a note will fade if nobody talks: when each detail blurs and goes, when its links die."""
    result = session.call("note.forecast", mind=session.mind, id=note_id, days=days)
    if session.gave_json(result):
        return
    for line in draw_forecast(result, _names(session, result["links"][:_LINKS])):
        out(line)


def _names(session: Session, ties: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The wording of the notes at the other ends."""
    with session.connect() as client:
        return {
            str(tie["note"]): shown_text(client.call("note.get", {"mind": session.mind, "id": tie["note"]})["note"])
            for tie in ties
        }


def draw_forecast(result: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """The whole page for a result of `note.forecast`; `names`: the wording of linked notes by id."""
    now = parse_time(result["now"])
    spans, ties = result["elements"], result["links"][:_LINKS]
    shapes = distinct([span["points"] for span in spans])
    lines = [str(result["text"]), ""]
    if spans:
        first = [spans[shapes.index(shape)]["points"] for shape in range(len(set(shapes)))]
        levels = (Level(result["blur_below"], "blurs"), Level(result["blank_below"], "goes"))
        wide = min(_WIDEST, terminal_cells() or _WIDEST)
        lines += [*chart(first, columns=wide, rows=_ROWS, levels=levels), ""]
        lines += [*_elements(spans, shapes, now), ""]
    if ties:
        lines += [*_links(ties, names, now), ""]
    unseen = len(result["links"]) - len(ties) + int(result.get("more_links") or 0)
    if unseen:
        lines.append(paint(f"and {plural(unseen, 'weaker link')}", "dim"))
    ending = told_end(result, now)
    lines += [ending] if ending else []
    lines.append(paint("if nobody talks till then", "dim"))
    return lines


def _elements(spans: Sequence[Mapping[str, Any]], shapes: Sequence[int], now: datetime | None) -> list[str]:
    rows = [
        (
            LETTERS[shape % 26],
            f"{number(span['opacity'])} {meter(span['opacity'])}",
            moment_ahead(span.get("blurs_at"), now, past="blurred"),
            moment_ahead(span.get("blanks_at"), now, past="gone"),
            words(span),
        )
        for span, shape in zip(spans, shapes, strict=True)
    ]
    return table(columns(", now, blurs, goes, what*"), rows)


def words(span: Mapping[str, Any]) -> str:
    """What an element is called: its words while they are clear, its gist while it is blurred."""
    name = span.get("quote") or (f"({span['gist']})" if span.get("gist") else "(no longer known)")
    held = {"spontaneous": ", which struck", "forced": ", learnt on purpose"}.get(str(span.get("anchor")), "")
    return name + held


def _links(ties: Sequence[Mapping[str, Any]], names: Mapping[str, str], now: datetime | None) -> list[str]:
    rows = [
        (
            str(tie["id"]),
            f"{number(tie['strength'])} {meter(tie['strength'])}",
            str(tie.get("verb") or tie.get("kind", "-")),
            moment_ahead(tie.get("dies_at"), now, past="dying"),
            names.get(str(tie["note"]), str(tie["note"])),
        )
        for tie in ties
    ]
    return table(columns("link, now, kind, dies, to*"), rows)


def moment_ahead(value: object, now: datetime | None, *, past: str) -> str:
    """A coming day, with how far off it is; a word for what is over; `never` for what does not come."""
    at = parse_time(value)
    if at is None:
        return "never"
    if now is None or at <= now:
        return past
    left = (at - now).total_seconds() / 86_400
    if left < 1:
        return at.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{at.astimezone():%Y-%m-%d}, {left:.0f} d"


def told_end(result: Mapping[str, Any], now: datetime | None) -> str:
    """When the note itself is forgotten, and why or why not."""
    end = result.get("dies")
    if not end:
        return ""
    if end.get("at") is None:
        kept = end.get("kept_by")
        return _KEPT.get(str(kept), f"it is kept: {kept}") if kept else "it is not forgotten as far as one can see"
    when = moment_ahead(end["at"], now, past="at the next look")
    if end.get("kept_by") == "tombstone":
        return f"it is forgotten already; `soulmem remember {result['id']}` brings it back until {when}"
    return f"forgotten: {when}, when nothing leads to it and none of it is clear"
