"""Whether the English words about a date look ahead or back: read from the finite verb that is nearest to it.

Called by `core/tense/verb_tense.py` only. "I heard the exam is on Friday" looks ahead (is), "I think I saw her on
Friday" back (saw), "we were supposed to meet on Friday" may be either. Bounds: forty words on either side of the date.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.tense.english_verb_forms import (
    AHEAD,
    BEHIND,
    MIXED,
    PARTICIPLES,
    READ_AS_PAST,
    sign_of_modal,
    spelled_out,
)

_ARRANGED = "arranged"

_MOST_WORDS = 40
_LEADING = frozenset({"on", "by", "at"})
_WORD = LazyPattern(r"(?<![\dA-Za-z])[A-Za-z]+(?:['’][A-Za-z]+)?")

_WILL = frozenset(
    """
    will won't shall gonna gotta wanna must should might let's lets can can't cannot hopefully upcoming due deadline
    tentatively reminder tomorrow ought hope hopes hoping plan plans planning intend intends expect expects expecting
    aim remind need needs needn't want wants wish soon imma finna tbd rsvp pls plz please
    """.split()
)
_SHALL = frozenset({"will", "won't", "shall"})
_TELL = frozenset({"said", "says", "say"})  # what is told so is an order: "the vet said come back in ten days"
_WAS = frozenset({"was", "were", "wasn't", "weren't", "did", "didn't", "had", "hadn't", "couldn't"})
_IS = frozenset({"am", "is", "are", "isn't", "aren't", "ain't", "be", "being"})
_PRONOUNS = frozenset(
    """
    i we they you he she it there that this who what where when how everyone everybody
    """.split()
)
_PLANNED = frozenset(
    """
    supposed going meant due planning hoping scheduled about thinking expecting gonna to
    """.split()
)
_NO_PAST = frozenset(
    """
    need feed speed bed red seed weed wed hundred sacred naked wicked shed sled bleed breed indeed embed exceed proceed
    succeed greed unemployed supposed
    """.split()
)
_ARRANGE = frozenset(
    """
    booked scheduled rescheduled arranged reserved registered signed moved postponed pushed delayed set invited promised
    agreed planned changed shifted bumped brought
    """.split()
)
_ELSEWHERE = (["to"], ["into"], ["in"], ["out"], ["away"], ["back"], ["from"], ["over"], ["up"], ["down"])
_ALONE = frozenset(
    {"booked", "signed", "registered", "reserved", "changed", "brought", "bumped", "moved", "delayed", "pushed"}
)
_OFF = frozenset({"cancelled", "canceled", "postponed", "scrapped", "rescheduled", "moved", "off", "called"})
_ARRANGED_THINGS = frozenset(
    """
    appointment appt flight flights ticket tickets table room hotel meeting party trip interview exam test call visit
    session class lesson viewing slot seat seats cab taxi lunch dinner brunch
    """.split()
)
_BEGINS = frozenset(
    """
    starts begins opens leaves arrives comes goes flies lands ends closes happens takes gets meets moves returns turns
    graduates performs plays runs falls works expires releases launches drops lasts finishes marries
    start begin leave arrive fly move meet get go come return graduate turn travel head take finish have've
    """.split()
)
_ORDERS = frozenset(
    """
    call meet come bring buy pick remember remind book send pay check ask tell go take get submit finish see visit wish
    congratulate text email hand return renew collect wake save keep don't
    """.split()
)
_REPORTS = frozenset({"said", "told", "promised", "thought", "reckoned", "swore", "hoped", "figured"})
_FORETELL = frozenset({"say", "says", "reckon", "reckons"})  # "they say Thursday"
_THINK = frozenset(
    """
    think know guess believe suppose mean say see hear remember forget like love hate feel wonder doubt understand
    thinks knows guesses believes supposes means says hears remembers forgets likes loves hates feels wonders doubts
    do does don't doesn't two all both guys who never just the a my our
    """.split()
)
_EITHER_TENSE = frozenset(["put", "set", "let", "read", "spread", "bet", "cast"])
# The same in both tenses, told when it happened.
_HAPPENS = frozenset(["hurt", "hit", "burst", "beat", "cut", "shut", "split", "cost"])
_NO_SPLIT = frozenset("to will the a we'll they'll let's can could should may might".split())
_EVENTS = frozenset(
    """
    exam exams test appointment appt interview deadline flight dentist surgery audition presentation quiz
    midterm midterms finals viva checkup jab booster operation rehearsal mri biopsy orthodontist physio therapist
    vet meeting practice
    """.split()
)
_OUTINGS = frozenset(
    """
    wedding party concert gig match game race trip dinner date funeral festival marathon holiday prom graduation
    recital play show tour baptism christening shower barbecue bbq picnic camp conference
    """.split()
)
_NO_DOING = frozenset({"morning", "evening", "during", "nothing", "something", "anything", "everything", "missing"})
_ARTICLES = frozenset({"the", "a", "about", "around"})
_ALSO_THINGS = frozenset({"left", "sat", "found", "lost", "felt"})  # "the left one", "the SAT", "lost and found"
_PLACED = frozenset({"at", "on", "in", "due", "next", "off", "away", ""})
_WOULD = frozenset({"would", "could", "should", "might"})
_SUBJECTS = frozenset({"i", "we", "they", "he", "she"})
_NO_VERB = frozenset(
    {"would", "could", "and", "but", "then", "used", "always", "often", "sometimes", "once", "usually"}
)
_OWNING = frozenset({"at", "to", "from", "by", "in", "of", "for", "with", "about"})
_PRAISE = frozenset(
    "great good nice lovely awful terrible amazing fun best worst fantastic wonderful bad crazy".split()
)
_ADVERBS = frozenset(
    "just so really also very all now still not too already never ever only even finally kinda pretty quite "
    "super".split()
)
_AHEAD_LEADS = frozenset({"for", "to", "until", "till", "til", "into"})
_ATTACHED = LazyPattern(r"\b(?:for|about|before) (?:the|my|our|his|her|their|a|an|your)(?: [\w'’-]+){1,3}(?: on)? ?$")
_PLACES = frozenset(  # "I rang the doctor's on Friday": a place, and no "is"
    """
    doctor dentist vet hairdresser barber butcher baker chemist florist jeweller optician physio solicitor lawyer
    """.split()
)
_HAVING = frozenset(("having", "have", "has", "getting", "get", "gets"))
_OF_SOMEBODY = frozenset(("my", "our", "his", "her", "their", "your", "the", "a", "an"))
_TAKEN_UP = frozenset(("got", "landed", "found", "accepted", "signed", "booked", "offered", "secured", "took"))
_HABIT = LazyPattern(r"\b(?:usually|always|every|each|normally|typically|often|most|whenever)\b|\bon [a-z]+days\b")


def sign_of(before: str, after: str, *, verbs_only: bool = False) -> str | None:
    """What the words of a clause before and after a date tell: ahead, behind, mixed, or None where no verb is.

    `verbs_only` leaves out what things without a verb tell ("dentist on Friday")."""
    if (modal := sign_of_modal(before, after)) is not None:
        return modal
    left, right = _words(before)[-_MOST_WORDS:], _words(after)[:_MOST_WORDS]
    lead = next((word for word in reversed(left[-2:]) if word not in _ARTICLES), "")
    if right[:1] in (["was"], ["were"], ["got"]) and not _OFF.isdisjoint(right[1:3]):
        return MIXED  # "Halloween was cancelled": it may be the one to come
    following, place = _first(right, is_start=not left)
    preceding = _last(left, lead)
    if preceding is None:
        if following is None and left and left[-1] in _FORETELL:
            return AHEAD
        return following or (None if verbs_only else _verbless(left, right))
    at_once = following is not None and (place == 0 or (place <= 2 and right[0] in _PRONOUNS | _ADVERBS))
    if at_once and following in {AHEAD, BEHIND} and right[0] not in {"that", "since"}:
        return following
    if preceding == BEHIND and (after[:2] in {"'s", "’s"} or right[:1] == ["off"]):
        return MIXED  # "they cancelled Friday's gig", "I've taken Friday off"
    if preceding == BEHIND and _EVENTS.union(_OUTINGS).intersection(_attached(before)):
        return MIXED  # "I bought a dress for the wedding on Saturday"
    if preceding == BEHIND and "would" in left and not _REPORTS.isdisjoint(left[: left.index("would")]):
        return MIXED  # "they said the results would be in by Friday"
    if preceding == BEHIND and {"starting", "beginning"}.intersection(left[-2:]) and _TAKEN_UP.intersection(left):
        return AHEAD  # "got a job starting in September"
    if preceding == BEHIND and lead in {"by", "until", "till"} and any(word in _WILL for word in left):
        return AHEAD
    return preceding


def _attached(before: str) -> list[str]:
    """The words between "for the" and a date."""
    match = _ATTACHED.search(before[-60:].lower())
    return match[0].split() if match else []


def is_habit(text: str) -> bool:
    return _HABIT.search(text.lower()) is not None


def _words(text: str) -> list[str]:
    return spelled_out([match[0].lower().replace("’", "'") for match in _WORD.finditer(text)])


def _last(words: Sequence[str], lead: str) -> str | None:
    for place in range(len(words) - 1, -1, -1):
        if found := _class_of(words, place):
            if found != _ARRANGED:
                return found
            if lead in _AHEAD_LEADS or "to" in words[place + 1 : place + 2]:
                return MIXED if _before(words, place).endswith(("had", "'d")) else AHEAD  # "we'd planned it for …"
            alone = words[place] in _ALONE and _ARRANGED_THINGS.isdisjoint(words[place:])
            return BEHIND if alone else MIXED
    return None


def _first(words: Sequence[str], *, is_start: bool) -> tuple[str | None, int]:
    """Args: is_start: the clause begins with the date, so that a word in -ing behind it may tell what is planned."""
    for place in range(len(words)):
        if place == 0 and not is_start and words[0].endswith("ing"):
            continue  # "she broke it on Friday falling off the swing"
        if found := _class_of(words, place):
            return (BEHIND if found == _ARRANGED else found), place
    return None, 0


def _class_of(words: Sequence[str], place: int) -> str | None:
    word = words[place]
    before = _before(words, place)
    behind = words[place + 1 : place + 4]
    following = next((each for each in behind if each not in _ADVERBS), "")
    head, _, tail = word.partition("'")
    if tail == "s" and head in _PLACES and before in _OF_SOMEBODY:
        return None
    if word in _WILL or tail == "ll" or (word == "may" and before in _PRONOUNS):
        return AHEAD
    if word == "going":
        return AHEAD if following in {"to", "on", ""} and before not in {"was", "were"} else None
    if (head if tail == "ve" else before) in _WOULD and (tail == "ve" or word == "have"):
        return MIXED  # "she would have been ninety in October"
    if word in {"have", "has", "haven't", "hasn't"} or tail == "ve":
        if before in _SHALL or before.endswith("'ll"):
            return AHEAD  # "we'll have been married ten years in August"
        return BEHIND if _is_participle(following) else AHEAD
    if tail == "d" and following in PARTICIPLES:  # "by Tuesday I'd given up"
        return BEHIND
    if tail == "s" and head in _PRONOUNS:
        return BEHIND if following in PARTICIPLES else AHEAD
    if (
        tail == "s"
        and (following in _PLACED or following.endswith("ing"))
        and before not in _OWNING | _WAS | _IS  # "it was Lena's leaving do"
    ):  # "the flight's on Friday", not "at Ann's on …"
        return AHEAD
    if word in _IS or tail in {"m", "re"}:
        return None if word in {"be", "being"} else AHEAD
    if word in _WAS:
        return MIXED if _PLANNED.intersection(behind[:2]) - {"to"} else BEHIND
    if place == 0 and word.endswith("ing") and len(word) > 4 and word not in _NO_DOING:
        return AHEAD  # "moving on the 29th"
    if word == "got":
        asked = before in _PRONOUNS and words[max(0, place - 2) : place - 1] in (["have"], ["has"])  # "have I got"
        return AHEAD if asked or before.endswith(("'ve", "'s")) or before in {"have", "has"} else BEHIND
    if word == "moved" and _moves_house(words, place, before):
        return BEHIND
    if word in _ARRANGE:
        return AHEAD if before in _IS and word not in {"moved", "invited"} else _ARRANGED  # "it is booked for …"
    if word in PARTICIPLES and _is_to_be(words, place):
        return AHEAD
    if word == "split" and before and before not in _NO_SPLIT:
        return BEHIND  # "mum and dad split in June"
    if word in _ALSO_THINGS and _is_a_side(words, place):
        return None
    if word in READ_AS_PAST or (word.endswith("ed") and len(word) > 3 and word not in _NO_PAST):
        asked = place > 1 and words[0] in {"is", "are", "am"}  # "is it collected on Thursday"
        if _is_to_be(words, place):
            return AHEAD
        return None if asked or before == "to" or _after_being(words, place) or _is_done_for(words, place) else BEHIND
    if word in _ORDERS | _BEGINS and place and words[place - 1] in _TELL and not word.endswith("s"):
        return AHEAD
    if word in _BEGINS and place == 0 and len(words) > 1:
        return AHEAD  # "start on the 28th"
    if word in _BEGINS:
        if before.endswith("s") and not word.endswith("s") and before not in _PRONOUNS:
            return AHEAD  # "results come out"
        if before in _PRONOUNS and place >= 2 and words[place - 2] in _WAS:
            return BEHIND  # "did you go"
        return AHEAD if word.endswith("s") or before in {"i", "we", "they", "you"} else None
    asked = place >= 2 and words[place - 2] in _WAS  # "what did we eat"
    return None if asked else _plain_verb(word, words[place - 1] if place else "")


def _plain_verb(word: str, before: str) -> str | None:
    """What stands right behind "I", "we", "they" or "she" is a verb: one without a mark of the past looks ahead."""
    if before not in _SUBJECTS or word in _THINK or word in _ADVERBS or len(word) < 3:
        return None
    if word in _EITHER_TENSE:
        return MIXED
    if word in _HAPPENS:
        return BEHIND
    if word.endswith(("ly", "ing", "'s", "'d")) or word in _OWNING | _PLACED | PARTICIPLES | _NO_PAST | _NO_VERB:
        return None
    return AHEAD if word.endswith("s") == (before in {"he", "she"}) else None


def _before(words: Sequence[str], place: int) -> str:
    """The word before one, adverbs passed over."""
    for each in reversed(words[max(0, place - 4) : place]):
        if each not in _ADVERBS and not (each.endswith("ly") and len(each) > 4):
            return each
    return ""


def _after_being(words: Sequence[str], place: int) -> bool:
    """Whether a participle says how somebody is ("I'm excited", "is moved", "get married")."""
    before = _before(words, place)
    return (
        before in _IS or before in {"get", "gets", "getting", "feel", "feeling"} or before.endswith(("'m", "'re", "'s"))
    )


def _moves_house(words: Sequence[str], place: int, before: str) -> bool:
    """Whether somebody went to live or work elsewhere ("I moved to Leeds in June"), and no date was put off."""
    told, where = words[:place], [word for word in words[place + 2 :] if word not in _ARTICLES]
    if words[place + 1 : place + 2] not in _ELSEWHERE or not where:
        return False
    about = {word.removesuffix("'s") for word in told}
    return bool(before) and about.isdisjoint(_EVENTS | _ARRANGED_THINGS | {"it", "it's", "which", "that"})


def _is_a_side(words: Sequence[str], place: int) -> bool:
    """Whether "left" says where something is: "the left one", "my left knee", "on the left"."""
    return words[max(0, place - 1) : place] != [] and words[place - 1] in _OF_SOMEBODY | {"to", "no"}


def _is_to_be(words: Sequence[str], place: int) -> bool:
    """Whether a participle tells what will have happened ("we'll have been married ten years in August")."""
    before = [word for word in words[max(0, place - 5) : place] if word not in _ADVERBS]
    if before[-1:] == ["been"]:
        before.pop()
    return before[-1:] == ["have"] and (before[-2:-1] == ["will"] or "".join(before[-2:-1]).endswith("'ll"))


def _is_done_for(words: Sequence[str], place: int) -> bool:
    """Whether somebody has it done: "she's having her hip replaced", "we get the roof mended"."""
    for at in range(place - 2, max(-1, place - 6), -1):
        if words[at] in _HAVING:
            return not _OF_SOMEBODY.isdisjoint(words[at + 1 : place])
    return False


def _is_participle(word: str) -> bool:
    return (
        word in PARTICIPLES
        or word in READ_AS_PAST - {"got"}
        or (word.endswith("ed") and word not in _NO_PAST | _ARRANGE)
    )


def _verbless(left: Sequence[str], right: Sequence[str]) -> str | None:
    """Orders ("call mum on Friday") and things that are put into a calendar ("dentist on Friday") lie ahead."""
    if left and (left[0] in _ORDERS or (left[-1] in _ARTICLES and left[-2:-1] == ["to"]) or left == ["to"]):
        return AHEAD  # "to the 9th": that is where it was moved to
    if left[:1] == ["back"] and set(left[1:]) <= _LEADING:
        return AHEAD  # "…, back on the 29th"
    if _PRAISE.intersection(left) or _PRAISE.intersection(right):
        return MIXED
    return AHEAD if _EVENTS.intersection(left) or _EVENTS.intersection(right) else None
