"""Reading a reaction to a reply without a model: praise, blame or neither, and how strong (algorithms.md §3.9).

The reaction is cut into clauses, and each is read for cues in order: what a cue has taken is not read again, so 不错
is no 错 and "no problem" no "no". A cue that is negated turns round; praise in a question is none; what follows a
"but" weighs more than what stands before it. Sarcasm is not attempted. A plain yes or no after a reply that asked
something is an answer, not a judgement; to ask the same again is mild blame. Bounds: the strength is 0..1, and 0 for
a neutral reaction.
"""

# A table of words stands on long lines.
# ruff: noqa: E501

from __future__ import annotations

import re
import unicodedata

from soulmem.core.schema.engine_tasks import Feedback, FeedbackRequest, Reaction
from soulmem.core.text.tokens import asks, query_terms
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

    pattern: re.Pattern[str]
    weight: float
    answer: bool = False


def _cues(*rows: tuple[float, str] | tuple[float, str, bool]) -> tuple[_Cue, ...]:
    return tuple(_Cue(re.compile(row[1]), row[0], len(row) > 2 and bool(row[2])) for row in rows)


_THAT = r"(?:that|this|it|those|they|you)(?:['’](?:s|re)| is| are| was| were)?(?: (?:all|just|completely|totally|simply|so|plain|a bit|quite|very|really|absolutely|still|also))*"
_PRAISED = r"great|awesome|amazing|wonderful|fantastic|nice|helpful|cool|lovely|excellent|impressive|good|sweet|brilliant|incredible"
_LEAD = r"^(?:(?:oh|ah|wow|haha|aw+|yes|yeah|well|and|so|very|really|how|what an?|that(?:['’]s| is| was)|it['’]s|this is|you['’]re|you are)[ ,]*)*"

# In order: what is found first is taken out of the clause.
_ENGLISH = _cues(
    (0.0, r"\bno (?:problem|worries|doubt|rush|need|idea|matter|wonder|one|thanks|thank you|offen[cs]e|big deal)\b|\bcorrect me if\b|\bright (?:now|away|after|before|there|here|next)\b|\ball right\b|\bthanks to\b|\bno[,!.]? (?:wait|way)\b|\bwent wrong\b|\bwhat['’]?s wrong with\b|\bwrong with me\b"),
    (0.5, r"\bnot bad\b|\bno mistake\b|\b(?:you|that|it)(?:['’](?:re|s)| are| is|) (?:not|weren['’]t|wasn['’]t) (?:entirely |completely )?wrong\b|\bcan['’]t complain\b"),
    (0.6, r"\b(?:i|we)(?:['’]m| was| am|['’]ve been| were| got (?:it|that)) (?:the one who was )?(?:wrong|mistaken|confused|mixed up)\b|\bmy (?:bad|mistake)\b|\bi (?:stand corrected|forgot|misremembered)\b"),
    (0.9, r"\bcouldn['’]t (?:be (?:more right|better)|have (?:said|put) it better|agree more)\b"),
    (-0.9, rf"\b{_THAT} (?:not true|made[ -]up|false|nonsense|bullshit|rubbish|ridiculous)\b|\bnever happened\b|\bi (?:have )?never (?:said|did|told|went|had|was|lived|worked|liked|owned|met)\b|\bmak(?:e|ing) (?:it|that|this|things|stuff) up\b|\bmade (?:it|that|this) up\b|\b(?:completely|totally|all|dead|so) wrong\b|\byou(?:['’]ve| have)? got (?:it|that|this|him|her|them|me|everything) (?:all )?wrong\b|\bliar\b|\blying\b|\bhallucinat\w+|\buseless\b|\byou(?:['’]re| are) (?:stupid|an idiot|terrible)\b|\bidiot\b"),
    (-0.8, rf"\b{_THAT} (?:wrong|incorrect|inaccurate|mistaken|confused)\b|^wrong$|\b(?:that['’]?s|it['’]?s|is|gave me|have|got|remember(?:ed)?) the wrong \w+|^(?:incorrect|false|untrue|nonsense)$|\byou(?:['’]re| are)? (?:misremember\w*|mixed up|mixing (?:\w+ ){{1,2}}up)|\bmix(?:ed|ing) (?:\w+ ){{1,4}}up\b|\bconfus(?:ed|ing) (?:me|him|her|it|that|them) (?:with|for)\b|\bnot what i (?:said|asked|meant|told|wanted)\b|\bi (?:did not|didn['’]t) (?:say|mean|tell|ask|do|go|want|have)\b|\byou (?:forgot|(?:don['’]t|didn['’]t|never) (?:remember|listen))\b|\bnot even close\b|\bterrible answer\b|\bbad (?:answer|memory)\b|\bdisappoint\w+"),
    (-0.7, r"\b(?:that|this|it)(?:['’]s| is| was)? (?:not|isn['’]t|wasn['’]t)(?: (?:quite|really|exactly|even))? (?:it|right|correct|me|him|her|how|where|when|what|who|the|my|accurate)\b|\b(?:that|this|it) (?:isn['’]t|wasn['’]t)\b|\b(?:that|it)['’]s not\b|\byou(?:['’]re| are) not right\b|\bmakes? no sense\b|\bdo(?:es)?n['’]t make (?:any )?sense\b|\bdoesn['’]t (?:answer|help)\b|\bdidn['’]t help\b"),
    (-0.6, r"\bnot (?:very |really |at all |so )?(?:helpful|useful|good|funny|nice|cool|true|right|correct)\b|\bnot (?:quite|really|exactly|at all)\b|\bi (?:already )?(?:told|said)(?: to)? you\b|\bhow (?:could|can) you forget\b|\bwhat are you (?:talking|on) about\b|^actually,? (?:it|i|she|he|they|that|we|no|my)\b|\bhmm+,? no\b"),
    (0.9, rf"\bexactly(?! \d| what| when| where| how| the)|\bspot[ -]on\b|\bbang on\b|\bnailed it\b|\byou (?:actually |really |still |even )?remember(?:ed)?\b|{_LEAD}(?:absolutely )?perfect(?:ly)?$|\bperfect (?:answer|memory)\b|\bbingo\b|\b100 ?%|\byou know me\b|\bprecisely\b"),
    (0.8, r"\b(?:that|you|it)(?:['’](?:s|re)| is| are| was| were)(?: (?:so|absolutely|totally|completely|quite|very|all))? (?:right|correct|true)\b|^(?:yes,? |quite |so |very |absolutely )?(?:right|correct|true)$|\byou got (?:it|that)(?: right)?\b|\b(?:that|this)['’]s (?:it|the one)$|\b(?:i )?love (?:it|that|this)\b|\bwell (?:done|remembered|said)\b|\b(?:good|great|nice|excellent|amazing|impressive) (?:memory|job|call|answer|point|work|one)\b|\bso (?:sweet|kind|thoughtful)\b|\bi['’]m (?:so )?(?:touched|impressed)\b|^(?:absolutely|definitely|indeed)$"),
    (0.5, rf"{_LEAD}(?:{_PRAISED})(?: (?:stuff|idea|of you))?$|\b(?:that|this) (?:really |actually )?(?:helps|helped)\b|\bvery helpful\b"),
    (0.5, r"^(?:oh |ah |haha |and )?(?:yes|yeah|yep|yup|yea|uh-huh|sure)\b", True),
    (0.4, r"\b(?:thanks?|thank you|thx|ty|cheers|appreciate (?:it|that|you))\b"),
    (-0.4, r"^(?:oh |um+,? |uh,? |well,? )?(?:no|nope|nah|uh-uh)\b", True),
)  # fmt: skip
_CHINESE = _cues(
    (0.0, r"对不(?:起|住)|不好意思|(?<!不)对不对|对[吗吧]$|是不是|好不好|不是吧|对劲|不得不|(?<![答说猜讲记])对了|有没有|错过|没事|没关系|不客气|不用谢|不谢"),
    (0.6, r"(?:是我|我)(?:自己|刚才|可能|好像|大概)?(?:记|搞|弄|说|想|认|听|看)[错混]了?|是我(?:的)?错|我忘了"),
    (0.9, r"一点(?:儿)?(?:也|都)?没错|(?:说|讲|猜|答|记)(?:得)?(?:没错|(?:太|真|很|完全|都|全)?对(?:了|$)?)|没错|完全正确|太对了|就是(?:这样|这个|它|他|她|那个|那样|那天|那次)|你(?:居然|竟然|果然|真的)?(?:都|还|全)?记得|记性(?:真|太|可)?好|好记性|懂我|分毫不差"),
    (0.5, r"不错|不赖|不差|差不多"),
    (-0.9, r"(?<!我)(?:记|搞|弄|说|想|认|听|看|理解)错(?:了|人|吧|啦)?|胡说|胡扯|瞎说|瞎编|乱说|乱讲|乱编|编的|编造|扯淡|大错特错|完全(?:不对|错|不是)|根本(?:不|没)|从来(?:就)?没(?:有)?(?:说|去|做|提|讲|住|养|喜欢)|没有?这回事|哪有(?:这|的)事|才不是|没这事"),
    (-0.8, r"不对|不正确|不准确|并不是|并没有|不是这样|不是那样|不是(?:这|那)(?:个|天|次|里|家|年)|(?:^|你|这|那|都|全|又|回答|答)[^错我]{0,2}错(?:了|的|啦)|^错$|我(?:可|又|并|从)?没(?:有)?(?:说|去|做|提|讲|问|这么)|(?:搞|记|弄)混|答非所问|不是我(?:说|问|想|要)|你(?:又|都|怎么|居然|竟然)*(?:忘|不记得|没记住|记不住)|怎么(?:又|会)?(?:忘|记不)|没用|太差|太让人失望|很失望|失望|糟糕|垃圾|敷衍"),
    (-0.6, r"不是(?:的|啊|呀|啦|哦|$)|不太(?:对|准)|不完全|其实\s?(?:是|不|我|她|他|那|这)|应该是|明明|我(?:都|早|已经|不是)+(?:跟你|和你|告诉你)?(?:说|讲)(?:过|了)|离谱|什么(?:啊|呀|鬼|玩意)|无语|驴唇不对马嘴"),
    (0.8, r"正确|对的|^[嗯哈哇啊是对]*对(?:呀|啊|哦|哈|嘛|滴|对)*$|是这样|真棒|太棒|好棒|厉害|感动|贴心|完美|准确|真(?:细心|用心)|神了"),
    (0.5, r"确实|很好|真好|挺好|太好了|有道理|有用|有帮助|喜欢(?:你|这)|好感动|你真好|暖心"),
    (0.5, r"^(?:嗯)*是(?:的|啊|呀|滴)|^嗯嗯+|^当然", True),
    (0.4, r"谢谢|感谢|多谢|谢啦|谢了|辛苦"),
    (-0.4, r"^不(?:$|是$|要|行)|^没(?:有)?(?:啊|呀|$)|^哪有", True),
)  # fmt: skip
_EMOJI = _cues((0.5, "[👍❤🥰😍💯👏🥹💕]"), (-0.5, "[👎😡🙄😠💩🤬]"))

_CLAUSE = re.compile(r"[^,.!?;…~\n，。！？；～]+[,.!?;…~\n，。！？；～]*")
_OPENING_COMMA = re.compile(r"(actually|其实)[,，]\s*")
_BUT = re.compile(r"^\W*(?:but|however|though|except)\b|^\W*(?:但是|但|不过|可是|可|只是|然而)")
_NEGATED_ENGLISH = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bhardly|\bwithout)(?: (?:so|very|really|the|a|too|quite|all)){0,2} ?$"
)
_NEGATED_CHINESE = re.compile(r"(?:不|没|没有|不是|不太|不够|不怎么|不是很|谈不上)$")
_QUESTION = re.compile(r"[?？]|[吗么]\W*$")
_STRESS = re.compile(r"[!！]|\b(?:so|very|really|absolutely|totally|completely)\b|[太真超]|非常|完全|特别")


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
