"""The sections of the configuration: every key with its default, range and meaning, as frozen values.

Owns nothing but these definitions; `ops/settings/config_loader.py` finds the values in flags, environment and files,
and `ops/settings/setting_rules.py` checks each. Invariant: `schemas/config.json` says the same of every key (compared
by a contract test).
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.decay.forgetting_curves import Curve
from soulmem.core.importance.retention_periods import Factors
from soulmem.core.schema.audience import Sharing
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.walk.spread_method import Activation
from soulmem.ops.settings.setting_rules import Secret, setting


class Profile(StrEnum):
    """What a mind is for; it decides the defaults of a few settings."""

    COMPANION = "companion"  # forgets and blurs
    ASSISTANT = "assistant"  # nothing is blurred or deleted, decay only ranks


class DecayClock(StrEnum):
    EXPERIENCED = "experienced"
    WALL = "wall"


class Others(StrEnum):
    """Rights of a local user who is neither the owner, root, nor of the socket's group."""

    NONE = "none"
    READ = "read"
    WRITE = "write"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    AUTO = "auto"
    JSON = "json"
    CONSOLE = "console"


@dataclass(frozen=True, slots=True)
class WindowSettings:
    capacity: int = setting(20, "messages the window holds", low=1, high=10_000, per_mind=True)
    include_context: int = setting(
        4, "summarised messages shown again to the next summary", low=0, high=100, per_mind=True
    )
    max_fresh_tokens: int = setting(
        6000, "unsummarised tokens that flush the window at once", low=100, high=1_000_000, per_mind=True
    )
    min_fresh: int = setting(
        2, "fresh messages a forced marker needs to be worth a summary", low=1, high=1000, per_mind=True
    )
    topic_marks: bool = setting(True, "a change of topic marks a message by itself", per_mind=True)


@dataclass(frozen=True, slots=True)
class SummarySettings:
    max_tokens: int = setting(800, "length of the rolling summary", low=50, high=100_000, per_mind=True)
    deadline_ms: int = setting(120_000, "how long digestion waits for pending summaries", low=100, high=86_400_000)


@dataclass(frozen=True, slots=True)
class IdleSettings:
    after_s: float = setting(
        600.0, "silence after which a mind goes idle and digests", low=0.1, high=31_536_000, per_mind=True
    )


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    k_hot: int = setting(
        8, "most frequently recalled notes that new notes are linked to", low=0, high=100, per_mind=True
    )


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    clock: DecayClock = setting(
        DecayClock.EXPERIENCED, "time that decay runs on: experienced slows down in long silence", per_mind=True
    )
    dormancy_after_days: float = setting(
        3.0, "silence after which experienced time slows down", low=0, high=36_500, per_mind=True
    )
    dormancy_rate: float = setting(0.1, "how fast experienced time then passes", low=0.001, high=1, per_mind=True)
    delete_below: float = setting(0.05, "strength under which a link is forgotten", low=0.0001, high=0.9, per_mind=True)
    tombstone_days: float = setting(
        30.0,
        "time in which what was forgotten can be restored; it runs while somebody is there",
        low=0,
        high=36_500,
        per_mind=True,
    )
    journal_days: float = setting(
        30.0,
        "wall time that records of past recalls, finished jobs, refused drafts and single model calls are kept",
        low=1, high=36_500, per_mind=True,
    )  # fmt: skip
    sweep_cap: int = setting(500, "deletions a sweep makes at most", low=1, high=1_000_000, per_mind=True)
    blurs: bool = setting(True, "details fade on recall", per_mind=True, assistant=False)
    drift: bool = setting(
        False,
        "experimental: blurred details silently turn into others like them while the mind is idle",
        per_mind=True,
        assistant=False,
    )
    curve: Curve = setting(
        Curve.EXPONENTIAL,
        "how details fade: exponential, or power, which falls steeply at first and then keeps on for long",
        per_mind=True,
    )
    blur_below: float = setting(
        0.5, "opacity under which a detail shows as its gist", low=0.0001, high=0.9999, per_mind=True
    )
    blank_below: float = setting(
        0.2, "opacity under which nothing of a detail shows; less than blur_below", low=0.0001, high=0.9999,
        per_mind=True,
    )  # fmt: skip
    scale: float = setting(
        1.0,
        "how good the character's memory is: with 2 details keep twice as long",
        low=0.001,
        high=1000,
        per_mind=True,
    )
    whole_days: float = setting(30.0, "stability of a new note as a whole, days", low=0.001, high=3650, per_mind=True)
    clause_days: float = setting(14.0, "stability of a new note's clauses, days", low=0.001, high=3650, per_mind=True)
    detail_days: float = setting(7.0, "stability of a new note's details, days", low=0.001, high=3650, per_mind=True)
    fact_days: float = setting(
        1_460.0, "stability of a new note that states a fact, days; a trifle keeps as any note", low=0.001, high=3650,
        per_mind=True,
    )  # fmt: skip
    trivial_factor: float = setting(
        0.4, "how many times as long a note of no importance keeps", low=0.001, high=1, per_mind=True
    )
    ordinary_factor: float = setting(
        7.5, "how many times as long an ordinary note keeps as a whole", low=1, high=1000, per_mind=True,
    )  # fmt: skip
    plain_factor: float = setting(
        2.6, "how many times as long a plain statement keeps as a whole; at most ordinary_factor counts", low=0.001,
        high=1000, per_mind=True,
    )  # fmt: skip
    detail_factor: float = setting(
        9.0, "how many times as long the details of a note keep that is no trifle, up to as long as the note", low=1,
        high=1000, per_mind=True,
    )  # fmt: skip
    vital_factor: float = setting(
        40.0, "how many times as long what matters in a vital note keeps; not below ordinary_factor", low=1, high=1000,
        per_mind=True,
    )  # fmt: skip
    max_notes: int = setting(
        1_000_000,
        "living notes of a mind above which those of least weight are forgotten",
        low=1, high=100_000_000, per_mind=True,
    )  # fmt: skip
    deletes: bool = setting(True, "links and isolated notes are forgotten", per_mind=True, assistant=False)


def dormancy_of(settings: ForgettingSettings) -> tuple[int, int]:
    """How long a silence lasts before experienced time slows down (ms), and how fast it passes then (millionths)."""
    if settings.clock is DecayClock.WALL:
        return 0, 1_000_000
    return round(settings.dormancy_after_days * DAY_MS), round(settings.dormancy_rate * 1_000_000)


def fading_of(settings: ForgettingSettings) -> Fading:
    """How details fade under these settings.

    Raises:
        UnfitFadingError: when they make no sense together; it names the setting.
    """
    return Fading(
        curve=settings.curve,
        blur_below=settings.blur_below,
        blank_below=settings.blank_below,
        scale=settings.scale,
        level_days=(settings.whole_days, settings.clause_days, settings.detail_days),
        fact_days=max(settings.fact_days, settings.whole_days),
        factors=Factors(
            settings.trivial_factor,
            settings.ordinary_factor,
            settings.vital_factor,
            min(max(settings.plain_factor, settings.trivial_factor), settings.ordinary_factor),
            settings.detail_factor,
        ),
        blurs=settings.blurs,
    )


@dataclass(frozen=True, slots=True)
class RecallSettings:
    k: int = setting(
        10, "items that a message or the query of a context brings to mind", low=1, high=500, per_mind=True
    )
    min_score: float = setting(
        0.2,
        "how sure a recall must be of what it returns, 0 to 1; 0 returns all there is, a statement needs a third",
        low=0.0,
        high=1.0,
        per_mind=True,
    )
    digested_messages: bool = setting(
        False, "raw messages stay recallable after their epoch was digested", per_mind=True, assistant=True
    )
    activation: Activation = setting(
        Activation.PAGERANK,
        "how links carry on what was found: pagerank splits it, diffusion lets it settle and favours no hub",
        per_mind=True,
    )
    graph: bool = setting(True, "recall follows links from what it found to what belongs to it", per_mind=True)
    coalesce_above: int = setting(
        64, "waiting background recalls above which older ones are merged", low=1, high=100_000
    )
    cares: bool = setting(False, "what people say to a reply tells the mind how good its recall was", per_mind=True)
    stream_decay: float = setting(
        0.99, "what a note's recency in the memory stream keeps of itself in an hour", low=0.5, high=1.0, per_mind=True
    )
    sharing: Sharing = setting(
        Sharing.OPEN,
        "what is heard in one conversation surfaces in all (open), in those whose every speaker heard it "
        "(participants), or there alone (conversation)",
        per_mind=True,
    )


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    name: str = setting(
        "auto",
        "auto, minilm-int8, minilm, use-multilingual, hashing, openai, or a folder with model.onnx and tokenizer.json",
        pattern=r"auto|minilm|minilm-int8|use-multilingual|hashing|openai|.*/.*",
    )
    base_url: str = setting("", "address of an OpenAI-compatible endpoint", pattern=r"|https?://\S+")
    model: str = setting("", "model name at the endpoint")
    api_key_file: Path | None = setting(None, "file that holds the endpoint's key")
    models_dir: Path | None = setting(None, "where installed models lie")
    api_key: Secret | None = setting(None, "from the environment, a credential or api_key_file only")


@dataclass(frozen=True, slots=True)
class MemorySettings:
    max_rows_in_ram: int = setting(
        300_000, "notes and messages of a mind up to which its index is held in memory", low=0, high=100_000_000
    )
    max_links_in_ram: int = setting(
        2_000_000, "links of a mind that are held in memory; those of other notes are read when needed",
        low=1, high=100_000_000,
    )  # fmt: skip
    close_after_s: float = setting(900.0, "rest after which an idle mind's file is closed", low=1, high=31_536_000)


@dataclass(frozen=True, slots=True)
class ClockSettings:
    jump_limit_s: float = setting(3600.0, "a wall clock that leaps further makes time suspect", low=1, high=31_536_000)
    settle_s: float = setting(
        3600.0, "steady time after which a suspect clock is trusted again", low=0, high=31_536_000
    )


@dataclass(frozen=True, slots=True)
class ServerSettings:
    frame_bytes: int = setting(1_048_576, "longest request line", low=4096, high=67_108_864)
    depth: int = setting(64, "deepest nesting of a request", low=4, high=512)
    in_flight: int = setting(32, "requests a connection may have open", low=1, high=10_000)
    connections: int = setting(256, "connections at a time", low=1, high=100_000)
    requests_per_s: int = setting(
        10_000, "requests of one user in a second, 0 for as many as it likes", low=0, high=1_000_000
    )
    frame_deadline_s: float = setting(10.0, "time a begun line may take", low=0.05, high=3600)
    mode: str = setting("0660", "permissions of the socket file, octal", pattern=r"0?[0-7]{3}")
    others: Others = setting(Others.NONE, "rights of users outside the socket's group")

    @property
    def mode_bits(self) -> int:
        return int(self.mode, 8)


@dataclass(frozen=True, slots=True)
class LogSettings:
    level: LogLevel = setting(LogLevel.INFO, "least level that is written")
    format: LogFormat = setting(LogFormat.AUTO, "auto is console on a terminal, JSON lines elsewhere")
