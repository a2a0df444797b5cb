"""Whom a pronoun means: the person last spoken of in the same sitting who fits it, where that is only one.

Used by `statements`, which walks through a conversation and tells each sentence to `Mentions`. Certain only within one
sitting, and only where the last to name anybody who fits was the speaker himself, or named nobody new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts.mentioned_people import (
    BY_PROFESSION,
    in_words,
    is_nameless,
    people_in,
    pronoun_begins,
    pronoun_in,
    pronouns_in,
    sexes_in,
    tells_name,
)
from soulmem.llm.extractive.facts.third_person_facts import ANY, Person
from soulmem.llm.extractive.language.sentence_splitter import LONGEST, Sentence, sentences_of
from soulmem.llm.extractive.wording.standalone_sentences import display_name

# Sentences of one message that are looked at: of a wall of text its beginning and its end. A summary has no use for
# more; what notes leave out of one is told to the audit.
MOST_SENTENCES = 180
USUAL = 120  # characters of a sentence, on the average of a long message: of longer ones fewer are looked at

_UNKNOWN = LazyPattern(
    r"(?!(?:The|This|That|These|Those|It|He|She|They|We|I|You|There|Here|What|Who|How|When|Where|Which|One|All|Both|My|Our"
    r"|Your|His|Her|Their|And|But|So|Nobody|Everybody|Everything|Nothing|Life|Dinner|Work|School|Today|Yesterday)\b)"
    r"[A-Z][a-z]{2,} (?:is|was|has|had)\b"
)
# Whom nobody knows and a pronoun behind it may mean: "Duchess, a boxer.", "a dog", "Doctor's nurse rang".
_UNKNOWN_ALONE = LazyPattern(r"[A-ZÀ-Þ][a-zà-ÿ]{2,}, (?:an?|the|my|our) ")
_UNNAMED = CaselessPattern(
    r"\b(?:an?|the|my|our|his|her|their|this|that) (?:\w+ ){0,2}(?:dog|puppy|pup|cat|kitten|horse|pony|mare|hen|bird"
    r"|parrot|rabbit|hamster|greyhound|terrier|ram|ewe|cow|bull|goat)\b"
    rf"|^(?:\w+['’]s )?(?:{BY_PROFESSION}|landlady|teacher|midwife|physio)\b"
)
# "it was mo who taught me, she used to wake me": somebody by a name that is written small.
_CLEFT = CaselessPattern(
    r"\bit (?:was|is) (?!(?:me|you|him|her|us|them|he|she|they|we|the|my|our|your|a|an)\b)[a-z]+ (?:who|that)\b"
)
# A cat that was named days ago, and is no name to look at: 豆花17号打疫苗. 她四岁了.
_NO_NAME_ZH = (
    "(?![我咱俺你您他她它今明昨前后这那上下早晚天]|外面|外头|家里|屋里|楼[上下]|公司|学校|医院|路上"
    "|门口|小区|周[一二三四五六日末]|星期|礼拜)"
)
_UNKNOWN_ZH = LazyPattern(rf"{_NO_NAME_ZH}[\u4e00-\u9fff]{{2,3}}(?=\d|[又还也在把被会要])")
# 阿宁说周末不来，我没跟他提: whoever the sentence begins with may be meant.
_ACTS_ZH = LazyPattern(rf"{_NO_NAME_ZH}[\u4e00-\u9fff]{{2,3}}(?=说|想|觉得|打算|告诉|嫌|又|还|也|在|把|被|会|要|不)")
_OF_ANOTHER = LazyPattern(r"[A-Z]\w+(?: is| was|['’]s) (?:his|her|their)\b")
# "Tomasz is off! Mei has his room.": whose room it was, not who has it, may be who is told of next.
_IN_THE_PLACE = CaselessPattern(
    r"\b(?:has|have|had|got|gets|takes?|took|taking) (?:over )?(?:his|her) (?:old )?(?:room|desk|title|jobs?|place"
    r"|office|seat|shifts?|chair|post|spot|position|patients|clients|class(?:es)?)\b"
    r"|[接占坐拿顶][了着]?[他她]的?(?:位[子置]|工位|班|活|办公室|职位|摊|房间|课)"
)
_PLURAL = CaselessPattern(  # "she" is none of "the kids", 她 none of 孩子们
    r"们$|[爸父]妈$|父母$|夫妻$|两口$|\b(?:kids|children|parents|brothers|sisters|sons|daughters|twins|boys|girls)$"
)
# "Tell me about your nan": the kin of whom he talks to, where he tells of none of his own.
_YOURS = {"en": CaselessPattern(r"\byour\b"), "zh": LazyPattern("[你您]")}
_MINE = CaselessPattern(r"\b(?:my|our)\b|我")
# Who says "Dad" to the speaker is a child of his: 他说爸，客人会不会以为.
_SAYS_PARENT = CaselessPattern(
    r"[他她](?:说|问|喊|叫)[:：，,“\"「]?老?(?:[爸妈]{1,2}|爹|娘)[，,！!]"
    r"|\b(?:he|she) (?:says?|said|goes|asked|asks)[,:]? [\"“'‘]?(?:mum|mom|dad|daddy|mummy|mama|papa)\b ?[,!]"
)
_CHILD = CaselessPattern(r"儿子|女儿|闺女|孩子|\b(?:son|daughter|kid|child|boy|girl|lad)\b")
SITTING_MS = 30 * 60_000  # after a longer break a pronoun may mean somebody else
RECENT = 4  # messages before a request that may name whom its first pronoun means
_TURNS_TO_US = LazyPattern(r"(?:^|[。！？.!?]\s?)(?:我们?|咱们?|[Ww]e\b|I\b)")
_KEPT = 6  # sentences that named somebody
_LAST_SENTENCES = 3  # of a message of before, in which whom it speaks of at its end is looked for
_FAR = 6  # messages back, at most
_BEFORE = 2  # messages before the one that named somebody of whose sex nobody knows
_OPENING = 3  # messages back, where a message opens with the pronoun: it may go on with something else


@dataclass(frozen=True, slots=True)
class _Named:
    """A sentence that named people, who said it, and in the how manieth message; `news`: it named somebody new."""

    people: tuple[Person, ...]
    sentence: Sentence
    speaker: str
    at_ms: int
    message: int
    news: bool


@dataclass(frozen=True, slots=True)
class Meant:
    """A sentence with the person in words whom its pronoun means, and the sentence that named him."""

    person: Person
    text: str
    named_by: Sentence
    begins: bool  # it begins with the pronoun


class Mentions:
    """Who was spoken of of late."""

    def __init__(self, talking: frozenset[str]) -> None:
        self._talking = talking
        self._named: deque[_Named] = deque(maxlen=_KEPT)
        self._message = 0
        self._told_by = ""

    def next_message(self) -> None:
        self._message += 1

    def hear(self, sentence: Sentence, turn: Turn, *, is_name: bool = False) -> None:
        """Keep whom a sentence speaks of, by name or by a pronoun; a pronoun for nobody knows whom counts too.

        `is_name`: it is the answer to who it was, and so names somebody whether that is known for a name or not.
        """
        chinese = sentence.language == "zh"
        known = tuple(person for each in self._named for person in each.people if person.name)
        speaker = display_name(turn.speaker, sentence.language)
        text = sentence.text
        if turn.role is Role.USER:
            self._told_by = speaker
        elif self._told_by and not _MINE.search(text):
            text, speaker = _YOURS[sentence.language].sub("我" if chinese else "my", text), self._told_by
        found = people_in(text, speaker, known, self._talking, chinese=chinese)
        people, named_by = tuple(each.person for each in found), sentence
        news = not all(any(_is_same(person, other) for other in known) for person in people)
        meant = self.meant(sentence, turn) if people and pronoun_begins(sentence.text) else None
        if meant is not None and not any(_is_same(meant.person, each) for each in people):
            # "She and her husband Paul": of whom it tells first is she
            people = (replace(meant.person, pronouns=pronouns_in(sentence.text)), *people)
        if people and not news and turn.role is Role.ASSISTANT:
            before = next(each for each in reversed(self._named) if any(_is_same(people[0], p) for p in each.people))
            people, named_by = before.people, before.sentence  # "Poor Gran": whom the other spoke of
        if not people:
            meant = self.meant(sentence, turn)
            if meant is not None:
                sex = meant.person.pronouns if meant.person.pronouns != ANY else pronouns_in(sentence.text)
                people, named_by = (replace(meant.person, pronouns=sex),), meant.named_by
            elif turn.role is Role.USER and (pronouns := pronouns_in(sentence.text)):
                people = (Person("", "", pronouns),)
        if _OF_ANOTHER.match(sentence.text):  # "his" of "Bethan is his girl" tells nothing of Bethan
            people = tuple(replace(p, pronouns=ANY) if sentence.text.startswith(p.name or " ") else p for p in people)
        if _UNKNOWN.match(sentence.text) and not any(p.name and sentence.text.startswith(p.name) for p in people):
            people = (*people, Person("", "", ANY))  # "Bethan is his girl. She …": nobody knows whether that is a name
        elif not any(person.name for person in people) and (is_name or _names_somebody_unknown(sentence.text)):
            people = (*people, Person("", "", ANY))
        if not people and chinese and _UNKNOWN_ZH.match(sentence.text):
            people = (Person("", "", ANY),)
        if people:
            self._named.append(_Named(people, named_by, turn.speaker, turn.at_ms, self._message, news))

    def meant(self, sentence: Sentence, turn: Turn) -> Meant | None:
        """Whom the first pronoun of a sentence means; None where it has none, or that is not certain."""
        at = pronoun_in(sentence.text)
        if at is None or not self._named or sentence.is_aside:
            return None
        _, _, pronoun, begins = at
        chinese = sentence.language == "zh"
        speaker = display_name(turn.speaker, sentence.language)
        own = people_in(sentence.text, speaker, (), self._talking, chinese=chinese)
        if not begins and any(pronoun in each.person.pronouns for each in own):
            return None  # it names somebody who may be meant
        if not begins and not own and (_ACTS_ZH.match if chinese else _CLEFT.search)(sentence.text):
            return None
        for named in reversed(self._named):
            far = _OPENING if begins and sentence.start == 0 else _FAR
            if self._message - named.message > far or not 0 <= turn.at_ms - named.at_ms <= SITTING_MS:
                return None
            fitting = [
                person for person in named.people if pronoun in person.pronouns and not _PLURAL.search(person.name)
            ]
            if not fitting:
                continue
            if _SAYS_PARENT.search(sentence.text) and not any(_CHILD.search(each.shown) for each in fitting):
                return None
            if named.speaker != turn.speaker and named.news:
                return None
            sure = [person for person in fitting if person.pronouns != ANY]
            if len(fitting) > 1 and (len(sure) != 1 or not _is_nearest(sure[0], fitting[0])):
                return None
            person = fitting[0] if len(fitting) == 1 else sure[0]
            if person.pronouns == ANY and (
                len(sexes_in(sentence.text)) > 1
                or len(sexes_in(named.sentence.text)) > 1
                or self._fits_better(pronoun, person, named, turn.text[: sentence.start])
            ):
                return None
            if person.shown == person.name and _IN_THE_PLACE.search(named.sentence.text):
                return None
            if not person.name or (tells_name(sentence.text) and not is_nameless(person)):
                return None
            return Meant(person, in_words(sentence.text, at, person, chinese=chinese), named.sentence, begins)
        return None

    def _fits_better(self, pronoun: str, person: Person, by: _Named, ahead: str) -> bool:
        """Whether the message that names `person`, of whose sex nobody knows, has somebody whom the pronoun fits.

        Where that was an earlier message, and told nothing of his sex, and what stands ahead in this one turns to
        oneself, those before it count too, and one's own kin: by 老伴说试试看, and then 楼下老许劝我去拍片子, nobody
        knows whose 我们住五楼。她那条腿 is.
        """
        is_far = by.message != self._message and not sexes_in(by.sentence.text) and _TURNS_TO_US.search(ahead)
        since = by.message - _BEFORE if is_far else by.message
        return any(
            pronoun in other.pronouns
            and (other.pronouns != ANY or (is_far and is_nameless(other)))
            and not _is_same(other, person)
            for named in self._named
            if since <= named.message <= by.message
            for other in named.people
        )


def _names_somebody_unknown(text: str) -> bool:
    """Whether a sentence names or brings in somebody, or an animal, of whom nothing is known."""
    return any(each is not None for each in (_UNKNOWN_ALONE.match(text), _UNNAMED.search(text), _CLEFT.search(text)))


def _is_nearest(person: Person, first: Person) -> bool:
    """Whether a sentence speaks of nobody before him but whose kin he is; else the first may be meant as well."""
    return person == first or person.shown.startswith((f"{first.name}'s ", f"{first.name}的"))


def _is_same(one: Person, other: Person) -> bool:
    name, shown = one.name.casefold(), other.shown.casefold()
    return name == other.name.casefold() or one.shown.casefold() == shown or shown.endswith((f"s {name}", f"的{name}"))


def heard_before(turns: list[Turn], mentions: Mentions) -> None:
    """Tell the messages before a request."""
    for turn in turns:
        mentions.next_message()
        for sentence in looked_at(turn, _LAST_SENTENCES)[-_LAST_SENTENCES:]:
            mentions.hear(sentence, turn)


def looked_at(turn: Turn, most: int = MOST_SENTENCES) -> tuple[Sentence, ...]:
    """The sentences of a message; of a wall of text the first and the last, the fewer the longer they are."""
    text = turn.text
    head = most * 2 // 3
    tail = most - head
    if len(text) <= most * LONGEST:
        sentences = sentences_of(turn.seq, text)
        if len(sentences) <= most and len(text) <= most * USUAL:
            return sentences
        beginning, ending = sentences, sentences
    else:  # only as much is cut as is looked at; the first piece of its end may be half a sentence
        beginning = sentences_of(turn.seq, text, 0, head * LONGEST)
        ending = sentences_of(turn.seq, text, len(text) - tail * LONGEST)[1:]
    first = _as_many(beginning, head)
    last = _as_many(ending[::-1], tail)[::-1]
    return first + tuple(each for each in last if not first or each.start > first[-1].start)


def _as_many(sentences: Sequence[Sentence], most: int) -> tuple[Sentence, ...]:
    """So many of the first of them, or as many as are so long together as so many usually are."""
    kept: list[Sentence] = []
    left = most * USUAL
    for each in sentences[:most]:
        left -= len(each.text)
        if left < 0:
            break
        kept.append(each)
    return tuple(kept)
