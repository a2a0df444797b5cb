"""Asked lists: which list of whom a question asks all of, and whether a text tells an entry of it.

Called by the ranking of lists (`core.reranking.list_ranking`). The list is told by the words for what stands in it or
for how it comes there ("which instruments", "what has she painted", 都做过什么菜). Pure. Invariant: what belongs to
somebody's relative is no entry of his own list.
"""

# ruff: noqa: E501 (patterns stand on long lines, as a table)

from __future__ import annotations

from soulmem.core.facts.clause_reader import OWN
from soulmem.core.facts.fact_reader import subject_key
from soulmem.core.names.kin_names import asked_kin, same_kin
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.profiles.list_entries import entries_of, may_tell
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.tokens import fold
from soulmem.fast_dataclasses import dataclass

_READ = 400  # characters of a question
_KINDS = {
    "gifts": CaselessPattern(r"\b(?:gifts?|presents?)\b|礼物|送(?:过|了)?(?:我|她|他)[^，。？！]{0,6}什么"),
    "trips": CaselessPattern(
        r"\b(?:cities|countries|towns|states|islands|trips?|destinations)\b|\bplaces\b(?=.{0,40}\b(?:been|visit|travel|went|go(?:ne)?|seen)\w*)|去过?(?:的|了)?[^，。？！]{0,4}(?:哪|什么地方|地方|城市|国家)|哪些(?:城市|国家|地方)|(?:旅行|旅游)过"),
    "books": CaselessPattern(r"\b(?:books?|novels?)\b|书|小说"),
    "films": CaselessPattern(r"\b(?:films?|movies?)\b|电影|片子"),
    "courses": CaselessPattern(r"\b(?:courses?|classes|workshops?|lessons|seminars?)\b|课|培训|[什么哪些]+班"),
    "illnesses": CaselessPattern(r"\b(?:illness(?:es)?|diseases?|sick(?:ness)?|health (?:problems|issues))\b|[生得患]过?(?:什么|哪些)?病|疾病"),
    "instruments": CaselessPattern(r"\binstruments?\b|乐器"),
    "concerts": CaselessPattern(r"\b(?:concerts?|gigs|bands?|musicians?|singers?|musical artists?)\b|演唱会|音乐会|歌手|乐队"),
    "causes": CaselessPattern(r"\b(?:causes|charit(?:y|ies)|volunteer\w*)\b|公益|慈善|志愿|义工|捐过"),
    "games": CaselessPattern(r"\b(?:video|board|card|computer)? ?games\b(?! (?:has|have|did) \w+ (?:mention\w* )?(?:w[io]n|lost|lose))|游戏|桌游"),
    "dishes": CaselessPattern(r"\b(?:recipes|dishes|desserts|meals|cakes|cooked|baked)\b|做过[^，。？！]{0,6}菜|[什么哪些](?:菜|甜点|甜品|点心)|拿手菜|食谱"),
    "events": CaselessPattern(r"\b(?:events|festivals|parties|contests|competitions|conferences|fundraisers)\b|(?:参加|出席|办|组织)过?(?:了|的)?[^，。？！]{0,6}(?:活动|比赛|聚会|展|会)|(?:哪些|什么)(?:比赛|聚会|展览|演出)"),
    "collections": CaselessPattern(r"\bcollect(?:s|ed|ions?|ibles?)?\b|收藏|收集"),
    "purchases": CaselessPattern(r"\b(?:bought|purchased?|purchases)\b|买过|买了[^，。？！]{0,6}(?:什么|哪些)|(?:哪些|什么)[^，。？！]{0,6}是[^，。？！]{0,4}买的"),
    "goals": CaselessPattern(r"\b(?:goals|dreams|ambitions|aims|resolutions)\b|目标|梦想|愿望|心愿"),
    "made": CaselessPattern(r"\b(?:painted|drawn|knitted|crocheted|sewn|built|crafted|carved|sculpted)\b|\bthings\b[^?]{0,20}\bmade\b|(?:画|织|缝|钩|雕)过|做过[^，。？！]{0,6}(?:手工|东西)"),
    "activities": CaselessPattern(r"\b(?:activit(?:y|ies)|hobb(?:y|ies)|pastimes?|interests|sports|exercises|workouts)\b|爱好|兴趣|运动|活动|消遣"),
}  # fmt: skip
_FIRST = LazyPattern(r"\b(?:I|me|my|we|our)\b|我|咱")


@dataclass(frozen=True, slots=True)
class AskedList:
    """`owners`: whose, as facts name subjects, without those that belong to somebody; empty: anybody's. `kin`: whose
    relative's instead, by the word."""

    kind: str
    owners: frozenset[str]
    kin: str = ""

    def holds(self, owner: str) -> bool:
        """Whether an entry of this one is asked for."""
        _, has, word = owner.rpartition(OWN)
        if has:
            return bool(self.kin) and same_kin(word, self.kin)
        if self.kin:
            return owner in self.owners
        return not self.owners or owner in self.owners


def asked_list(question: str, asker: str, by_name: str = "") -> AskedList | None:
    """The list that a question asks for all of, if it is one that entries are known of.

    Args: asker: who asks, if that is known; by_name: the question with names for the relatives it speaks of.
    """
    seen = question[:_READ]
    kind = next((kind for kind, pattern in _KINDS.items() if pattern.search(seen)), None)
    if kind is None:
        return None
    named = frozenset(fold(each.name) for each in find_names(seen) if each.kind is NameKind.PERSON)
    named |= frozenset(fold(each.name) for each in find_names(by_name[:_READ]) if each.kind is NameKind.PERSON)
    kin = asked_kin(seen)
    if kin or named:
        return AskedList(kind, named, kin)
    return AskedList(kind, frozenset({subject_key(asker)}) if asker and _FIRST.search(seen) else frozenset())


def tells(text: str, speaker: str, asked: AskedList) -> bool:
    """Whether a text tells an entry of the list that is asked for."""
    if not may_tell(text, asked.kind):
        return False
    return any(entry.kind == asked.kind and asked.holds(entry.owner) for entry in entries_of(text, speaker))
