"""`schemas/config.json` says what the code accepts, no more and no less."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from every_row import every_row
from soulmem.errors import SoulmemError
from soulmem.ops.settings.config_loader import mind_settings
from soulmem.ops.settings.config_schema import config_schema, config_schema_text, mind_settings_schema
from soulmem.ops.settings.setting_keys import MIND_KEYS

SCHEMA = Path(__file__).parents[2] / "schemas" / "config.json"


def test_the_committed_schema_is_generated_from_the_code() -> None:
    assert SCHEMA.read_text("utf-8") == config_schema_text(), (
        "run: python -m soulmem.ops.settings.config_schema > schemas/config.json"
    )


def test_the_schema_is_one_and_knows_no_secrets() -> None:
    schema = config_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert "api_key" not in schema["properties"]["embedder"]["properties"]
    text = "profile = 'assistant'\n[window]\ncapacity = 30\n[embedder]\nname = '/models/中文'\n"
    jsonschema.validate(tomllib.loads(text), schema)
    for wrong in ("[window]\ncapacity = 0", "[window]\nsize = 3", "[server]\nmode = '99'"):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(tomllib.loads(wrong), schema)


@every_row(sorted(MIND_KEYS))
def test_schema_and_code_agree_on_what_a_mind_may_set(name: str) -> None:
    validator = jsonschema.Draft202012Validator(mind_settings_schema())
    section, _, key = name.partition(".")
    for value in (0, 1, -1, 7, 10**9, 0.5, True, "wall", "smoothed", "x", [], {}):
        for form in ({name: value}, {section: {key: value}}):
            try:
                mind_settings({"linking.k_hot": 100, "window.capacity": 10_000}, form)
                accepted = True
            except SoulmemError as error:
                if "must not exceed" in error.message:
                    continue  # a relation between two keys is beyond a schema
                accepted = False
            assert accepted == validator.is_valid(json.loads(json.dumps(form))), (form, accepted)


def settings_of(schema: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every setting with its schema, those of tables within the tables too."""
    for name, each in schema.get("properties", {}).items():
        if "properties" in each:
            yield from settings_of(each, f"{prefix}{name}.")
            continue
        yield f"{prefix}{name}", each
        if isinstance(each.get("additionalProperties"), dict):
            yield from settings_of(each["additionalProperties"], f"{prefix}{name}.*.")


def test_every_setting_says_what_it_means() -> None:
    found = dict(settings_of(config_schema()))
    assert {"profile", "window.capacity", "engine.tasks", "engine.tasks.*.model", "budget.tokens_per_day"} <= set(found)
    assert [name for name, each in found.items() if len(each.get("description", "")) < 10] == []
