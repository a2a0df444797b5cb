"""Whether a note says how its speaker felt, and what it may have to do with."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.reflection.mood_reader import causes_in, mood_in

FELT: list[tuple[str, str, int]] = [
    ("Anna: I was so annoyed I nearly cried in the stacks.", "Anna", -1),
    ("Anna: I'm stressed about work all the time now.", "Anna", -1),
    ("Anna was in tears before breakfast (17 May 2026).", "Anna", -1),
    ("Anna: So happy today!", "Anna", 1),
    ("Anna talked to the union rep and it was such a relief.", "Anna", 1),
    ("Anna: I'm not scared any more.", "Anna", 0),
    ("Anna: Tom was furious with the landlord.", "Anna", 0),
    ("Anna: The film is about a sad clown.", "Anna", 0),
    ("Anna: I was happy and then I cried.", "Anna", 0),
    ("林溪：最近上班压力特别大。", "林溪", -1),
    ("林溪：我有点怕她。", "林溪", -1),
    ("林溪：早饭前就哭了一场。", "林溪", -1),
    ("林溪：今天心情特别好。", "林溪", 1),
    ("林溪：松了一大口气，心里轻快多了。", "林溪", 1),
    ("林溪：她今天特别难过。", "林溪", 0),
    ("林溪：周宁很生气。", "林溪", 0),
    ("林溪：不难过了。", "林溪", 0),
]
CAUSES: list[tuple[str, str, str]] = [
    ("Anna: Karen sent me another of her emails.", "Anna", "person:karen"),
    ("Anna: My boss changed the rota again.", "Anna", "boss"),
    ("Anna: I'm worried about the rent.", "Anna", "money"),
    ("林溪：主任又改排班。", "林溪", "director"),
    ("林溪：又要考试了，睡不好。", "林溪", "exam"),
]


@every_row(FELT, unpack=True)
def test_how_the_speaker_felt(text: str, speaker: str, mood: int) -> None:
    assert mood_in(text, speaker, ["周宁"]) == mood


@every_row(CAUSES, unpack=True)
def test_what_it_may_be_about(text: str, speaker: str, cause: str) -> None:
    assert cause in [each.name for each in causes_in(text, speaker)]
    assert not any(each.name.endswith(speaker.lower()) for each in causes_in(text, speaker))
