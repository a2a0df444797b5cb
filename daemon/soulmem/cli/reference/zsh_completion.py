"""Completion for zsh, by its own `_arguments`."""

from __future__ import annotations

import re

from soulmem.cli.reference.command_model import Argument, Command, Option, Value

_HEAD = """#compdef soulmem
# zsh completion for soulmem, written by `soulmem completion zsh`

_soulmem_minds() {
    local -a minds
    minds=(${(f)"$(soulmem completion --minds 2>/dev/null)"})
    compadd -a minds
}
"""
_ACTIONS = {Value.FILE: "_files", Value.FOLDER: "_files -/", Value.MIND: "_soulmem_minds"}
_TAIL = """
if [ "$funcstack[1]" = "_soulmem" ]; then
    _soulmem "$@"
else
    compdef _soulmem soulmem
fi
"""


def zsh_completion(program: Command) -> str:
    """The file `_soulmem` of a folder in `fpath`; `source` reads it too."""
    return _HEAD + "".join(_function(command) for command in program.walk()) + _TAIL


def _function(command: Command) -> str:
    specs = [spec for option in command.options for spec in _option(option)]
    lines = [f"\n{_name(command)}() {{"]
    if command.commands:
        lines.append("    local state line")
        specs += ["1: :->command", "*:: :->rest"]
    else:
        specs += [_argument(place, each) for place, each in enumerate(command.arguments, 1)]
    lines.append("    _arguments -s " + " \\\n        ".join(_quoted(spec) for spec in specs))
    if command.commands:
        known = "\n".join(f"            {_quoted(f'{each.name}:{_plain(each.summary)}')}" for each in command.commands)
        branches = "\n".join(f"            {each.name}) {_name(each)} ;;" for each in command.commands)
        lines.append(
            f"    case $state in\n        command)\n        local -a known=(\n{known}\n        )\n"
            f"        _describe command known ;;\n        rest)\n        case $line[1] in\n{branches}\n"
            "        esac ;;\n    esac"
        )
    return "\n".join([*lines, "}\n"])


def _name(command: Command) -> str:
    return "_".join(["_soulmem", *command.path])


def _option(option: Option) -> list[str]:
    taken = "" if option.value is Value.NONE else f":{_plain(option.metavar)}:{_action(option)}"
    others = "*" if option.repeated else f"({' '.join(option.names)})"
    equals = {True: "=", False: ""}
    return [
        f"{others}{name}{equals[bool(taken) and name.startswith('--')]}[{_plain(option.help)}]{taken}"
        for name in option.names
    ]


def _argument(place: int, argument: Argument) -> str:
    return f"{'*' if argument.metavar.endswith('...') else place}:{_plain(argument.metavar)}:{_action(argument)}"


def _action(taken: Option | Argument) -> str:
    return f"({' '.join(taken.choices)})" if taken.value is Value.CHOICE else _ACTIONS.get(taken.value, " ")


def _plain(text: str) -> str:
    """Text without what `_arguments` and `_describe` read as their own."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
