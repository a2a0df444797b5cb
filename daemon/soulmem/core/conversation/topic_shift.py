"""A change of topic that nobody announced: does this message leave what was being talked about?

`working/ingest/message_ingest` asks for each user message as it arrives (by words alone), and again once vectors are
there; a yes sets a deferred forced marker, so a mistake costs one more, earlier summary and loses nothing. Pure and
conservative: it looks for the absence of every tie (shared words, nearness of meaning, a short or deictic
reply), asks less where a phrase announces a turn, and never fires again within a few messages of a boundary.

Source: lexical cohesion falls at topic boundaries (Hearst 1997, TextTiling).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema import two_part_vectors
from soulmem.core.text.tokens import fold, is_grammar, parted, query_terms, segment
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import WordCache

WINDOW = 8  # messages looked back on
LEAST_RECENT = 3  # messages there must be to leave
LOOK = 2_000  # characters that show a subject
OPENING = 120  # characters in which a turn is announced
REST = 6  # messages between two boundaries
REST_ANNOUNCED = 3  # the same where the change is announced


@dataclass(frozen=True, slots=True)
class Tie:
    """What still ties a message to the recent ones: it leaves when it is longer and looser than all of these.

    `terms`: content words it needs to have a subject at all; `blind_terms`: the same where vectors are
    missing; `shared`: share of them heard recently; `nearest`, `mean`: cosine to the nearest of the recent
    messages and to their mean.
    """

    terms: int
    blind_terms: int
    shared: float
    nearest: float
    mean: float


UNANNOUNCED = Tie(terms=4, blind_terms=9, shared=0.0, nearest=0.32, mean=0.32)
ANNOUNCED = Tie(terms=2, blind_terms=2, shared=0.3, nearest=0.6, mean=0.6)


class Cue(StrEnum):
    """What the opening words say about a turn."""

    NONE = "none"
    TURN = "turn"  # "by the way", "对了": often, not always, another topic
    SWITCH = "switch"  # "let's talk about something else", "换个话题": said outright
    GREETING = "greeting"  # "good morning", "好久不见": a conversation begins anew


_SWITCH = LazyPattern(
    r"\b(?:(?:to )?chang(?:e|ing) (?:the |of )?(?:subject|topic)|(?:on|in) (?:a|an) ?(?:totally |completely |whole )?"
    r"(?:other|nother|different|unrelated|separate) note|(?:talk|chat|speak) about something (?:else|different)"
    r"|(?:new|different) (?:topic|subject)\b|switch(?:ing)? (?:topics?|subjects?|gears)|moving on to)"
    r"|换个?(?:个|一个)?(?:话题|話題|主题)|換個?話題|说点别的|聊点别的|聊聊别的|聊点儿别的|說點別的|不说这个了|不聊这个了|转个话题"
)
# One of these stands in everything that _SWITCH matches; looking for them first is ten times faster.
_SWITCHING = ("note", "about something", "topic", "subject", "gears", "moving on", "题", "題", "别的", "別的", "这个了")
_TURN = LazyPattern(
    r"(?:(?:oh|ah|hey|ok|okay|so|well|and|but|also|haha|lol|wow|yeah|yes|no|hmm+|um+|thanks?)\b[\s,.!…-]*){0,3}"
    r"(?:by the way|btw\b|anyways?\b|anyhow\b|incidentally|speaking of (?:which|that)?|that reminds me|"
    r"(?:before|while) i forget|i (?:almost|nearly) forgot|guess what|on the subject of|one more thing|"
    r"(?:i )?(?:meant|wanted|forgot) to (?:tell|ask|mention))"
    r"|[啊哦噢哎诶唉呃嗯哈,，。!！~～…\s]*(?:对了|對了|话说|話說|说起来|說起來|说到这|顺便|順便|另外|言归正传|突然想起|忽然想起|"
    r"差点忘了|差點忘了|跟你说(?:个|件)|跟你說(?:個|件)|我跟你讲|问你(?:个|件)|問你(?:個|件)|你猜怎么)"
)
_GREETING = LazyPattern(
    r"(?:(?:hey|hi|hello|hiya|yo)\b|good (?:morning|afternoon|evening)|long time no|"
    r"(?:it|it's|its) (?:has )?been (?:a while|ages)|how (?:have you been|are you|is it going|'s it going))"
    r"|(?:你好|您好|哈喽|嗨|早上好|早安|下午好|晚上好|好久不见|好久不見|在吗|在嗎|我回来了|我回來了)"
)
_REPLY = LazyPattern(
    r"(?:yes|yeah|yea|yep|yup|no|nope|nah|not|sure|right|exactly|true|thanks?|thx|wow|whoa|omg|haha|lol|aw+|oh|ah|that|that's|"
    r"thats|this|those|these|it|it's|its|they|glad|good|great|nice|cool|awesome|amazing|sounds|congrats|sorry|ok|okay|"
    r"absolutely|definitely|totally|of course|me too|same|why|how come|what about|which|because|and|but|so|then|or)\b"
    r"|(?:是|不|没|對|对|好|行|嗯|哦|噢|啊|哈|呵|嘿嘿|谢|謝|那|这|這|它|他|她|真|太|可|原来|原來|因为|因為|所以|然后|然後|"
    r"而且|但|也|还|還|为什么|為什麼|怎么|怎麼|当然|當然|当时|确实|確實|同意|有的|没有|沒有|会的|會的|能|继续|繼續)"
)
_CLOSERS = " \t\r\n.!~)]}\"'”’」』）】～。！…😀😂🤣😊😉🙂🤔"
_FILLERS = frozenset(
    query_terms(
        "hey hi hello thanks thank yeah yes yep ok okay wow cool great good nice awesome amazing really sure know "
        "think thing like get got go going one want need feel see look say lot much way oh haha lol sorry love "
        "glad happy sound right well day time make definitely totally absolutely pretty always keep new"
    )
) | frozenset(
    "哈哈 嗯嗯 谢谢 好的 真的 知道 觉得 感觉 可以 没有 一下 一个 时候 现在 今天 就是 不是 还是 这么 那么".split()
)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message as topics see it. `vector` has unit length, or is None where the embedder is blind or late.

    `asks`: it ends with a question, so what follows is an answer. `replies`: it opens as a reply does.
    """

    terms: frozenset[str]
    cue: Cue = Cue.NONE
    asks: bool = False
    replies: bool = False
    vector: NDArray[np.float32] | None = None
    boundary: bool = False


def utterance(
    text: str,
    *,
    terms: list[str] | None = None,
    vector: NDArray[np.float32] | None = None,
    boundary: bool = False,
    opens: bool = True,
) -> Utterance:
    """Look at a text; a long one shows its subject in its first 2,000 characters.

    Args:
        terms: its `tokens.segment`, if that is known.
        opens: whether it may open a topic; of one that may not, the opening words are left unread.
    """
    shown = text[:LOOK]
    known = terms if terms is not None and len(text) <= LOOK else segment(shown)
    subjects = subjects_of(shown, known)
    return said(text, fold(text[:OPENING]) if opens else "", subjects, vector=vector, boundary=boundary, opens=opens)


def said(
    text: str,
    opening: str,
    subjects: frozenset[str],
    *,
    vector: NDArray[np.float32] | None = None,
    boundary: bool = False,
    opens: bool = True,
) -> Utterance:
    """`utterance` of a text whose subjects are known; `opening`: its first 120 characters folded, if it `opens`."""
    opening = opening.strip()
    return Utterance(
        subjects,
        _cue(opening) if opens else Cue.NONE,
        text.rstrip(_CLOSERS)[-1:] in ("?", "？"),
        opens and _REPLY.match(opening) is not None,
        vector,
        boundary,
    )


def _cue(opening: str) -> Cue:
    if any(map(opening.__contains__, _SWITCHING)) and _SWITCH.search(opening):
        return Cue.SWITCH
    if _TURN.match(opening):
        return Cue.TURN
    return Cue.GREETING if _GREETING.match(opening) else Cue.NONE


def subjects_of(text: str, terms: list[str]) -> frozenset[str]:
    """The terms that name a subject; of a text of nothing but grammar, the longer words of that."""
    told = parted(text, terms)
    found = frozenset(filter(_TELLS.__getitem__, told))
    if found or not all(map(is_grammar, told)):
        return found
    return frozenset([term for term in terms if _names_subject(term)])


def _names_subject(term: str) -> bool:
    """Whether a term is a CJK pair or a word of three letters or more, no chat filler.

    Single CJK characters recur everywhere and tie nothing together.
    """
    return len(term) >= (2 if ord(term[0]) > 0x2E80 else 3) and term not in _FILLERS


def names_subject(term: str) -> bool:
    """Whether a term names a subject, and is no grammar."""
    return _names_subject(term) and not is_grammar(term)


_TELLS = WordCache(names_subject, 65_536)


def is_change(message: Utterance, recent: Sequence[Utterance], *, shared_from: int = 0) -> bool:
    """Whether a user's message opens a new topic after `recent` (oldest first, either speaker's).

    Said outright it is believed; announced by a turn of phrase or a greeting it must also be loosely tied;
    unannounced it must be no reply, share no content word and, where vectors are known, lie far away.
    `shared_from`: where vectors have the part that every text has (`core.schema.two_part_vectors`); 0: there is none.
    """
    recent = recent[-WINDOW:]
    since = next((at for at, each in enumerate(reversed(recent)) if each.boundary), len(recent))
    announced = message.cue is not Cue.NONE
    rest = REST_ANNOUNCED if announced else REST
    if len(recent) < LEAST_RECENT or (since < len(recent) and since + 1 < rest):
        return False
    if message.cue is Cue.SWITCH:
        return True
    if announced:
        return _is_loose(message, recent, ANNOUNCED, shared_from)
    return not (message.replies or recent[-1].asks) and _is_loose(message, recent, UNANNOUNCED, shared_from)


def _is_loose(message: Utterance, recent: Sequence[Utterance], tie: Tie, shared_from: int) -> bool:
    """Whether a message is tied to the recent ones by less than `tie` on every count."""
    count = len(message.terms)
    vectors = [each.vector for each in recent if each.vector is not None]
    seeing = message.vector is not None and len(vectors) >= LEAST_RECENT
    if count < (tie.terms if seeing else tie.blind_terms):
        return False
    allowed = tie.shared * count
    if allowed < 1:  # the first word they share ties it
        if not all(message.terms.isdisjoint(each.terms) for each in reversed(recent)):
            return False
    elif len(message.terms.intersection(chain.from_iterable(each.terms for each in recent))) > allowed:
        return False
    if message.vector is None or not seeing:
        return True
    matrix = np.stack(vectors)
    mean = matrix.mean(axis=0)
    towards = np.stack([*vectors, mean / max(float(np.linalg.norm(mean)), 1e-9)])
    likeness = two_part_vectors.cosines(towards, message.vector[None, :], shared_from)[:, 0]
    return float(likeness[:-1].max()) <= tie.nearest and float(likeness[-1]) <= tie.mean
