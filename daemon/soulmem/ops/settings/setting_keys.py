"""Every key of the configuration by its full name, with its type, rule and default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

from soulmem.core.text.did_you_mean import suggestion
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings import setting_sections as sections
from soulmem.ops.settings.engine_settings import TABLES, BudgetSettings, EngineSettings
from soulmem.ops.settings.setting_rules import Rule
from soulmem.ops.settings.setting_sections import Profile


@dataclass(frozen=True, slots=True)
class MindSections:
    """The sections of which a mind may set something for itself."""

    window: sections.WindowSettings
    summary: sections.SummarySettings
    idle: sections.IdleSettings
    linking: sections.LinkingSettings
    reflection: sections.ReflectionSettings
    forgetting: sections.ForgettingSettings
    recall: sections.RecallSettings


@dataclass(frozen=True, slots=True)
class Sections(MindSections):
    """All sections of the configuration."""

    embedder: sections.EmbedderSettings
    engine: EngineSettings
    budget: BudgetSettings
    memory: sections.MemorySettings
    clock: sections.ClockSettings
    server: sections.ServerSettings
    log: sections.LogSettings


SECTIONS: dict[str, type] = get_type_hints(Sections)


class Key(NamedTuple):
    """One key: its full name, resolved type, rule and plain default."""

    name: str
    kind: object
    rule: Rule
    default: Any  # a value of any of the key types


def _declared() -> Iterator[Key]:
    yield Key("profile", Profile, Rule("companion forgets and blurs, assistant only ranks"), Profile.COMPANION)
    yield Key("state_dir", Path, Rule("directory that holds the minds"), None)
    yield Key("socket", Path, Rule("path of the socket"), None)
    for section, cls in SECTIONS.items():
        hints = get_type_hints(cls)
        for item in fields(cls):
            name = f"{section}.{item.name}"
            plain = next((a for a in get_args(hints[item.name]) if a is not type(None)), hints[item.name])
            kind = TABLES[name][0] if name in TABLES else plain
            yield Key(name, kind, item.metadata["rule"], item.default)


FORMER = frozenset({"linking.estimator"})  # keys that never had an effect: files and minds may still hold them
KEYS: dict[str, Key] = {key.name: key for key in _declared()}
MIND_KEYS: dict[str, Key] = {name: key for name, key in KEYS.items() if key.rule.per_mind}


def nearest(name: str, known: Mapping[str, object]) -> str:
    """Return ' (did you mean …?)' with the known key closest to a name, or nothing."""
    meant = suggestion(name, known)
    if meant is None:
        tails = {key.rpartition(".")[2]: key for key in known if key != name}
        tail = name.rpartition(".")[2]
        found = tail if tail in tails else suggestion(tail, tails, likeness=0.75)
        meant = tails[found] if found is not None else None
    return f" (did you mean {meant}?)" if meant is not None else ""


def flat_names(table: Mapping[str, Any]) -> dict[str, Any]:
    """Turn `{section: {key: v}}` into `{"section.key": v}`; what is already flat stays, `FORMER` keys are left out."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, Mapping) and name in SECTIONS:
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return {name: value for name, value in flat.items() if name not in FORMER}


def variable_name(name: str) -> str:
    """The variable that sets a key."""
    return "SOULMEM_" + name.upper().replace(".", "_")


VARIABLES: dict[str, str] = {variable_name(name): name for name in KEYS}
