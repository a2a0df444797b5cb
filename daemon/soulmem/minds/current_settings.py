"""The settings one open mind runs on, at hand for all its parts: a changed identity reaches them here."""

from __future__ import annotations

from soulmem.ops.settings.config_loader import Config, MindSettings
from soulmem.ops.settings.setting_sections import dormancy_of
from soulmem.store.session.mind_session import OpenMind


class CurrentSettings:
    """Called, it gives the settings of now."""

    def __init__(self, memory: OpenMind, config: Config) -> None:
        self._memory = memory
        self._config = config
        self.apply()

    def __call__(self) -> MindSettings:
        return self._settings

    def apply(self) -> None:
        """Take over changed settings: the dormancy of experienced time changes from now on, without a jump."""
        self._settings = self._config.for_mind(self._memory.who.profile, self._memory.who.settings)
        after_ms, rate_ppm = dormancy_of(self._settings.forgetting)
        self._memory.clock.set_dormancy(after_ms=after_ms, rate_ppm=rate_ppm)
