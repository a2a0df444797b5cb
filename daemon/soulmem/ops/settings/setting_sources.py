"""Where settings are found: a file, the environment, credentials. What is unfit is refused with its place."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from soulmem import file_kinds
from soulmem.errors import StartupError
from soulmem.ops.process.systemd import credential
from soulmem.ops.settings import environment_variables
from soulmem.ops.settings.engine_settings import TABLES, table
from soulmem.ops.settings.setting_keys import KEYS, SECTIONS, VARIABLES, flat_names, nearest, variable_name
from soulmem.ops.settings.setting_rules import RejectedError, Secret, parse

EX_CONFIG = 78


def accept_value(name: str, value: object, place: str, *, from_text: bool = False) -> object:
    """Check one value found somewhere."""
    key = KEYS.get(name)
    if key is None:
        what = "section" if isinstance(value, Mapping) else "key"
        known: Mapping[str, object] = SECTIONS if what == "section" else KEYS
        raise StartupError(f"{place}: unknown {what} {name}{nearest(name, known)}", exit_code=EX_CONFIG)
    if key.kind is Secret:
        hint = f"use {name}_file, a credential or {variable_name(name)}"
        raise StartupError(f"{place}: {name} must not stand here; {hint}", exit_code=EX_CONFIG)
    try:
        if name in TABLES:
            return table(TABLES[name][0], value, names=TABLES[name][1])
        parsed = parse(key.kind, key.rule, value, from_text=from_text)
    except RejectedError as error:
        raise StartupError(f"{place}: {name} {error}", exit_code=EX_CONFIG) from None
    return parsed.expanduser() if isinstance(parsed, Path) else parsed


def read_file(path: Path, *, required: bool) -> dict[str, tuple[Any, str]]:
    """The settings of a TOML file, each with its place."""
    try:
        what = file_kinds.irregular(path)
        if what is not None and os.path.realpath(path) != os.devnull:  # which is the same as no settings at all
            raise StartupError(f"{path}: is {what}", exit_code=EX_CONFIG)
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
    for name, value in flat_names(table).items():
        accepted = accept_value(name, value, str(path))
        # a relative path in a file is meant relative to that file
        found[name] = (path.parent / accepted if isinstance(accepted, Path) else accepted, str(path))
    return found


def read_environment(environ: Mapping[str, str]) -> dict[str, tuple[Any, str]]:
    """Read `SOULMEM_*`. One that means nothing is a slip."""
    if slip := environment_variables.unknown(environ, VARIABLES):
        raise StartupError(slip, exit_code=EX_CONFIG)
    found = {}
    for variable in sorted(VARIABLES.keys() & environ.keys()):
        name = VARIABLES[variable]
        if KEYS[name].kind is Secret or not environ[variable]:
            continue
        try:
            accepted = accept_value(name, environ[variable], "environment", from_text=True)
        except StartupError as error:
            text = str(error).replace(name, variable, 1)
            raise StartupError(text, exit_code=EX_CONFIG) from None
        found[name] = (accepted, variable)
    return found


def read_secrets(environ: Mapping[str, str], found: Mapping[str, tuple[Any, str]]) -> dict[str, tuple[Any, str]]:
    """Find keys of endpoints: the variable, else the credential `<section>_api_key`, else `api_key_file`."""
    secrets: dict[str, tuple[Any, str]] = {}
    for name, key in KEYS.items():
        if key.kind is not Secret:
            continue
        label = name.replace(".", "_")
        variable = variable_name(name)
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
