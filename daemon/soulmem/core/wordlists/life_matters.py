"""Matters of a life of which there is one at a time, by the words that say how it is and the words that say it turned.

Read by `core.changes.life_changes`: whoever tells that the boxes are unpacked lives no more where they did, though no
word of the two statements is the same. One matter a row: what holds, what tells that it is so no more, and whether the
two must share a word or a name (`SHARED`), because people have several of it. Plain data; both languages in each row.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from enum import IntEnum

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass


class Tie(IntEnum):
    """What two statements must have in common beside the matter."""

    MATTER = 0  # nothing: of one person that is enough
    SHARED = 1  # a word that says something, or a name
    NEAR = 2  # that, in the clause or beside it, whoever is the subject of either


@dataclass(frozen=True, slots=True)
class Matter:
    """`holds`: how it is; `turns`: that it is no more so; `lasting`: what is told of the past may still be so.

    `between`: it is held with somebody else, who may be the subject of what tells that it turned.
    """

    name: str
    holds: LazyPattern
    turns: LazyPattern
    tie: Tie
    lasting: bool
    between: bool
    seek: str  # the plain words by which notes of the matter are found
    rule: bool  # of what is done as a rule: what is told of today changes nothing


# Whoever cannot keep something up (忍不住, 熬不住了) lives nowhere and moves out of nothing.
HOLDS_NOT = "绷忍记站受挡留稳拦憋守抓顶扛撑按压管闲坐靠待呆熬止藏瞒架保捂停兜遮"
# It stands for who lives somewhere: not for some nights, and 住的是两个学生 tells who does.
DWELLS = (
    rf"(?<![{HOLDS_NOT}得])(?<![{HOLDS_NOT}]不)住(?![院校过])(?![\d一二两三四五六七八九十半几]+个?[天晚夜宿])(?!.{{0,4}}(?:天|晚|夜|周|星期)(?:$|[，。]))"
    r"(?!的就?是[^，。]{0,12}(?:学生|夫妻|情侣|租客|小伙|姑娘|小孩|老师|[两三四五]口|老[头太人]|大[爷妈叔]|阿姨|人(?:家)?(?:$|[，。])))"
)
_HOUSE = r"(?:house|flat|place|apartment|studio|room|bungalow|cottage|bedsit|loft|condo|digs|maisonette|annexe|(?:one|two|three|four)-bed)"
# It stands for itself: no new house number, no new flat screen.
_ALONE = r"(?=\W*$|[^\w\s]|\s(?:is|was|are|has|had|in|on|at|near|by|and|but|so|or|with|from|since|to|now|next|that|which|where|smells|feels|looks|came|comes|just|yesterday|today|tomorrow|this|last|already|finally|for|because|of|across|behind|over|above|as|we|i|it)\b)"
_AT = r"(?:at|in|near|on|by|above|below|outside|over|with|next|round|around|across|opposite|behind|down|up|off)"
_WORKPLACE = r"(?:job|role|post|position|gig|placement|apprenticeship|internship|traineeship)"
_ILL = r"(?:flu|cold(?! (?:water|weather|snap|spell|coffee|tea|brew|beers?|drinks?|food|shower|showers|hands|feet|day|night|morning|room|house|calls?|cuts|turkey|storage|sea|soup|pizza|swim|swims|swimming)\b)|cough|fever|bug|infection|tonsillitis|bronchitis|pneumonia|shingles|chickenpox|rash|migraine|laryngitis|covid|sore throat|hay fever|ear ?ache|tooth ?ache|stomach ache|food poisoning)"
_LIMB = r"(?:leg|arm|wrist|ankle|foot|knee|hip|back|shoulder|elbow|hand|finger|thumb|toe|neck|collarbone|rib|ribs)"
_RELATION = r"(?:girlfriend|boyfriend|partner|husband|wife|fianc[eé]e?|gf|bf|missus|hubby)"


def _matter(name: str, tie: str, marks: str, seek: str, holds: str, turns: str) -> Matter:
    held, turned = CaselessPattern(holds), CaselessPattern(turns)
    return Matter(name, held, turned, Tie[tie], "lasting" in marks, "between" in marks, seek, "rule" in marks)


MATTERS = tuple(_matter(*row) for row in read_rows("core/wordlists/life_matters.txt", globals()))
