"""`soulmem import`: reading in what was said before, from files of this program or of others.

The format is recognised by what stands in the file. It is read as it is sent, so it may be larger than memory; what
cannot be taken is told by its place and harms nothing else. Run again it stores what is missing and nothing twice.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soulmem.cli.commands.talk import ConversationOption
from soulmem.cli.output.command_session import DEFAULT_MIND, CommandError, ExitCode, Session, opens_session
from soulmem.cli.output.tables import clip, end_bar, err, one_line, out, out_json, paint, plural, show_bar
from soulmem.cli.output.typed_times import typed_time

if TYPE_CHECKING:
    from soulmem.interchange.importing.import_tally import Tally
    from soulmem.interchange.records import Wishes

_SHOWN = 20  # refused places that a person is told of
_SHOWN_ALIKE = 3  # of one reason
_OLD_MS = 60 * 86_400_000  # what was said earlier would have faded in part
_FORMATS = "mind, messages, sillytavern, chatgpt, claude, mem0, mcp-memory, locomo, csv, lorebook, card"
_FIGURES = re.compile(r"([0-9]{1,18})")


class Age(StrEnum):
    NEW = "as-new"
    THEN = "as-then"


# `import` is a word of Python's own.
@opens_session
def import_messages(
    session: Session,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file, a folder or a zip archive; - reads JSON Lines from stdin.")
    ],
    conversation: ConversationOption = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="NAME", help=f"What it is, if it is not recognised: {_FORMATS}.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and count all of it, and store nothing; needs no daemon.")
    ] = False,
    me: Annotated[str | None, typer.Option("--me", metavar="NAME", help="Your name, where the file has none.")] = None,
    character: Annotated[
        str | None,
        typer.Option("--character", metavar="NAME", help="The speaker who is the character; all others are people."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(
            "--zone", metavar="ZONE", help="Zone of times without one, as Europe/Oslo. [default: this machine's]"
        ),
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="When that was said which has no time.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Of a table: which column is content, at, role, speaker …"),
    ] = None,
    replace_persona: Annotated[
        bool, typer.Option("--replace-persona", help="Let a character card replace the persona the mind has.")
    ] = False,
    recall: Annotated[
        bool, typer.Option("--recall", help="Let each message of a user bring something to mind, as talk does.")
    ] = False,
    age: Annotated[
        Age | None,
        typer.Option("--age", help="How what was said fades: as if told today, or as if heard then. [default: as-new]"),
    ] = None,
) -> None:
    """Read in what was said before: chats, exports, memories, lorebooks and cards of many programs. Safe to repeat."""
    from soulmem.interchange.formats import recognition  # noqa: PLC0415 - keeps the other commands light
    from soulmem.interchange.importing.import_run import ImportRun  # noqa: PLC0415 - only who needs it pays
    from soulmem.interchange.reading.byte_sources import UnreadableError  # noqa: PLC0415 - only who needs it pays

    if form in (None, recognition.MIND) and _is_mind(file, form):
        _import_mind(session, Path(file), dry_run)
        return
    if form is not None and form not in recognition.READERS:
        raise CommandError(f"there is no format {form!r}", hint=f"known: {_FORMATS}", code=ExitCode.REFUSED_INPUT)
    wishes = _wishes(session, conversation, me, character, zone, at, columns or [])
    client = None
    if not dry_run:
        from soulmem.client import Client  # noqa: PLC0415 - only who needs it pays

        client = Client(session.socket).connect()
    run = ImportRun(
        client,
        session.mind,
        wishes,
        _show_progress,
        recall=recall,
        ages=age is Age.THEN,
        replace_persona=replace_persona,
    )
    try:
        run.read(file, form)
    except (UnreadableError, OSError) as error:
        end_bar()
        told = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise CommandError(
            f"cannot read {file}: {told}", hint=f"--format says what it is: {_FORMATS}", code=ExitCode.REFUSED_INPUT
        ) from error
    finally:
        if client is not None:
            client.close()
    end_bar()
    _report(session, run.tally, dry_run, asks_age=age is None)
    if run.tally.faults:
        raise typer.Exit(ExitCode.REFUSED_INPUT)


def _is_mind(file: str, form: str | None) -> bool:
    """Whether a file is a whole mind. Raises CommandError: it is none, though it was said to be."""
    from soulmem.interchange.exporting import mind_lines  # noqa: PLC0415 - only who needs it pays

    path = Path(file)
    if path.is_file() and mind_lines.mind_of(path) is not None:
        return True
    if form is not None:
        raise CommandError(f"{file} is no whole mind", hint="`soulmem export` writes one", code=ExitCode.REFUSED_INPUT)
    return False


def _import_mind(session: Session, path: Path, dry_run: bool) -> None:
    """Make a mind of its lines, under the name it had unless another was given."""
    from soulmem.interchange.exporting import mind_lines  # noqa: PLC0415 - only who needs it pays
    from soulmem.interchange.reading.byte_sources import UnreadableError  # noqa: PLC0415 - only who needs it pays

    name = session.mind if session.mind != DEFAULT_MIND else mind_lines.mind_of(path) or session.mind
    if dry_run:
        if not session.gave_json({"dry_run": True, "mind": name, "bytes": path.stat().st_size}):
            out(f"a whole mind, {name!r}, {path.stat().st_size / 1e6:.1f} MB; nothing was stored")
        return
    try:
        with session.connect() as client:
            done = mind_lines.read_in(client, path, name, lambda size, whole: show_bar(size / whole, name))
    except (UnreadableError, OSError) as error:
        told = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise CommandError(f"cannot read {path}: {told}", code=ExitCode.REFUSED_INPUT) from error
    finally:
        end_bar()
    if not session.gave_json(done):
        told = "is there already, made of this file" if done["duplicate"] else "is there"
        counts = [plural(done[each] or 0, each[:-1]) for each in ("messages", "notes", "links")]
        out(f"{name} {told}: {', '.join(counts)}")


def _wishes(
    session: Session,
    conversation: str | None,
    me: str | None,
    character: str | None,
    zone: str | None,
    at: str | None,
    columns: list[str],
) -> Wishes:
    from soulmem.interchange.formats.csv_table import FIELDS  # noqa: PLC0415 - only who needs it pays
    from soulmem.interchange.reading import written_times  # noqa: PLC0415 - only who needs it pays
    from soulmem.interchange.records import Wishes  # noqa: PLC0415 - only who needs it pays

    known = _zone(zone)
    moment = written_times.iso(at, known) if at is not None else None
    if moment is None:
        moment = typed_time(session, at)
    named: dict[str, str] = {}
    for each in ",".join(columns).split(",") if columns else []:
        field, _, column = each.partition("=")
        if field.strip() not in FIELDS or not column:
            raise CommandError(
                f"{each!r} names no column of a table", hint=f"FIELD=COLUMN, with one of {', '.join(FIELDS)}",
                code=ExitCode.REFUSED_INPUT,
            )  # fmt: skip
        named[field.strip()] = column.strip()
    return Wishes(known, conversation, me, character, moment, named)


def _zone(name: str | None) -> tzinfo:
    if name is None:
        from dateutil.tz import tzlocal  # noqa: PLC0415 - only who needs it pays

        found: tzinfo = tzlocal()
        return found
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - only who needs it pays

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:  # ZoneInfoNotFoundError is a KeyError
        raise CommandError(
            f"there is no zone {name!r}", hint="write it like Europe/Oslo or Asia/Shanghai", code=ExitCode.REFUSED_INPUT
        ) from error


def _show_progress(tally: Tally) -> None:
    told = [f"{tally.stored} stored", f"{tally.known} known", f"{tally.faults} refused"]
    told += [f"{tally.notes + tally.notes_known} notes"] if tally.notes_read else []
    share = tally.read_bytes / tally.source_bytes if tally.source_bytes else 0.0
    show_bar(share, f"{clip(one_line(tally.source), 30)}: {', '.join(told)}")


def _report(session: Session, tally: Tally, dry_run: bool, *, asks_age: bool) -> None:
    if session.as_json:
        out_json({"dry_run": dry_run, **tally.as_json()})
        return
    _tell_refused(tally)
    for kind in tally.left_out.values():
        out(one_line(f"left out: {kind.count} × {kind.why} (first: {kind.first})"))
    told = _counts_read(tally) if dry_run else _counts(tally)
    told += [f"{tally.faults} refused"] if tally.faults else []
    out(", ".join(told))
    if tally.persona == "kept":
        out("the persona stays as it was: --replace-persona puts that of the card in its place")
    if asks_age and _is_old(tally.oldest_at):
        out(f"it goes back to {tally.oldest_at[:10]}, and is remembered as if it had been told today:")
        out("the same with `--age as-then`, before it becomes notes, lets it fade as if it had been heard then")
    if dry_run:
        out(paint("nothing was stored", "dim"))
    elif tally.stored:
        out(paint("`soulmem sleep` makes notes of it now; ten quiet minutes do the same", "dim"))


def _is_old(at: str) -> bool:
    """Whether what was said then would have faded by now."""
    from soulmem.core.calendar.iso8601 import parse_iso  # noqa: PLC0415 - only who needs it pays
    from soulmem.ops.process.clock import SystemClock  # noqa: PLC0415 - only who needs it pays

    try:
        return SystemClock().now_ms() - parse_iso(at) > _OLD_MS
    except ValueError:
        return False


def _tell_refused(tally: Tally) -> None:
    alike, shown = Counter[str](), 0
    for each in sorted(tally.refused, key=lambda found: _natural(found["place"])):
        alike[each["message"]] += 1
        if shown < _SHOWN and alike[each["message"]] <= _SHOWN_ALIKE:
            err(one_line(f"soulmem: {each['place']}: {each['message']}"))
            shown += 1
    if tally.faults > shown:
        err(f"soulmem: and {tally.faults - shown} more; --json tells {'all' if tally.faults <= 1000 else 'a thousand'}")


def _natural(place: str) -> list[tuple[int, str]]:
    """A place as it is put in order: line 9 before line 10."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in _FIGURES.split(place)]


def _counts_read(tally: Tally) -> list[str]:
    from soulmem.interchange.formats.recognition import WHAT  # noqa: PLC0415 - only who needs it pays

    told = [f"{count} × {WHAT[name]}" for name, count in sorted(tally.files.items())]
    told += [f"{plural(tally.read, 'message')} read"]
    told += [f"{plural(tally.notes_read, 'note')} read"] if tally.notes_read else []
    return told + (["a persona"] if tally.persona else [])


def _counts(tally: Tally) -> list[str]:
    counts = [
        (tally.known, f"{tally.known} known before"),
        (tally.deleted, f"{tally.deleted} deleted since"),
        (tally.reordered, f"{tally.reordered} put in the order of their times"),
        (tally.late, f"{tally.late} older than what was heard before"),
        (tally.notes, f"{plural(tally.notes, 'note')} written"),
        (tally.notes_updated, f"{plural(tally.notes_updated, 'note')} changed"),
        (tally.notes_known, f"{plural(tally.notes_known, 'note')} known before"),
        (tally.entities, f"{plural(tally.entities, 'entity', 'entities')} made"),
        (tally.observations, f"{plural(tally.observations, 'observation')} made"),
        (tally.relations, f"{plural(tally.relations, 'relation')} made"),
    ]
    persona = {"set": ["the persona set"], "known": ["the persona known before"]}.get(tally.persona, [])
    return [f"{plural(tally.stored, 'message')} stored"] + [told for count, told in counts if count] + persona
