"""`soulmem mind`: which minds there are, and what each is: its character, its settings, who talks with it, its end.

`list`, `show`, `create`, `set` and `delete`. Deleting a mind asks first, and says what lies elsewhere still.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import typer

from soulmem.cli.commands.notes import needs_no_table, whole_list
from soulmem.cli.output.command_session import (
    CommandError,
    ExitCode,
    Session,
    opens_session,
    opens_session_without,
    wellformed,
)
from soulmem.cli.output.key_values import key_values
from soulmem.cli.output.tables import err, moment, one_line, out, paint, pairs, plural, show_table

app = typer.Typer(help="The minds: list, show, create, set, delete.", no_args_is_help=True)
_MOST_CONVERSATIONS = 20  # shown


NameArgument = Annotated[str | None, typer.Argument(metavar="[NAME]", help="The mind. [default: that of --mind]")]
TitleOption = Annotated[str | None, typer.Option(metavar="TEXT", help="Its name as people know it, in any script.")]
PersonaOption = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Who the character is: it stands in every context; - reads it from stdin."),
]
ProfileOption = Annotated[
    Literal["companion", "assistant"] | None,
    typer.Option(help="companion forgets and blurs; assistant deletes nothing, decay only ranks."),
]
LanguageOption = Annotated[
    str | None, typer.Option(metavar="CODE", help="The language of its notes, like en or zh. [default: as is talked]")
]
_SETTINGS = "What it does otherwise than the daemon is set, like window.capacity=30"


@app.command("list")
@opens_session_without("mind")
def list_minds(session: Session) -> None:
    """List the minds there are."""
    with session.connect() as client:
        items = list(client.items("mind.list", {}))
    if needs_no_table(session, items, "no minds yet", "`soulmem say 'hello'` brings the first one into being"):
        return
    rows = [
        (
            str(each["mind"]),
            str(each["profile"]),
            str((each.get("trouble") or {}).get("error") or each["state"]),
            *(str(each[count]) for count in ("messages", "notes", "links")),
            str(each["title"]),
        )
        for each in items
    ]
    show_table("mind, profile, state, messages>, notes>, links>, title*", rows)
    out(paint(f"{plural(len(items), 'mind')}; `soulmem mind show <mind>` tells more of one", "dim"))


@app.command("show")
@opens_session
def show(session: Session, name: NameArgument = None) -> None:
    """Show what a mind is: persona, settings, and who talks with it in which conversations."""
    session = session.to(name)
    with session.connect() as client:
        who = client.call("mind.get", {"mind": session.mind})["mind"]
    talks = list(whole_list(session, "conversation.list", speakers=True))
    if session.gave_json({"mind": who, "conversations": talks}):
        return
    _print_mind(who)
    _print_conversations(talks)


@app.command("create")
@opens_session_without("mind")
def create(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="a-z, 0-9, - and _; other names go into --title.")],
    settings: Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help=f"{_SETTINGS}.")] = None,
    title: TitleOption = None,
    persona: PersonaOption = None,
    profile: ProfileOption = None,
    language: LanguageOption = None,
) -> None:
    """Make a mind. One without a persona need not be made: it comes into being with its first message."""
    result = session.call(
        "mind.create", mind=wellformed(name), **_who(title, persona, profile, language, settings or ())
    )
    if session.gave_json(result):
        return
    out(f"{name} made")
    _print_mind(result["mind"])


@app.command("set")
@opens_session
def change(
    session: Session,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME] [KEY=VALUE]...", help=f"The mind, unless --mind names it. {_SETTINGS}; KEY= takes one back."
        ),
    ] = None,
    title: TitleOption = None,
    persona: PersonaOption = None,
    profile: ProfileOption = None,
    language: LanguageOption = None,
) -> None:
    """Change who a mind is and what it does."""
    named, settings = _name_first(words or ())
    session = session.to(named)
    given = _who(title, persona, profile, language, settings)
    if not given:
        raise CommandError(
            "nothing to set", hint="`soulmem mind set -h` names what there is", code=ExitCode.WRONG_USAGE
        )
    result = session.call("mind.update", mind=session.mind, **given)
    if session.gave_json(result):
        return
    out(f"{session.mind} changed")
    _print_mind(result["mind"])


@app.command("delete")
@opens_session_without("mind")
def delete(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The mind.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a mind with everything it remembers, for good."""
    session = session.to(wellformed(name))
    if not yes:
        if not sys.stdin.isatty():
            raise CommandError("deleting asks first", hint="add --yes", code=ExitCode.WRONG_USAGE)
        who = session.call("mind.get", mind=session.mind)["mind"]
        holds = f"{plural(who['messages'], 'message')}, {plural(who['notes'], 'note')}"
        typer.confirm(f"Delete {name} ({holds}) for good? It cannot be undone.", abort=True)
    result = session.call("mind.delete", mind=session.mind, confirm=session.mind)
    if session.gave_json(result):
        return
    out(f"{name} is gone for good")
    for left in result["remains"]:
        err(paint(f"a copy still holds it: {left}", "dim", sys.stderr))


def _who(
    title: str | None, persona: str | None, profile: str | None, language: str | None, settings: Sequence[str]
) -> dict[str, Any]:
    """What was given of who a mind is, as `mind.create` and `mind.update` take it."""
    if persona == "-":
        persona = sys.stdin.read().strip()
    texts = {"title": title, "persona": persona, "language": language}
    given: dict[str, Any] = {key: wellformed(text) for key, text in texts.items() if text is not None}
    if profile is not None:
        given["profile"] = profile
    if settings:
        given["settings"] = key_values(settings, like="window.capacity=30")
    return given


def _name_first(words: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    if not words or "=" in words[0]:
        return None, words
    return wellformed(words[0]), words[1:]


def _print_mind(who: Mapping[str, Any]) -> None:
    facts = [
        ("mind", f"{who['mind']} · {who['profile']} · {who['state']} · since {moment(who['created_at'])}"),
        ("title", str(who["title"])),
        ("persona", one_line(who["persona"])),
        ("language", str(who["language"])),
        ("holds", ", ".join(plural(int(who[each]), each[:-1]) for each in ("messages", "notes", "links", "recalls"))),
        ("settings", ", ".join(f"{key}={json.dumps(value)}" for key, value in sorted(who["settings"].items()))),
    ]
    for line in pairs((name, value) for name, value in facts if value):
        out(line)


def _print_conversations(talks: Sequence[Mapping[str, Any]]) -> None:
    if not talks:
        return
    out()
    rows = [
        (str(each["name"]), str(each["messages"]), moment(each["created_at"]), ", ".join(each["speakers"]))
        for each in talks[-_MOST_CONVERSATIONS:]
    ]
    show_table("conversation, messages>, since, who speaks*", rows)
    if len(talks) > len(rows):
        out(paint(f"the latest {len(rows)} of {len(talks)} conversations; --json tells of all", "dim"))
