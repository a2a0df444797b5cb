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
from soulmem.core.decay.traces import Curve
from soulmem.core.importance.retention_periods import Factors
from soulmem.core.schema.audience import Sharing
from soulmem.fast_dataclasses import dataclass
from soulmem.graph.walk.spreading_activation import Activation
from soulmem.ops.settings.setting_rules import Secret, mind_setting, setting


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
    capacity: int = mind_setting(20, "messages the window holds", 1, 10_000)
    include_context: int = mind_setting(4, "summarised messages shown again to the next summary", 0, 100)
    max_fresh_tokens: int = mind_setting(6000, "unsummarised tokens that flush the window at once", 100, 1_000_000)
    min_fresh: int = mind_setting(2, "fresh messages a forced marker needs to be worth a summary", 1, 1000)
    topic_marks: bool = mind_setting(True, "a change of topic marks a message by itself")


@dataclass(frozen=True, slots=True)
class SummarySettings:
    max_tokens: int = mind_setting(800, "length of the rolling summary", 50, 100_000)
    deadline_ms: int = setting(120_000, "how long digestion waits for pending summaries", 100, 86_400_000)


@dataclass(frozen=True, slots=True)
class IdleSettings:
    after_s: float = mind_setting(600.0, "silence after which a mind goes idle and digests", 0.1, 31_536_000)
    replay: bool = mind_setting(True, "whether a mind goes over what is new and what belongs to it, once a night")
    replay_after_h: float = mind_setting(3.0, "hours of silence that are a night", 0, 8760)
    seconds_per_run: float = mind_setting(
        120.0, "time that going over it may take in a night; 0 leaves it out", 0, 86_400
    )
    tokens_per_run: int = mind_setting(
        8_000, "tokens of a model that going over it may take in a night; 0 goes over it without one", 0, 10**9
    )
    tokens_per_day: int = mind_setting(50_000, "the same for a day, where nights were broken off", 0, 10**9)


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    k_hot: int = mind_setting(8, "most frequently recalled notes that new notes are linked to", 0, 100)
    merge: bool = mind_setting(True, "whether notes that tell the same become one while a mind is idle")


@dataclass(frozen=True, slots=True)
class ReflectionSettings:
    enabled: bool = mind_setting(True, "whether a mind thinks over what it noted and keeps what it concludes")
    threshold: float = mind_setting(
        150.0, "importance, 1 to 10 a note, that has to come together before a mind reflects", 10, 100_000
    )


@dataclass(frozen=True, slots=True)
class ForgettingSettings:
    clock: DecayClock = mind_setting(
        DecayClock.EXPERIENCED, "time that decay runs on: experienced slows down in long silence"
    )
    dormancy_after_days: float = mind_setting(3.0, "silence after which experienced time slows down", 0, 36_500)
    dormancy_rate: float = mind_setting(0.1, "how fast experienced time then passes", 0.001, 1)
    delete_below: float = mind_setting(0.05, "strength under which a link is forgotten", 0.0001, 0.9)
    tombstone_days: float = mind_setting(
        30.0, "time in which what was forgotten can be restored; it runs while somebody is there", 0, 36_500
    )
    journal_days: float = mind_setting(
        30.0,
        "wall time that records of past recalls, finished jobs, refused drafts and single model calls are kept",
        1,
        36_500,
    )
    on_request: bool = mind_setting(True, "whether what somebody asks in talk to be forgotten is taken back")
    sweep_cap: int = mind_setting(500, "deletions a sweep makes at most", 1, 1_000_000)
    blurs: bool = mind_setting(True, "details fade on recall", assistant=False)
    drift: bool = mind_setting(
        False,
        "experimental: blurred details silently turn into others like them while the mind is idle",
        assistant=False,
    )
    curve: Curve = mind_setting(
        Curve.EXPONENTIAL,
        "how details fade: exponential, or power, which falls steeply at first and then keeps on for long",
    )
    blur_below: float = mind_setting(0.5, "opacity under which a detail shows as its gist", 0.0001, 0.9999)
    blank_below: float = mind_setting(
        0.2, "opacity under which nothing of a detail shows; less than blur_below", 0.0001, 0.9999
    )
    scale: float = mind_setting(
        1.0, "how good the character's memory is: with 2 details keep twice as long", 0.001, 1000
    )
    whole_days: float = mind_setting(30.0, "stability of a new note as a whole, days", 0.001, 3650)
    clause_days: float = mind_setting(14.0, "stability of a new note's clauses, days", 0.001, 3650)
    detail_days: float = mind_setting(7.0, "stability of a new note's details, days", 0.001, 3650)
    fact_days: float = mind_setting(
        1_460.0, "stability of a new note that states a fact, days; a trifle keeps as any note", 0.001, 3650
    )
    trivial_factor: float = mind_setting(0.4, "how many times as long a note of no importance keeps", 0.001, 1)
    ordinary_factor: float = mind_setting(7.5, "how many times as long an ordinary note keeps as a whole", 1, 1000)
    plain_factor: float = mind_setting(
        2.6, "how many times as long a plain statement keeps as a whole; at most ordinary_factor counts", 0.001, 1000
    )
    detail_factor: float = mind_setting(
        10.0, "how many times as long the details of a note keep that is no trifle, up to as long as the note", 1, 1000
    )
    vital_factor: float = mind_setting(
        40.0, "how many times as long what matters in a vital note keeps; not below ordinary_factor", 1, 1000
    )
    max_notes: int = mind_setting(
        1_000_000, "living notes of a mind above which those of least weight are forgotten", 1, 100_000_000
    )
    deletes: bool = mind_setting(True, "links and isolated notes are forgotten", assistant=False)


def dormancy_of(settings: ForgettingSettings) -> tuple[int, int]:
    """How long a silence lasts before experienced time slows down (ms), and how fast it passes then (millionths)."""
    if settings.clock is DecayClock.WALL:
        return 0, 1_000_000
    return round(settings.dormancy_after_days * DAY_MS), round(settings.dormancy_rate * 1_000_000)


def fading_of(settings: ForgettingSettings) -> Fading:
    """How details fade under these settings.

    Raises UnfitFadingError: when they make no sense together; it names the setting.
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
    k: int = mind_setting(10, "items that a message or the query of a context brings to mind", 1, 500)
    min_score: float = mind_setting(
        0.2,
        "how sure a recall must be of what it returns, 0 to 1; 0 returns all there is, a statement needs a third",
        0.0,
        1.0,
    )
    noise: float = mind_setting(
        0.03,
        "what answers a question so much less likely than the best item is left out as noise; 0 leaves nothing out",
        0.0,
        1.0,
        assistant=0.02,
    )
    digested_messages: bool = mind_setting(
        False, "raw messages stay recallable after their epoch was digested", assistant=True
    )
    activation: Activation = mind_setting(
        Activation.PAGERANK,
        "how links carry on what was found: pagerank splits it, diffusion lets it settle and favours no hub",
    )
    graph: bool = mind_setting(True, "recall follows links from what it found to what belongs to it")
    coalesce_above: int = setting(64, "waiting background recalls above which older ones are merged", 1, 100_000)
    cares: bool = mind_setting(
        True, "what people say to a reply tells the mind how good its recall was", assistant=False
    )
    stream_decay: float = mind_setting(
        0.99, "what a note's recency in the memory stream keeps of itself in an hour", 0.5, 1.0
    )
    sharing: Sharing = mind_setting(
        Sharing.OPEN,
        "what is heard in one conversation surfaces in all (open), in those whose every speaker heard it "
        "(participants), or there alone (conversation)",
    )


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    name: str = setting(
        "auto",
        "auto, minilm-int8, minilm, use-multilingual, e5, minilm-int8 and one of the latter two with + between them, "
        "hashing, openai, or a folder with model.onnx and tokenizer.json",
        pattern=r"auto|minilm|minilm-int8|(minilm-int8\+)?(use-multilingual|e5)|hashing|openai|.*/.*",
    )
    base_url: str = setting("", "address of an OpenAI-compatible endpoint", pattern=r"|https?://\S+")
    model: str = setting("", "model name at the endpoint")
    api_key_file: Path | None = setting(None, "file that holds the endpoint's key")
    models_dir: Path | None = setting(None, "where installed models lie")
    api_key: Secret | None = setting(None, "from the environment, a credential or api_key_file only")


@dataclass(frozen=True, slots=True)
class MemorySettings:
    max_rows_in_ram: int = setting(
        300_000, "notes and messages of a mind up to which its index is held in memory", 0, 100_000_000
    )
    max_links_in_ram: int = setting(
        2_000_000, "links of a mind that are held in memory; those of other notes are read when needed", 1, 100_000_000
    )
    close_after_s: float = setting(900.0, "rest after which an idle mind's file is closed", 1, 31_536_000)


@dataclass(frozen=True, slots=True)
class ClockSettings:
    jump_limit_s: float = setting(3600.0, "a wall clock that leaps further makes time suspect", 1, 31_536_000)
    settle_s: float = setting(3600.0, "steady time after which a suspect clock is trusted again", 0, 31_536_000)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    frame_bytes: int = setting(1_048_576, "longest request line", 4096, 67_108_864)
    depth: int = setting(64, "deepest nesting of a request", 4, 512)
    in_flight: int = setting(32, "requests a connection may have open", 1, 10_000)
    connections: int = setting(256, "connections at a time", 1, 100_000)
    requests_per_s: int = setting(10_000, "requests of one user in a second, 0 for as many as it likes", 0, 1_000_000)
    frame_deadline_s: float = setting(10.0, "time a begun line may take", 0.05, 3600)
    mode: str = setting("0660", "permissions of the socket file, octal", pattern=r"0?[0-7]{3}")
    others: Others = setting(Others.NONE, "rights of users outside the socket's group")

    @property
    def mode_bits(self) -> int:
        return int(self.mode, 8)


@dataclass(frozen=True, slots=True)
class LogSettings:
    level: LogLevel = setting(LogLevel.INFO, "least level that is written")
    format: LogFormat = setting(LogFormat.AUTO, "auto is console on a terminal, JSON lines elsewhere")
