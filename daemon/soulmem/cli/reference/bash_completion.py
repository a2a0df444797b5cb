"""Completion for bash, without the package bash-completion."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote

from soulmem.cli.reference.command_model import Argument, Command, Option, Value

_FRAME = r"""# bash completion for soulmem, written by `soulmem completion bash`
_soulmem_takes_value() {
    case "$1 $2" in
        %(valued)s) return 0 ;;
    esac
    return 1
}

_soulmem_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }

_soulmem_minds() { _soulmem_words "$("${COMP_WORDS[0]}" completion --minds 2>/dev/null)" "$1"; }

_soulmem_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_soulmem() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="" path="" word i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word="${COMP_WORDS[i]}"
        if [[ "$word" == "=" ]]; then
            ((i + 1 < COMP_CWORD)) && prev="" && ((i++))
        elif [[ -n "$prev" ]]; then
            prev=""
        elif [[ "$word" == -* ]]; then
            _soulmem_takes_value "${path# }" "$word" && prev="$word"
        else
            case "${path# } $word" in
                %(paths)s) path="$path $word" ;;
            esac
        fi
    done
    [[ "$cur" == "=" ]] && cur=""
    path="${path# }"
    if [[ -n "$prev" ]]; then
        case "$path $prev" in
%(values)s
        esac
        return
    fi
    if [[ "$cur" == -* ]]; then
        case "$path" in
%(options)s
        esac
        return
    fi
    case "$path" in
%(arguments)s
    esac
}
complete -F _soulmem soulmem
"""
_REPLIES = {
    Value.FILE: '_soulmem_files -f "$cur"',
    Value.FOLDER: '_soulmem_files -d "$cur"',
    Value.MIND: '_soulmem_minds "$cur"',
}


def bash_completion(program: Command) -> str:
    """The script that `source` or bash-completion reads."""
    commands = list(program.walk())
    pairs = [(command, option) for command in commands for option in command.options if option.value is not Value.NONE]
    return _FRAME % {
        "valued": _patterns(f"{_path(command)} {name}" for command, option in pairs for name in option.names),
        "paths": _patterns(f"{_path(parent)} {each.name}" for parent in commands for each in parent.commands),
        "values": _cases(
            (_patterns(f"{_path(command)} {name}" for name in option.names), _reply(option))
            for command, option in pairs
            if option.value is not Value.TEXT
        ),
        "options": _cases((quote(_path(command)), _words(_names(command))) for command in commands),
        "arguments": _cases(
            (quote(_path(command)), reply) for command in commands if (reply := _what_follows(command))
        ),
    }


def _path(command: Command) -> str:
    return " ".join(command.path)


def _names(command: Command) -> list[str]:
    return [name for option in command.options for name in option.names]


def _patterns(words: Iterable[str]) -> str:
    return " | ".join(quote(word) for word in words)


def _cases(found: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"            {pattern}) {reply} ;;" for pattern, reply in found)


def _what_follows(command: Command) -> str:
    if command.commands:
        return _words([each.name for each in command.commands])
    known = [each for each in command.arguments if each.value is not Value.TEXT]
    return _reply(known[0]) if known else ""


def _reply(taken: Option | Argument) -> str:
    return _words(taken.choices) if taken.value is Value.CHOICE else _REPLIES.get(taken.value, ":")


def _words(words: Iterable[str]) -> str:
    return f'_soulmem_words {quote(" ".join(words))} "$cur"'
