"""`soulmem notes`, `note` and `links`: looking into a mind's graph, and putting it right.

Everything a mind remembers can be listed, read with its sources, reworded, pinned, forgotten and restored
here; forgetting is reversible and still asks first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from typing import Annotated, Any

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, confirm, opens_session, wellformed
from soulmem.cli.output.tables import (
    clip,
    describe,
    err,
    moment,
    number,
    one_line,
    out,
    out_json,
    paint,
    pairs,
    plural,
    show_table,
)

NO_NOTES = ("no notes yet", "notes are made when a conversation has gone quiet; `soulmem sleep` does it now")
Item = dict[str, Any]
_PAGE, _MOST_AT_ONCE = 100, 500
_LABEL = 36  # cells of a note's text where a link names it

LimitOption = Annotated[int, typer.Option("--limit", "-n", help="At most this many.", min=1)]


def needs_no_table(session: Session, items: Sequence[Mapping[str, Any]], nothing: str, hint: str = "") -> bool:
    """Whether a list is said already: as JSON, or because there is nothing in it."""
    if session.as_json:
        out_json({"items": items})
    elif not items:
        out(nothing)
        if hint:
            out(paint(hint, "dim"))
    return session.as_json or not items


def pages(session: Session, method: str, limit: int, **params: Any) -> list[dict[str, Any]]:
    """Read a list of the protocol page by page, up to a limit."""
    return list(islice(whole_list(session, method, at_once=min(_PAGE, limit), **params), limit))


def whole_list(session: Session, method: str, *, at_once: int = _MOST_AT_ONCE, **params: Any) -> Iterator[Item]:
    """All of a list of the protocol, of which no more than a page is held at a time."""
    request = {"mind": session.mind, "limit": at_once} | {k: v for k, v in params.items() if v is not None}
    with session.connect() as client:
        yield from client.items(method, request)


def latest(items: Iterable[Item], limit: int, time: str) -> tuple[list[Item], int]:
    """The latest by a time, the latest first, and how many there are in all; no more than the limit are held."""
    count = 0

    def timed() -> Iterator[tuple[str, int, Item]]:
        nonlocal count
        for item in items:
            count += 1
            yield str(item.get(time) or ""), count, item

    found = [item for _, _, item in nlargest(limit, timed(), key=itemgetter(0, 1))]
    return found, count


@opens_session
def notes(
    session: Session,
    kind: Annotated[str | None, typer.Option(help="Only this kind, e.g. semantic.")] = None,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Those forgotten, not those alive.")] = False,
    limit: LimitOption = 50,
) -> None:
    """List the notes of a mind: the latest, the oldest of them first."""
    state = "forgotten" if forgotten else None
    found = pages(session, "note.list", limit + 1, kind=kind, state=state, order="latest")
    items = found[:limit][::-1]
    nothing = ("nothing has been forgotten", "") if forgotten else NO_NOTES
    if needs_no_table(session, items, *nothing):
        return
    rows = [
        (
            str(item["id"]) + ("*" if item.get("pinned") else ""),
            str(item.get("kind", "-")),
            str(item.get("state", "-")),
            number(item.get("importance")),
            moment(item.get("at")),
            listed_text(item),
        )
        for item in items
    ]
    show_table("id, kind, state, weight>, when, text*", rows)
    more = ", --limit shows more" if len(found) > limit else ""
    out(paint(f"{plural(len(items), 'note')}{more}; `soulmem note <id>` shows one with its sources", "dim"))


def shown_text(item: Mapping[str, Any]) -> str:
    """The wording a reader gets now: masked where it has faded."""
    return str(item.get("rendered") or item.get("text") or "")


def listed_text(item: Mapping[str, Any]) -> str:
    """The same in a list; in front of what holds no more stands until when it held, and the note that says so."""
    until, by = item.get("valid_to"), item.get("superseded_by")
    if until is None:
        return shown_text(item)
    held = "corrected" if until == item.get("valid_from") else f"until {moment(until)[: len('2026-05-03')]}"
    return f"({held}{f': {by}' if by else ''}) {shown_text(item)}"  # what says so may be gone for good


@opens_session
def note(
    session: Session,
    note_id: Annotated[str, typer.Argument(metavar="ID", help="The note, as `soulmem notes` names it.")],
    reword: Annotated[str | None, typer.Option("--edit", metavar="TEXT", help="Give it another wording.")] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Never let it fade.")] = False,
    unpin: Annotated[bool, typer.Option("--unpin", help="Let it fade again.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Forget it; `--restore` brings it back.")] = False,
    restore: Annotated[
        bool, typer.Option("--restore", help="Bring back a forgotten note, or one that holds no more.")
    ] = False,
    version: Annotated[
        int | None, typer.Option("--version", metavar="N", help="With `--restore`: let it be again what it was then.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Show its earlier wordings.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Show one note with its sources, or change it."""
    verbs = [
        verb
        for verb, wanted in (
            ("update", reword is not None),
            ("pin", pin),
            ("unpin", unpin),
            ("forget", forget),
            ("restore", restore),
            ("history", history),
        )
        if wanted
    ]
    if len(verbs) > 1:
        raise CommandError("one change at a time", hint="repeat the command for each", code=ExitCode.WRONG_USAGE)
    if version is not None and verbs != ["restore"]:
        raise CommandError("--version says what to restore", hint="add --restore", code=ExitCode.WRONG_USAGE)
    if verbs == ["history"]:
        _print_history(session, note_id)
    elif verbs:
        _change(session, note_id, verbs[0], reword, yes, version)
    else:
        _print_note(session, note_id)


def _change(session: Session, note_id: str, verb: str, reword: str | None, yes: bool, version: int | None) -> None:
    if verb == "forget":
        confirm(f"Forget {note_id}? It can be restored for 30 days.", yes=yes, what="forgetting")
    text = wellformed(reword) if reword is not None else None
    result = session.call(f"note.{verb}", mind=session.mind, id=note_id, text=text, version=version)
    if session.gave_json(result):
        return
    done = {"update": "reworded", "pin": "pinned", "unpin": "unpinned", "forget": "forgotten", "restore": "restored"}
    stands = result.get("restored") is False
    out(f"{note_id} stands; there was nothing to restore" if stands else f"{note_id} {done[verb]}")


def _print_history(session: Session, note_id: str) -> None:
    result = session.call("note.history", mind=session.mind, id=note_id)
    if session.gave_json(result):
        return
    rows = [
        (str(item.get("at")), str(item.get("action", "-")), describe(item.get("detail")))
        for item in result.get("history", ())
    ]
    rows += [
        (str(item.get("replaced_at")), f"was version {item.get('version')}", str(item.get("text", "")))
        for item in result.get("versions", ())
    ]
    if not rows:
        out("nothing has happened to it since it was made")
        return
    show_table("when, what, text*", [(moment(when), what, text) for when, what, text in sorted(rows)])


def _print_note(session: Session, note_id: str) -> None:
    with session.connect() as client:
        found = client.call("note.get", {"mind": session.mind, "id": note_id})
        item = found.get("note", found)
        ties = client.call("link.list", {"mind": session.mind, "note": note_id})["items"]
        others = {_other(tie, note_id) for tie in ties}
        names = {other: _name(client.call("note.get", {"mind": session.mind, "id": other})) for other in others}
    if session.gave_json({"note": item, "links": ties}):
        return
    out(shown_text(item))
    if shown_text(item) != item.get("text"):
        out(paint(f"as first written: {item.get('text')}", "dim"))
    facts = [
        ("id", f"{item['id']} · {item.get('kind')} · {item.get('state')} · version {item.get('version', 1)}"),
        ("when", f"{moment(item.get('at'))} (noted {moment(item.get('created_at'))})"),
        ("weight", f"importance {number(item.get('importance'))}, valence {number(item.get('valence'))}"),
    ]
    if item.get("valid_to") is not None:
        since = f"from {moment(item['valid_from'])} " if item.get("valid_from") else ""
        facts.append(("held", f"{since}until {moment(item['valid_to'])}, as {item.get('superseded_by')} says"))
    if item.get("tags"):
        facts.append(("tags", ", ".join(map(str, item["tags"]))))
    if item.get("pinned"):
        facts.append(("pinned", "yes: it does not fade"))
    facts += [
        (
            "source",
            f"{source.get('conversation')}/{source.get('id') or source.get('seq')}: "
            f"{one_line(source.get('quote') or '')}",
        )
        for source in item.get("sources", [])
    ]
    for line in pairs(facts):
        out(line)
    if ties:
        out()
        print_links(ties, names | {note_id: "this note"})


def _other(tie: Mapping[str, Any], note_id: str) -> str:
    return str(tie["dst"] if tie["src"] == note_id else tie["src"])


def _name(found: Mapping[str, Any]) -> str:
    return shown_text(found.get("note", found))


@opens_session
def links(
    session: Session,
    note_id: Annotated[str | None, typer.Argument(metavar="[NOTE]", help="Only the links of this note.")] = None,
    limit: LimitOption = 50,
) -> None:
    """List the links between notes, strongest first."""
    ties = pages(session, "link.list", limit, note=note_id)
    ties.sort(key=lambda tie: -float(tie.get("strength") or 0.0))
    how = "notes are linked to what was recalled most when a conversation has gone quiet"
    if needs_no_table(session, ties, "no links yet", how):
        return
    print_links(ties, _names(session, ties))
    if len(ties) == limit:
        err(paint("there may be more: raise --limit", "dim", sys.stderr))


def _names(session: Session, ties: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    wanted = {str(end) for tie in ties for end in (tie["src"], tie["dst"])}
    listed = {str(item["id"]): shown_text(item) for item in pages(session, "note.list", 1000)}
    with session.connect() as client:
        for missing in wanted - listed.keys():
            listed[missing] = _name(client.call("note.get", {"mind": session.mind, "id": missing}))
    return listed


def print_links(ties: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> None:
    """Print links as a table; `names`: the wording of the notes at their ends by id."""
    rows = [
        (
            number(tie.get("strength")),
            str(tie.get("verb") or tie.get("kind", "-"))
            + (f" {tie['prob']:.0%}" if tie.get("prob") is not None else ""),
            str(tie.get("origin", "-")),
            moment(tie.get("dies_at")),
            clip(one_line(names.get(str(tie["src"]), str(tie["src"]))), _LABEL),
            names.get(str(tie["dst"]), str(tie["dst"])),
        )
        for tie in ties
    ]
    show_table("strength>, kind, origin, gone, from, to*", rows)
