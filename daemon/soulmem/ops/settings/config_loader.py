"""The configuration: found, merged, checked once at the start, then frozen.

`daemon.py` calls `load_config` before anything is opened; a mind asks `Config.for_mind` for its own view.
Precedence: flags, `SOULMEM_*` variables, the user's file, the system's file, defaults (those of the profile).
Invariant: an unknown key or a bad value never passes silently; it is one line naming where it stands and what
to write instead. Keys and passwords come from the environment, a credential or a file of their own.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from soulmem.core.decay.decay_policy import UnfitFadingError
from soulmem.core.text.did_you_mean import suggestion
from soulmem.errors import ErrorName, SoulmemError, StartupError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.process.systemd import credential
from soulmem.ops.settings import default_paths, environment_variables
from soulmem.ops.settings.engine_settings import TABLES, BudgetSettings, EngineSettings, table
from soulmem.ops.settings.setting_rules import RejectedError, Rule, Secret, parse
from soulmem.ops.settings.setting_sections import (
    ClockSettings,
    EmbedderSettings,
    ForgettingSettings,
    IdleSettings,
    LinkingSettings,
    LogSettings,
    MemorySettings,
    Profile,
    RecallSettings,
    ServerSettings,
    SummarySettings,
    WindowSettings,
    fading_of,
)

EX_CONFIG = 78
SECTIONS: dict[str, type] = {
    "window": WindowSettings,
    "summary": SummarySettings,
    "idle": IdleSettings,
    "linking": LinkingSettings,
    "forgetting": ForgettingSettings,
    "recall": RecallSettings,
    "embedder": EmbedderSettings,
    "engine": EngineSettings,
    "budget": BudgetSettings,
    "memory": MemorySettings,
    "clock": ClockSettings,
    "server": ServerSettings,
    "log": LogSettings,
}
S = TypeVar("S")


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


KEYS: dict[str, Key] = {key.name: key for key in _declared()}
MIND_KEYS: dict[str, Key] = {name: key for name, key in KEYS.items() if key.rule.per_mind}


@dataclass(frozen=True, slots=True)
class MindSettings:
    """What one mind runs on: configuration, its profile and its own overrides together."""

    profile: Profile
    window: WindowSettings
    summary: SummarySettings
    idle: IdleSettings
    linking: LinkingSettings
    forgetting: ForgettingSettings
    recall: RecallSettings


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration. `origins` maps the full name of every key to where its value came from."""

    profile: Profile
    state_dir: Path
    socket: Path
    window: WindowSettings
    summary: SummarySettings
    idle: IdleSettings
    linking: LinkingSettings
    forgetting: ForgettingSettings
    recall: RecallSettings
    embedder: EmbedderSettings
    engine: EngineSettings
    budget: BudgetSettings
    memory: MemorySettings
    clock: ClockSettings
    server: ServerSettings
    log: LogSettings
    origins: Mapping[str, str]

    def value(self, name: str) -> Any:  # values of every key type
        """Return the value of a key by its full name."""
        section, _, key = name.rpartition(".")
        return getattr(getattr(self, section), key) if section else getattr(self, name)

    def explain(self) -> Iterator[tuple[str, str, str]]:
        """Yield (key, value as text, origin) of every key; secrets are masked."""
        for name in KEYS:
            value = self.value(name)
            if name in TABLES:
                shown = "; ".join(f"{entry}: {_set_of(each)}" for entry, each in (value or {}).items())
            else:
                shown = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
            yield name, shown, self.origins[name]

    def for_mind(self, profile: Profile | str | None, settings: Mapping[str, Any]) -> MindSettings:
        """Return a mind's own view: its settings, else what was configured, else its profile's defaults.

        Raises:
            SoulmemError: `invalid_params`, as `mind_settings` does, and for settings that make no sense together.
        """
        try:
            chosen = self.profile if profile is None else Profile(profile)
        except ValueError:
            raise SoulmemError(
                ErrorName.INVALID_PARAMS, f'profile must be one of {", ".join(Profile)}, not "{profile}"'
            ) from None
        values = {
            name: _default(key, chosen) if self.origins[name] == "default" else self.value(name)
            for name, key in MIND_KEYS.items()
        }
        values |= _checked(settings)
        # keys a mind cannot override keep the daemon's value
        for section in ("summary", "recall"):
            for item in fields(SECTIONS[section]):
                values.setdefault(f"{section}.{item.name}", self.value(f"{section}.{item.name}"))
        settled = MindSettings(
            profile=chosen,
            window=_section(WindowSettings, "window", values),
            summary=_section(SummarySettings, "summary", values),
            idle=_section(IdleSettings, "idle", values),
            linking=_section(LinkingSettings, "linking", values),
            forgetting=_section(ForgettingSettings, "forgetting", values),
            recall=_section(RecallSettings, "recall", values),
        )
        try:
            fading_of(settled.forgetting)
        except UnfitFadingError as error:
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"settings: forgetting.{error}") from None
        return settled


def _set_of(entry: Any) -> str:  # an entry of a table, whatever its class
    values = {item.name: getattr(entry, item.name) for item in fields(entry)}
    return ", ".join(f"{name} {value}" for name, value in values.items() if value is not None)


def mind_settings(stored: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Merge a change into a mind's stored overrides and return them flat, ready for JSON.

    Both forms are read, nested (`{"window": {"capacity": 10}}`) and flat (`{"window.capacity": 10}`);
    null drops an override.

    Raises:
        SoulmemError: `invalid_params`, for an unknown key (with the nearest known one), a wrong type or
            range, or values that contradict one another.
    """
    merged = _checked(stored)
    flat = _flat(change)
    dropped = {name for name, value in flat.items() if value is None and name in MIND_KEYS}
    merged |= _checked({name: value for name, value in flat.items() if name not in dropped})
    return {name: value for name, value in merged.items() if name not in dropped}


def load_config(
    flags: Mapping[str, Any] | None = None,
    *,
    config_file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    system_file: Path = default_paths.SYSTEM_CONFIG,
) -> Config:
    """Find, merge and check the configuration.

    Args:
        flags: values of the command line by full key name; None counts as not given.
        config_file: replaces the search for files (as `$SOULMEM_CONFIG` does); it must exist.

    Raises:
        StartupError: exit code 78, one line naming the place and the key.
    """
    environ = os.environ if environ is None else environ
    named = config_file or (Path(environ["SOULMEM_CONFIG"]) if environ.get("SOULMEM_CONFIG") else None)
    found: dict[str, tuple[Any, str]] = {}
    for path in (named,) if named else (system_file, default_paths.user_config(environ)):
        found |= _from_file(path, required=named is not None)
    found |= _from_environment(environ)
    for name, value in (flags or {}).items():
        if value is not None:
            found[name] = (_accepted(name, value, "command line", from_text=True), "flag")
    found |= _secrets(environ, found)
    profile = found["profile"][0] if "profile" in found else Profile.COMPANION
    values = {name: _default(key, profile) for name, key in KEYS.items()}
    values["state_dir"] = default_paths.state_directory(environ)
    values["socket"] = default_paths.socket_candidates(environ)[0]
    values["embedder.models_dir"] = default_paths.models_directory(environ)
    values["engine.prompts_dir"] = (named or default_paths.user_config(environ)).parent / "prompts"
    values |= {name: value for name, (value, _) in found.items()}
    origins = {name: found[name][1] if name in found else "default" for name in KEYS}
    sections: dict[str, Any] = {name: _section(cls, name, values) for name, cls in SECTIONS.items()}
    try:
        fading_of(sections["forgetting"])
    except UnfitFadingError as error:
        name = f"forgetting.{error.setting}"
        # It may be the other of the two that was set.
        place = next((origins[key] for key in (name, "forgetting.blur_below") if origins[key] != "default"), "defaults")
        raise StartupError(f"{place}: forgetting.{error}", exit_code=EX_CONFIG) from None
    return Config(profile=profile, state_dir=values["state_dir"], socket=values["socket"], origins=origins, **sections)


def _default(key: Key, profile: Profile) -> Any:  # a value of any key type
    use_assistant = profile is Profile.ASSISTANT and key.rule.assistant is not None
    return key.rule.assistant if use_assistant else key.default


def _section(cls: type[S], section: str, values: Mapping[str, Any]) -> S:
    names = [item.name for item in fields(cls)]  # type: ignore[arg-type]  # every section is a dataclass
    return cls(**{name: values[f"{section}.{name}"] for name in names})


def nearest(name: str, known: Mapping[str, object]) -> str:
    """Return ' (did you mean …?)' with the known key closest to a name, or nothing."""
    meant = suggestion(name, known)
    if meant is None:
        tails = {key.rpartition(".")[2]: key for key in known if key != name}
        tail = name.rpartition(".")[2]
        found = tail if tail in tails else suggestion(tail, tails, likeness=0.75)
        meant = tails[found] if found is not None else None
    return f" (did you mean {meant}?)" if meant is not None else ""


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """Turn `{section: {key: v}}` into `{"section.key": v}`; what is already flat stays."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, Mapping) and name in SECTIONS:
            flat |= {f"{name}.{key}": inner for key, inner in value.items()}
        else:
            flat[name] = value
    return flat


def _checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    checked = {}
    for name, value in _flat(settings).items():
        key = MIND_KEYS.get(name)
        if key is None:
            reason = "is set for the whole daemon" if name in KEYS else f"is unknown{nearest(name[:80], MIND_KEYS)}"
            plain = name if name.isprintable() and 0 < len(name) <= 80 else repr(name[:80])
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"settings: {plain} {reason}")
        try:
            checked[name] = parse(key.kind, key.rule, value)
        except RejectedError as error:
            raise SoulmemError(ErrorName.INVALID_PARAMS, f"settings: {name} {error}") from None
    return checked


def _accepted(name: str, value: object, place: str, *, from_text: bool = False) -> object:
    """Check one value found somewhere."""
    key = KEYS.get(name)
    if key is None:
        what = "section" if isinstance(value, Mapping) else "key"
        known: Mapping[str, object] = SECTIONS if what == "section" else KEYS
        raise StartupError(f"{place}: unknown {what} {name}{nearest(name, known)}", exit_code=EX_CONFIG)
    if key.kind is Secret:
        hint = f"use {name}_file, a credential or {_variable(name)}"
        raise StartupError(f"{place}: {name} must not stand here; {hint}", exit_code=EX_CONFIG)
    try:
        if name in TABLES:
            return table(TABLES[name][0], value, names=TABLES[name][1])
        parsed = parse(key.kind, key.rule, value, from_text=from_text)
    except RejectedError as error:
        raise StartupError(f"{place}: {name} {error}", exit_code=EX_CONFIG) from None
    return parsed.expanduser() if isinstance(parsed, Path) else parsed


def _from_file(path: Path, *, required: bool) -> dict[str, tuple[Any, str]]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if required:
            raise StartupError(f"{path}: no such configuration file", exit_code=EX_CONFIG) from None
        return {}
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StartupError(f"{path}: cannot be read: {reason}", exit_code=EX_CONFIG) from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise StartupError(f"{path}: not valid TOML: {error}", exit_code=EX_CONFIG) from None
    found = {}
    for name, value in table.items():
        if name in SECTIONS and not isinstance(value, dict):
            raise StartupError(f"{path}: {name} must be a section: [{name}]", exit_code=EX_CONFIG)
    for name, value in _flat(table).items():
        accepted = _accepted(name, value, str(path))
        # a relative path in a file is meant relative to that file
        found[name] = (path.parent / accepted if isinstance(accepted, Path) else accepted, str(path))
    return found


def _variable(name: str) -> str:
    return "SOULMEM_" + name.upper().replace(".", "_")


VARIABLES: dict[str, str] = {_variable(name): name for name in KEYS}


def _from_environment(environ: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    """Read `SOULMEM_*`. One that means nothing is a slip."""
    if slip := environment_variables.unknown(environ, VARIABLES):
        raise StartupError(slip, exit_code=EX_CONFIG)
    found = {}
    for variable in sorted(VARIABLES.keys() & environ.keys()):
        name = VARIABLES[variable]
        if KEYS[name].kind is Secret or not environ[variable]:
            continue
        try:
            accepted = _accepted(name, environ[variable], "environment", from_text=True)
        except StartupError as error:
            text = str(error).replace(name, variable, 1)
            raise StartupError(text, exit_code=EX_CONFIG) from None
        found[name] = (accepted, variable)
    return found


def _secrets(environ: Mapping[str, str], found: Mapping[str, tuple[Any, str]]) -> dict[str, tuple[Any, str]]:
    """Find keys of endpoints: the variable, else the credential `<section>_api_key`, else `api_key_file`."""
    secrets: dict[str, tuple[Any, str]] = {}
    for name, key in KEYS.items():
        if key.kind is not Secret:
            continue
        label = name.replace(".", "_")
        variable = _variable(name)
        if environ.get(variable):
            secrets[name] = (Secret(environ[variable].strip()), variable)
        elif text := credential(label, environ):
            secrets[name] = (Secret(text), f"credential {label}")
        elif f"{name}_file" in found:
            path = found[f"{name}_file"][0]
            try:
                secrets[name] = (Secret(path.read_text("utf-8").strip()), str(path))
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or "not text"
                place = found[f"{name}_file"][1]
                raise StartupError(
                    f"{place}: {name}_file: {path} cannot be read: {reason}", exit_code=EX_CONFIG
                ) from None
    return secrets
