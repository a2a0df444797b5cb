"""Reading a reaction to a reply without a model: praise, blame or neither, and how strong (algorithms.md §3.9).

The reaction is cut into clauses, and each is read for cues in order: what a cue has taken is not read again, so 不错
is no 错 and "no problem" no "no". A cue that is negated turns round; praise in a question is none; what follows a
"but" weighs more than what stands before it. Sarcasm is not attempted. A plain yes or no after a reply that asked
something is an answer, not a judgement; to ask the same again is mild blame. Bounds: the strength is 0..1, and 0 for
a neutral reaction.
"""

# ruff: noqa: E501 (a table of words stands on long lines)

from __future__ import annotations

import unicodedata

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.schema.engine_tasks import Feedback, FeedbackRequest, Reaction
from soulmem.core.text.tokens import asks, query_terms
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass

_LOOKED_AT = 600  # characters of a reaction; a longer one speaks of other things
_ASKED_AGAIN = 0.8  # share of the question's terms that stand in the reaction
_AGAIN_STRENGTH = 0.3
_LEAST_STRENGTH = 0.2
_BUT_BEFORE, _BUT_AFTER = 0.6, 1.3


@dataclass(frozen=True, slots=True)
class _Cue:
    """Words that judge. `weight` is positive for praise and 0 for what only looks like a judgement; `answer`: it may
    also be a plain answer to a question."""

    pattern: LazyPattern
    weight: float
    answer: bool = False


_THAT = r"(?:that|this|it|those|they|you)(?:['’](?:s|re)| is| are| was| were)?(?: (?:all|just|completely|totally|simply|so|plain|a bit|quite|very|really|absolutely|still|also))*"
_PRAISED = r"great|awesome|amazing|wonderful|fantastic|nice|helpful|cool|lovely|excellent|impressive|good|sweet|brilliant|incredible"
_LEAD = r"^(?:(?:oh|ah|wow|haha|aw+|yes|yeah|well|and|so|very|really|how|what an?|that(?:['’]s| is| was)|it['’]s|this is|you['’]re|you are)[ ,]*)*"

_ENGLISH, _CHINESE = (
    tuple(
        _Cue(LazyPattern(pattern), float(weight), answer == ["answer"])
        for each, weight, pattern, *answer in read_rows(
            "llm/extractive/tasks/reaction_cues.txt", {"THAT": _THAT, "LEAD": _LEAD, "PRAISED": _PRAISED}
        )
        if each == language
    )
    for language in ("en", "zh")
)
_EMOJI = (_Cue(LazyPattern("[👍❤🥰😍💯👏🥹💕]"), 0.5), _Cue(LazyPattern("[👎😡🙄😠💩🤬]"), -0.5))

_CLAUSE = LazyPattern(r"[^,.!?;…~\n，。！？；～]+[,.!?;…~\n，。！？；～]*")
_OPENING_COMMA = LazyPattern(r"(actually|其实)[,，]\s*")
_BUT = LazyPattern(r"^\W*(?:but|however|though|except)\b|^\W*(?:但是|但|不过|可是|可|只是|然而)")
_NEGATED_ENGLISH = LazyPattern(
    r"(?:\bnot|n['’]t|\bnever|\bhardly|\bwithout)(?: (?:so|very|really|the|a|too|quite|all)){0,2} ?$"
)
_NEGATED_CHINESE = LazyPattern(r"(?:不|没|没有|不是|不太|不够|不怎么|不是很|谈不上)$")
_QUESTION = LazyPattern(r"[?？]|[吗么]\W*$")
_STRESS = LazyPattern(r"[!！]|\b(?:so|very|really|absolutely|totally|completely)\b|[太真超]|非常|完全|特别")


def feedback(request: FeedbackRequest) -> Feedback:
    """What a reaction says of the reply: its verdict, and a strength 0..1."""
    reaction = unicodedata.normalize("NFKC", request.reaction[:_LOOKED_AT]).lower()
    reaction = _OPENING_COMMA.sub(r"\1 ", reaction)
    asked = asks(request.reply)
    good, bad = _weigh(reaction, asked=asked)
    if not good and not bad:
        return _without_cue(request)
    net = sum(good) - sum(bad)
    if abs(net) < 0.05:
        return Feedback(Reaction.NEUTRAL, 0.0)
    winning = good if net > 0 else bad
    strength = max(winning) + 0.1 * (len(winning) - 1) + 0.1 * (_STRESS.search(reaction) is not None)
    strength -= 0.4 * max(bad if net > 0 else good, default=0.0)
    verdict = Reaction.GOOD if net > 0 else Reaction.BAD
    return Feedback(verdict, round(max(_LEAST_STRENGTH, min(1.0, strength)), 2))


def _without_cue(request: FeedbackRequest) -> Feedback:
    wanted, said = set(query_terms(request.query[:_LOOKED_AT])), set(query_terms(request.reaction[:_LOOKED_AT]))
    if len(wanted) >= 2 and asks(request.reaction) and len(wanted & said) >= _ASKED_AGAIN * len(wanted):
        return Feedback(Reaction.BAD, _AGAIN_STRENGTH)
    return Feedback(Reaction.NEUTRAL, 0.0)


def _weigh(reaction: str, *, asked: bool) -> tuple[list[float], list[float]]:
    """The weights of praise and of blame, one a cue, over all clauses."""
    good: list[float] = []
    bad: list[float] = []
    factor = 1.0
    for number, match in enumerate(_CLAUSE.finditer(reaction)):
        clause = match[0]
        if number and _BUT.match(clause):
            good, bad = [each * _BUT_BEFORE for each in good], [each * _BUT_BEFORE for each in bad]
            factor = _BUT_AFTER
        for weight in _read(_BUT.sub("", clause) if factor != 1.0 else clause, asked=asked and not number):
            (good if weight > 0 else bad).append(abs(weight) * factor)
    return good, bad


def _read(clause: str, *, asked: bool) -> list[float]:
    """The weights of one clause's cues; negative is blame."""
    question = _QUESTION.search(clause) is not None
    left = clause.strip(" ,.!?;…~\n，。！？；～\"'“”")
    found: list[float] = []
    for cues, negated in ((_ENGLISH, _NEGATED_ENGLISH), (_CHINESE, _NEGATED_CHINESE), (_EMOJI, _NEGATED_CHINESE)):
        for cue in cues:
            match = cue.pattern.search(left)
            if match is None:
                continue
            turned = negated.search(left[: match.start()]) is not None
            weight = cue.weight * (-0.8 if turned else 1.0)
            left = f"{left[: match.start()]}\0{left[match.end() :]}"
            if weight == 0 or (question and weight > 0) or (asked and cue.answer):
                continue
            found.append(weight * (0.5 if question and turned else 1.0))
    return found
