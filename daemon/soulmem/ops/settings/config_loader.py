"""The configuration: found, merged, checked at the start and when it is read anew, frozen in between.

`daemon.py` calls `load_config` before anything is opened; a mind asks `Config.for_mind` for its own view.
Precedence: flags, `SOULMEM_*` variables, the user's file, the system's file, defaults (those of the profile).
Invariants: an unknown key or a bad value never passes silently; it is one line naming where it stands and what to write
instead; whoever holds a configuration that is read anew sees all that changed at once, or nothing. Keys and passwords
come from the environment, a credential or a file of their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from soulmem.core.decay.decay_policy import UnfitFadingError
from soulmem.errors import ErrorName, SoulmemError, StartupError
from soulmem.fast_dataclasses import dataclass
from soulmem.ops.settings import default_paths
from soulmem.ops.settings.engine_settings import TABLES
from soulmem.ops.settings.setting_keys import (
    KEYS,
    MIND_KEYS,
    SECTIONS,
    Key,
    MindSections,
    Sections,
    flat_names,
    nearest,
)
from soulmem.ops.settings.setting_rules import RejectedError, Secret, parse
from soulmem.ops.settings.setting_sections import Profile, fading_of
from soulmem.ops.settings.setting_sources import EX_CONFIG, accept_value, read_environment, read_file, read_secrets


@dataclass(frozen=True, slots=True)
class MindSettings(MindSections):
    """What one mind runs on: configuration, its profile and its own overrides together."""

    profile: Profile


SettingsNow = Callable[[], MindSettings]  # gives them as they stand when it is called


@dataclass(frozen=True, slots=True)
class Config(Sections):
    """The whole configuration. `origins` maps the full name of every key to where its value came from."""

    profile: Profile
    state_dir: Path
    socket: Path
    origins: Mapping[str, str]

    def become(self, **parts: Any) -> None:
        """Take over these parts of another configuration; whoever holds this one sees them from now on.

        For `config_loader` alone: to everybody else it is frozen.
        """
        for name, part in parts.items():
            object.__setattr__(self, name, part)

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

        Raises SoulmemError: `invalid_params`, as `mind_settings` does, and for settings that make no sense together.
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
        own: dict[str, Any] = {each.name: _section(each.name, values) for each in fields(MindSections)}
        settled = MindSettings(profile=chosen, **own)
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

    Both forms are read, nested (`{"window": {"capacity": 10}}`) and flat (`{"window.capacity": 10}`); null drops one.
    Raises: SoulmemError: `invalid_params`, for an unknown key (with the nearest known one), a wrong type or range, or
        values that contradict one another.
    """
    merged = _checked(stored)
    flat = flat_names(change)
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

    `flags`: values of the command line by full key name; None counts as not given; `config_file`: replaces the search
    for files (as `$SOULMEM_CONFIG` does); it must exist.
    Raises: StartupError: exit code 78, one line naming the place and the key.
    """
    environ = os.environ if environ is None else environ
    named = config_file or (Path(environ["SOULMEM_CONFIG"]) if environ.get("SOULMEM_CONFIG") else None)
    found: dict[str, tuple[Any, str]] = {}
    for path in (named,) if named else (system_file, default_paths.user_config(environ)):
        found |= read_file(path, required=named is not None)
    found |= read_environment(environ)
    for name, value in (flags or {}).items():
        if value is not None:
            found[name] = (accept_value(name, value, "command line", from_text=True), "flag")
    found |= read_secrets(environ, found)
    profile = found["profile"][0] if "profile" in found else Profile.COMPANION
    values = {name: _default(key, profile) for name, key in KEYS.items()}
    values["state_dir"] = default_paths.state_directory(environ)
    values["socket"] = default_paths.socket_candidates(environ)[0]
    values["embedder.models_dir"] = default_paths.models_directory(environ)
    values["engine.prompts_dir"] = (named or default_paths.user_config(environ)).parent / "prompts"
    values |= {name: value for name, (value, _) in found.items()}
    origins = {name: found[name][1] if name in found else "default" for name in KEYS}
    sections: dict[str, Any] = {name: _section(name, values) for name in SECTIONS}
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


def _section(section: str, values: Mapping[str, Any]) -> Any:  # of the class of whichever section
    cls = SECTIONS[section]
    return cls(**{item.name: values[f"{section}.{item.name}"] for item in fields(cls)})


def _checked(settings: Mapping[str, Any]) -> dict[str, Any]:
    checked = {}
    for name, value in flat_names(settings).items():
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


# What is opened with them at the start stays open: the socket, the clock, the models.
_FIXED_SECTIONS = frozenset({"embedder", "engine", "clock", "server"})
_FIXED = frozenset({"state_dir", "socket", "log.format"})


def is_fixed(name: str) -> bool:
    """Whether a key is read at the start alone."""
    return name in _FIXED or name.partition(".")[0] in _FIXED_SECTIONS


def take_over(config: Config, fresh: Config) -> tuple[list[str], list[str]]:
    """Let a configuration become what was read anew, as far as that goes; the keys that changed, and that did not."""
    differing = [name for name in KEYS if _plain(config.value(name)) != _plain(fresh.value(name))]
    changed = [name for name in differing if not is_fixed(name)]
    sections = {}
    for section, names in _by_section(changed).items():
        if section:
            sections[section] = replace(
                getattr(config, section), **{key: fresh.value(f"{section}.{key}") for key in names}
            )
    config.become(
        profile=fresh.profile,
        origins={name: (config if is_fixed(name) else fresh).origins[name] for name in KEYS},
        **sections,
    )
    return changed, [name for name in differing if is_fixed(name)]


def _by_section(names: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        section, _, key = name.rpartition(".")
        found.setdefault(section, []).append(key)
    return found


def _plain(value: object) -> object:
    return value.reveal() if isinstance(value, Secret) else value
