"""How tier 2 of recall spreads what the seeds hold: a name for each way, apart from what it takes to do it."""

from __future__ import annotations

from enum import StrEnum


class Activation(StrEnum):
    PAGERANK = "pagerank"  # mass that is split among links (algorithms.md §3.6)
    DIFFUSION = "diffusion"  # activation that settles (§5.3): notes that many lead to are not favoured
