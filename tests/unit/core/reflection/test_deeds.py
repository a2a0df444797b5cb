"""What notes say that somebody did or what befell him: table, verb and thing, companions; and what is no deed."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.reflection.deed_reader import deeds_in

DONE: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("Anna went climbing with Tom this morning (3 May 2026).", "Anna", "climbing", ("Tom",)),
    ("Anna: Climbing again tonight with Tom.", "Anna", "climbing", ("Tom",)),
    ("Anna (14 May 2026): Tom and I went climbing after work.", "Anna", "climbing", ("Tom",)),
    ("Anna: I ran 5 km in the rain.", "Anna", "running", ()),
    ("Anna: Went for a run before breakfast.", "Anna", "running", ()),
    ("Anna: We played badminton with my brother Ben.", "Anna", "badminton", ("Ben",)),
    ("Anna: I visited Grandma in the care home.", "Anna", "see:grandma", ()),
    ("Anna: I met up with Jo at the station.", "Anna", "see:jo", ()),
    ("Anna: I argued with my mum about the money.", "Anna", "quarrel:mum", ()),
    ("Anna: Couldn't sleep last night.", "Anna", "sleep", ()),
    ("Anna: I had a headache all day.", "Anna", "headache", ()),
    ("Anna: I restored the old boat, the hull is dry now.", "Anna", "restor boat", ()),
    ("今天下午林溪和周宁去打羽毛球了。", "林溪", "badminton", ("周宁",)),
    ("林溪：练了一个小时大提琴。", "林溪", "cello", ()),
    ("林溪：又去看奶奶了。", "林溪", "see:奶奶", ()),
    ("林溪：昨晚失眠了，躺到四点。", "林溪", "sleep", ()),
    ("林溪：跟妈妈吵了一架。", "林溪", "quarrel:妈妈", ()),
    ("林溪：下班和Tom去攀岩了。", "林溪", "climbing", ("Tom",)),
    ("林溪：修了一下午收音机。", "林溪", "修收音机", ()),
    ("Marcus: Took Ivy swimming again, she dived for a ring.", "Marcus", "swimming", ("Ivy",)),
    ("Marcus: I argued with my brother Leo about the money.", "Marcus", "quarrel:leo", ()),
    ("Marcus: Another night shift done.", "Marcus", "work late", ()),
    ("Marcus: I was at the allotment until dark.", "Marcus", "gardening", ()),
    ("陈默：林菲约我爬了凤凰山，特别开心。", "陈默", "hiking", ("林菲",)),
    ("陈默：跟我妈通了电话。", "陈默", "phone:妈妈", ()),
]
NOT_DONE = [
    ("Anna: I didn't go climbing today.", "Anna"),
    ("Anna: I want to go climbing with Tom.", "Anna"),
    ("Anna: I'm going to visit Grandma tomorrow.", "Anna"),
    ("Anna: If I had time I would play tennis.", "Anna"),
    ("Anna: I go climbing every Sunday.", "Anna"),
    ("Anna: Tom went climbing without me.", "Anna"),
    ("Anna: We almost went swimming.", "Anna"),
    ("Anna: Should I have visited Grandma?", "Anna"),
    ("Anna: I bought a lamp.", "Anna"),
    ("Marcus: The night shift starts tomorrow.", "Marcus"),
    ("Anna: We saw Paris at night.", "Anna"),
    ("Anna: I saw On the Waterfront.", "Anna"),
    ("Anna: I took my kids to school.", "Anna"),
    ("林溪：我爸头疼得厉害。", "林溪"),
    ("林溪：我妈打了一天麻将。", "林溪"),
    ("林溪：楼上练钢琴吵死了。", "林溪"),
    ("林溪：见到周宁的妈妈了。", "林溪"),
    ("林溪：带孩子去上学。", "林溪"),
    ("林溪：今天没去打羽毛球。", "林溪"),
    ("林溪：明天想去看奶奶。", "林溪"),
    ("林溪：他去打羽毛球了。", "林溪"),
    ("林溪：周宁去爬山了。", "林溪"),
    ("林溪：我每周二打羽毛球。", "林溪"),
    ("林溪：本来要去游泳，下雨取消了。", "林溪"),
]


@every_row(DONE, unpack=True)
def test_what_was_done_and_with_whom(text: str, speaker: str, name: str, beside: tuple[str, ...]) -> None:
    found = deeds_in(text, speaker)
    assert [(deed.name, deed.beside) for deed in found if deed.name == name] == [(name, beside)], found


@every_row(NOT_DONE, unpack=True)
def test_what_was_not_done_or_not_by_the_speaker_is_no_deed(text: str, speaker: str) -> None:
    assert deeds_in(text, speaker) == (), deeds_in(text, speaker)


def test_a_deed_has_one_name_in_both_languages() -> None:
    both = [deeds_in("Anna went climbing.", "Anna"), deeds_in("安安今天去攀岩了。", "安安")]
    assert {deed.name for found in both for deed in found} == {"climbing"}


def test_a_long_note_is_read_within_bounds() -> None:
    assert len(deeds_in("Anna: " + "I went climbing. I ran. I swam. I baked. I cooked. I painted. " * 400, "Anna")) <= 6
