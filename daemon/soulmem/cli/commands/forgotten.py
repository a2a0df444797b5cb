"""`soulmem forgotten` and `remember`: what a mind has forgotten and why; bringing it back while that can be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from soulmem.cli.commands.notes import LimitOption, latest, needs_no_table, print_links, shown_text, whole_list
from soulmem.cli.output.command_session import Session, opens_session
from soulmem.cli.output.tables import moment, out, paint, plural, show_table

_WHY = {
    "client": "somebody asked for it",
    "isolated": "nothing led to it any more",
    "unsupported": "what it rested on is not there any more",
    "ceiling": "there were too many notes",
    "merged": "it became part of another note",
}

_WHY_GONE = {
    "client": "somebody asked for it",
    "source": "what it rested on was deleted",
    "forgotten": "forgotten, and not brought back in time",
}


@opens_session
def forgotten(session: Session, limit: LimitOption = 50) -> None:
    """List what a mind has forgotten, the latest first, with until when it can come back; what was asked in vain."""
    items, count = latest(whole_list(session, "note.list", state="forgotten"), limit, "forgotten_at")
    with session.connect() as client:
        page = client.call("note.list", {"mind": session.mind, "state": "forgotten", "limit": 1})
    lost, unmet = page.get("purged") or [], page.get("unmet") or []
    if session.gave_json({"items": items, "purged": lost, "unmet": unmet}):
        return
    if not items and not lost and not unmet:
        needs_no_table(session, items, "nothing has been forgotten")
        return
    if items:
        _list(items, count)
    for line in [*purged_lines(lost), *unmet_lines(unmet)]:
        out(line)
    if unmet:
        out(
            paint("`soulmem messages -c NAME` shows what was said there, `soulmem delete ID -c NAME` removes it", "dim")
        )


def unmet_lines(unmet: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was asked in talk to be forgotten and is there still, in words: which message asks, and why nothing went."""
    return [
        f"asked to forget, not done: {each['id']} in {each['conversation']}, {moment(each['at'])}: "
        + (f"{plural(int(each['meant']), 'message')} may be meant" if each["meant"] else "no message tells of it")
        for each in unmet
    ]


def _list(items: Sequence[Mapping[str, Any]], found: int) -> None:
    rows = [
        (str(item["id"]), moment(item.get("forgotten_at")), why(item), moment(item.get("purge_at")), shown_text(item))
        for item in items
    ]
    show_table("id, forgotten, why, until, text*", rows)
    more = f", of {found}" if found > len(items) else ""
    out(paint(f"{plural(len(items), 'note')}{more}; `soulmem remember <id>` brings one back with its links", "dim"))


def purged_lines(purged: Sequence[Mapping[str, Any]]) -> list[str]:
    """What went for good, in words: how much of which kind, why and until when."""
    return [
        f"gone for good: {plural(int(each['count']), ' '.join((str(each['kind']), str(each['item']))))}, "
        f"{_WHY_GONE.get(str(each['reason']), each['reason'])}, the last {moment(each['last_at'])}"
        for each in purged
    ]


def why(item: Mapping[str, Any]) -> str:
    """Why a note was forgotten, in words."""
    reason = str(item.get("reason") or "-")
    return f"it became part of {item['merged_into']}" if item.get("merged_into") else _WHY.get(reason, reason)


@opens_session
def remember(
    session: Session,
    note_id: Annotated[str, typer.Argument(metavar="ID", help="The note, as `soulmem forgotten` names it.")],
) -> None:
    """Bring a forgotten note back, with the links that were forgotten with it."""
    with session.connect() as client:
        was = client.call("note.get", {"mind": session.mind, "id": note_id})["note"]
        result = client.call("note.restore", {"mind": session.mind, "id": note_id})
        ends = {str(end) for tie in result["links"] for end in (tie["src"], tie["dst"])} - {note_id}
        names = {
            end: shown_text(client.call("note.get", {"mind": session.mind, "id": end})["note"]) for end in sorted(ends)
        }
    if session.gave_json(result):
        return
    if was.get("lifecycle") != "forgotten":
        out(f"{note_id} was not forgotten")
        return
    out(f"{note_id} is back: {shown_text(result['note'])}")
    if result["links"]:
        out(paint(f"and with it {plural(len(result['links']), 'link')}", "dim"))
        print_links(result["links"], names | {note_id: "this note"})
    else:
        out(paint("nothing leads to it: unless it is linked or recalled, it is forgotten again in time", "dim"))
