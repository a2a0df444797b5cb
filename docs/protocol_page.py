"""Writes `docs/protocol.md` from `schemas/rpc`: run `python docs/protocol_page.py`; with `--check` it compares."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent / "schemas" / "rpc"
PAGE = HERE / "protocol.md"
HEAD = """# Protocol

Generated from `schemas/rpc` by `python docs/protocol_page.py`; do not edit.

JSON-RPC 2.0 over a Unix stream socket: one object a line, UTF-8. Parameters and results are objects. Replies carry the
id of their request and may overtake each other. Unknown parameters are refused with the nearest known name. Times are
ISO 8601; where it is asked from when to when, or as of when, a year, a month (`2026-03`) or words (`yesterday`, `3 days ago`,
上周, 三天前) do too, by the calendar of UTC: `from` is their first moment, `to` their end. A date alone is its midnight.
Ids are opaque strings. The same schemas come from the daemon itself by `system.describe`.

An id looks like `n17`, so that two of them tell how many were made between. In a mind whose `recall.sharing` is not
`open`, a call that names a conversation therefore shows ids like `n_4t0qk7wz2d`, which tell nothing, and understands no
others: a plain one is not found there. They are the same for as long as the mind is, and mean nothing in another. Calls
that name no conversation show plain ids and understand both. Messages are called as their clients called them.

Rights: `read`, `write`, `admin`. The owner of the daemon and root have all, the group of the socket may write.
"""


def kind(schema: dict[str, Any], root: dict[str, Any]) -> str:
    """A type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        found = root.get("$defs", {}).get(name, {})
        return f"[{name}](#{name.lower()})" if found.get("properties") else kind(found, root)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(dict.fromkeys(kind(each, root) for each in schema[union]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema["enum"])
    match schema.get("type"):
        case "array":
            return f"list of {kind(schema.get('items', {}), root)}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"object of {kind(schema['additionalProperties'], root)}"
        case list(kinds):
            return " or ".join(kinds)
        case None:
            return "any"
        case other:
            return str(other)


def rows(schema: dict[str, Any], root: dict[str, Any], *, parameters: bool) -> list[str]:
    """One row of a table for each property; a parameter tells its default, or that it is needed."""
    found = []
    for name, each in schema.get("properties", {}).items():
        told = [each.get("description", "")]
        if parameters:
            if name in schema.get("required", []):
                told.append("**needed**")
            elif each.get("default") not in (None, "", [], {}):
                told.append(f"default `{json.dumps(each['default'], ensure_ascii=False)}`")
        text = "; ".join(part for part in told if part).replace("|", "\\|").replace("\n", " ")
        found.append(f"| `{name}` | {kind(each, root).replace('|', ' or ')} | {text} |")
    return found


def table(schema: dict[str, Any], root: dict[str, Any], title: str, *, parameters: bool = False) -> list[str]:
    lines = rows(schema, root, parameters=parameters)
    return [f"{title}", "", "| name | type | meaning |", "| --- | --- | --- |", *lines, ""] if lines else []


def page() -> str:
    """The whole page."""
    methods = [json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob("*.json")) if path.stem != "errors"]
    shared: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
    lines = [HEAD, "## Methods", "", "| method | rights | what it does |", "| --- | --- | --- |"]
    for each in methods:
        anchor = each["method"].replace(".", "")
        lines.append(f"| [`{each['method']}`](#{anchor}) | {each['rights']} | {each['does']} |")
    lines.append("")
    for each in methods:
        lines += [
            f"### {each['method']}",
            "",
            f"{each['does'][0].upper()}{each['does'][1:]}. Rights: {each['rights']}.",
            "",
        ]
        lines += table(each["params"], each["params"], "Parameters:", parameters=True)
        lines += table(each["result"], each["result"], "Result:")
        for part in ("params", "result"):
            for name, found in each[part].get("$defs", {}).items():
                if found.get("properties"):
                    shared.setdefault(name, (found, each[part]))
    lines += ["## Objects", ""]
    for name, (found, root) in sorted(shared.items()):
        lines += [
            f"### {name}",
            "",
            *table(found, root, found.get("description", "").split("\n\n")[0].replace("\n", " ")),
        ]
    errors = json.loads((SCHEMAS / "errors.json").read_text("utf-8"))
    lines += ["## Errors", "", "`{code, message, data: {name, hint?, retryable?, retry_after_ms?}}`", ""]
    lines += ["| name | code | worth trying again |", "| --- | --- | --- |"]
    lines += [
        f"| `{name}` | {each['code']} | {'yes' if each['retryable'] else 'no'} |" for name, each in errors.items()
    ]
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def main() -> int:
    wanted = page()
    if "--check" in sys.argv[1:]:
        if PAGE.is_file() and PAGE.read_text("utf-8") == wanted:
            return 0
        sys.stderr.write("docs/protocol.md is out of date: run `python docs/protocol_page.py`\n")
        return 1
    PAGE.write_text(wanted, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
