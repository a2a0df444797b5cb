"""A configuration read anew while the daemon runs: what can change does, what needs a restart is named.

`daemon.py` calls it on SIGHUP. Invariant: whoever holds the configuration sees all that changed at once, or nothing.
"""

from __future__ import annotations

from dataclasses import replace

from soulmem.ops.settings.config_loader import Config
from soulmem.ops.settings.setting_keys import KEYS
from soulmem.ops.settings.setting_rules import Secret

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
