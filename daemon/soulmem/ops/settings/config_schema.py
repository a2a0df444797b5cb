"""The configuration as JSON Schema, for `schemas/config.json` and for `system.describe`.

Generated from the sections, never written by hand; `python -m soulmem.ops.settings.config_schema` prints it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args, get_type_hints

from soulmem.ops.settings.engine_settings import TABLES
from soulmem.ops.settings.setting_keys import KEYS, MIND_KEYS, Key
from soulmem.ops.settings.setting_rules import Secret

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NAMES: dict[object, str] = {bool: "boolean", int: "integer", float: "number"}


def config_schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration file; `$defs.mind` is what a mind may override."""
    schema = {"$schema": DIALECT, "title": "soulmem configuration"} | _object(KEYS)
    schema["$defs"] = {"mind": mind_settings_schema()}
    return schema


def mind_settings_schema() -> dict[str, Any]:
    """Return the JSON Schema of a mind's `settings`: nested by section or flat (`window.capacity`)."""
    schema = _object(MIND_KEYS)
    for name, key in MIND_KEYS.items():
        schema["properties"][name] = _value(key)
    return {"title": "settings of a mind"} | schema


def _object(keys: Mapping[str, Key]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, key in keys.items():
        section, _, tail = name.rpartition(".")
        if key.kind is Secret:
            continue  # never stands in a file
        if section:
            table = {"type": "object", "properties": {}, "additionalProperties": False}
            properties.setdefault(section, table)["properties"][tail] = _value(key)
        else:
            properties[name] = _value(key)
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _value(key: Key) -> dict[str, Any]:
    if key.name in TABLES:
        return _table(key)
    kind, rule = key.kind, key.rule
    schema: dict[str, Any] = {"type": _NAMES.get(kind, "string"), "description": rule.means}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        schema["enum"] = [member.value for member in kind]
    if rule.low is not None:
        schema["minimum"] = rule.low
    if rule.high is not None:
        schema["maximum"] = rule.high
    if rule.pattern is not None:
        schema["pattern"] = f"^(?:{rule.pattern})$"
    if key.default is not None and not isinstance(key.default, Path):
        schema["default"] = key.default
    if rule.assistant is not None:
        schema["x-default-assistant"] = rule.assistant
    return schema


def _table(key: Key) -> dict[str, Any]:
    """A key that is a table: names to entries, each value with its own rule."""
    cls, names = TABLES[key.name]
    hints = get_type_hints(cls)
    entry: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    for item in fields(cls):
        plain = next((each for each in get_args(hints[item.name]) if each is not type(None)), hints[item.name])
        inner = Key(f"{key.name}.*.{item.name}", plain, item.metadata["rule"], item.default)
        entry["properties"][item.name] = _value(inner)
    schema: dict[str, Any] = {"type": "object", "description": key.rule.means, "additionalProperties": entry}
    if names is not None:
        schema["propertyNames"] = {"enum": [each.value for each in names]}
    return schema


def config_schema_text() -> str:
    return json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(config_schema_text())
