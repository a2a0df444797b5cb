"""Completion for fish."""

from __future__ import annotations

from collections.abc import Iterator

from soulmem.cli.reference.command_model import Argument, Command, Option, Value

_TAKEN = {
    Value.NONE: "",
    Value.TEXT: " -x",
    Value.FILE: " -r -F",
    Value.FOLDER: " -x -a '(__fish_complete_directories)'",
    Value.MIND: " -x -a '(soulmem completion --minds 2>/dev/null)'",
}
_HEAD = """# fish completion for soulmem, written by `soulmem completion fish`
function __soulmem_path
    set -l path
    set -l words (commandline -opc)
    set -l skip 1
    for word in $words
        if test $skip -eq 1
            set skip 0
        else if contains -- "$path $word" %(valued)s
            set skip 1
        else if contains -- "$path $word" %(paths)s
            set path (string trim "$path $word")
        end
    end
    test "$path" = "$argv"
end

complete -c soulmem -f
"""


def fish_completion(program: Command) -> str:
    """The script for `completions/soulmem.fish`."""
    commands = list(program.walk())
    valued = (
        f"{' '.join(command.path)} {name}"
        for command in commands
        for option in command.options
        if option.value is not Value.NONE
        for name in option.names
    )
    paths = (f"{' '.join(parent.path)} {each.name}" for parent in commands for each in parent.commands)
    head = _HEAD % {"valued": " ".join(map(_quoted, valued)), "paths": " ".join(map(_quoted, paths))}
    return head + "\n".join(line for command in commands for line in _lines(command)) + "\n"


def _lines(command: Command) -> Iterator[str]:
    path = " ".join(command.path)
    where = f"complete -c soulmem -n {_quoted(f'__soulmem_path {_quoted(path)}')}"
    for each in command.commands:
        yield f"{where} -a {each.name} -d {_quoted(each.summary)}"
    for option in command.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        yield f"{where} {names}{_taken(option)} -d {_quoted(option.help)}"
    for argument in command.arguments[:1]:
        if argument.value is not Value.TEXT:
            yield f"{where}{_taken(argument).replace(' -r', '')}"


def _taken(taken: Option | Argument) -> str:
    return f" -x -a {_quoted(' '.join(taken.choices))}" if taken.value is Value.CHOICE else _TAKEN[taken.value]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
