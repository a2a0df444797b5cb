"""What the wording of a question tells without a model: how deep to look, what it leans to, how its asker feels.

Read for every recall by `working/recall/query_guidance.py`, and by `analyse_query.py` without a model (algorithms.md §3.2).
All is told by words and punctuation, in Chinese, English and mixed text alike.
Invariants: a leaning adds up to 1; valence lies in -1..1, arousal and impatience in 0..1, whatever mood is given.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import islice

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.schema.engine_tasks import Depth, Leaning, Mood

IMPATIENT = 0.7  # from here on less is looked at (§3.2)
_SHORT_WORDS, _SHORT_CHARACTERS = 8, 15
_CJK_CLASS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_CJK = LazyPattern(f"[{_CJK_CLASS}]")
_UNIT = LazyPattern(rf"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?|\d+(?:[.,:]\d+)*|[{_CJK_CLASS}]")

_NAME = r"(?:,? (?-i:[A-Z]\w+)|,? (?:there|everyone|all|guys|mate|buddy|dear|friend))?"
_COURTESY = CaselessPattern(
    r"(?:(?:hey|hi|hello|hiya|yo|howdy|good (?:morning|evening|afternoon|night)|morning|welcome back|nice to (?:see|meet|hear from) you|"
    rf"long time no (?:see|talk)|bye(?: bye)?|goodbye|see (?:you|ya)(?: (?:soon|later|tomorrow|around))?|talk (?:to you )?(?:soon|later)|good ?night|take care|sleep well){_NAME}"
    rf"|(?:ok(?:ay)? |okay )?(?:thanks?|thank you|thx|ty|cheers)(?: (?:so much|a lot|very much|again|anyway|for (?:that|this|everything|asking|your help|the help)|you))*{_NAME}"
    r"|(?:how (?:are|r) (?:you|u|ya)(?: doing)?(?: today)?|how(?:['’]s| is) (?:it going|everything|life)|how have you been|what['’]?s (?:up|new)|sup)|(?:i['’]m |i am )?(?:fine|good|great|ok(?:ay)?|well)(?: thanks| thank you)?"
    r"|ok(?:ay)?|k+|alright|all right|sure|fine|cool|nice|great|good|perfect|awesome|amazing|wow|lol|lmao|(?:ha)+h?|he(?:he)+|hmm+|uh+|um+|ah+|oh+|aww*|yes|yeah|yep|yup|no|nope|nah|got it|i see|(?:i )?understand|right|true|really|no (?:problem|worries)|you['’]?re welcome|me too|same here|sounds (?:good|great)|that['’]?s (?:great|good|nice|cool|awesome)|congrat\w*|good luck|have (?:a )?(?:fun|(?:good|great|nice) (?:day|night|one|time|weekend))"
    r"|(?:你好|您好|大家好|哈喽|哈啰|嗨|嘿|喂|早安|早上好|上午好|中午好|下午好|晚上好|晚安|早|再见|拜拜|回头见|明天见|回头聊|好久不见|在吗|在不在|在么|"
    r"谢谢(?:你|您|啦|了|大家)?|感谢(?:你|您)?|多谢(?:你|您|啦|了)?|谢啦|谢了|不客气|不用谢|没事(?:的|了)?|没关系|好(?:的|啊|呀|吧|嘞|滴|哒)?|行(?:吧|啊)?|可以(?:的|啊)?|"
    r"嗯{1,40}|哦{1,40}|噢{1,40}|喔{1,40}|啊{1,40}|呵{1,40}|哈{1,40}|嘻{1,40}|哇{1,40}|是吗|是(?:的|啊|呀)?|对(?:的|啊|呀)?|没错|当然|加油|恭喜(?:你|啦)?|辛苦(?:了|啦)?|厉害|太棒了|真棒|不错|收到|明白(?:了)?|知道(?:了|啦)?|懂了|了解|"
    r"真的(?:吗|假的|呀)?|是吗|原来如此|这样啊|你(?:最近|今天)?(?:还)?好吗|你?(?:最近|今天)(?:过得)?(?:还)?(?:怎么样|好吗|如何)|吃了吗|睡了吗|祝你好运|注意身体|保重))"
    r"(?:[\W_呀啊哦啦吧呢喽~～]+|$|(?=[\u4e00-\u9fff]))"
)
_GREETING = CaselessPattern("(?:hi|hey|hello|thanks|thank|谢谢|你好|您好|嗨)")
_CLOSING = tuple(",.!?~…，。！？、～")
_BETWEEN = " \t\r\n,.!?~…，。！？、～"
_DEEP = CaselessPattern(
    r"\bwhy\b|\bhow come\b|\bhow (?:did|does|do|has|have|had|could|would|is it|was it|can it)\b(?! (?:i|you|one|we) (?:make|do|cook|get|set|fix|use|bake|build|install)\b)|\bcompar\w+|\bdifferen(?:ce|t)s?\b(?= (?:between|from))|\bthink (?:carefully|hard|about it|it through|twice)|\btake your time\b|\bin (?:more )?detail\b|\bsummar\w+|\brecap\b|\boverview\b|\beverything (?:you|about|i|we|that)\b|\ball (?:that |the things )?(?:you know|i(?:['’]ve)? told|we(?:['’]ve)? (?:said|done|talked))|\bexplain\b|\breasons? (?:for|why|that|behind)\b|\brelationship (?:between|of|with)\b|\bchanged? (?:since|over|between)\b|\bover the (?:years|months)\b|\banaly[sz]e\b"
    r"|为什么|为何|为啥|怎么会|怎么(?:就|变|看待|回事)|(?:仔细|好好|认真|慢慢|再)(?:地)?(?:想|回忆|回想)|想清楚|(?:^|[，,请帮我你来])(?:总结|概括|归纳|回顾|分析|解释)|(?:总结|概括|归纳|回顾|分析|解释)(?:一下|下)|比较|对比|区别|(?:什么|有何|哪些)不同|详细(?:地)?(?:说|讲|告诉|介绍|描述)|原因|来龙去脉|前因后果|所有(?:的)?(?:事|关于)|一切|全部|之间的关系|关系(?:怎么样|如何)|(?:什么|哪些|怎样的?)变化|怎么变"
)
_LOOK_UP = CaselessPattern(
    r"\b(?:what|where|who|when|which|whose|how (?:many|much|old|long|often|tall|far)|is|are|was|were|do|does|did|has|have|can)\b|什么|哪|谁|几|多少|多大|何时|吗|么|是不是|有没有"
)
_BROAD = CaselessPattern(
    r"\bwhat (?:did|have|has) (?:i|we|he|she|they|you|\w+) (?:do|done|been)\b|\bwhat happened\b|\btell me about\b|\bhow (?:to|do i|do you|can i)\b|做了(?:什么|些)|发生|怎么[做弄办]|如何|说说|讲讲"
)
_LINKED = CaselessPattern(
    r"['’]s\b[^?]*['’]s\b|\bof (?:my|his|her|their|the)\b[^?]*\bof\b|的[^的？]{1,8}的[^的？]{1,8}的|\b(?:who|that|which) (?:i|he|she|they|we)\b"
)

_LEANS: tuple[tuple[str, LazyPattern], ...] = tuple(
    (kind, CaselessPattern(words))
    for kind, words in (
        ("specific", r"\b(?:when|where)\b|\b(?:last time|that (?:day|night|time|evening)|the (?:day|night|time|evening) (?:when|we|i|that)|what happened|exactly|remember (?:when|the time))\b|什么时候|何时|哪(?:天|次|年|里|儿)|那(?:天|次|晚|时候)|上(?:次|回)|在哪|发生(?:了)?什么|记得那"),
        ("abstract", r"\b(?:usual(?:ly)?|in general|generally|typical(?:ly)?|normally|always|often|tend to|habits?|overall|most of the time|on the whole|over the years|what kind of person)\b|一般|通常|平时|平常|往往|经常|总是|总体|习惯|大致|大概都|什么样的人"),
        ("semantic", r"\b(?:who|what) (?:is|are|was|were)\b|\b(?:who|what)['’]s\b|\bwhich\b|\b(?:name|birthday|favou?rite|job|age|address|allerg\w+|called|mean(?:s|ing)?|definition)\b|是什么|是谁|叫什么|什么意思|名字|生日|最喜欢|喜欢(?:什么|吃|喝|哪)|职业|工作|年龄|多大|过敏|哪里人|什么是"),
        ("procedural", r"\bhow (?:to|do i|do you|can i|should i|do we|would i)\b|\b(?:steps?|recipe|procedure|instructions?|way to|method)\b|怎么(?:做|弄|办|用|写|走|煮|烧|修|学|样才能|才能|去|处理|操作|安装)|如何|步骤|做法|方法|流程|教我|配方"),
    )
)  # fmt: skip
_CUE, _MOST_CUES = 0.35, 2

_HURRIED = CaselessPattern(
    r"(?:^|[.!?,;:] ?)(?:please |pls |just )?(?:be |make it |real |and )?(?:quick(?:ly)?|fast|hurry(?: up)?)\b|\bquick (?:question|answer|one)\b|\b(?:asap|a\.s\.a\.p|hurry up|just (?:tell|answer|say|give)(?: me)?|get to the point|right now|cut to the chase|(?:i['’]m |i am )?in a (?:hurry|rush)|no time|(?:answer|tell me|reply) (?:quickly|fast|now|already))\b|\bquick(?:ly)?[!.,?]*$"
    r"|(?:^|[，,。！!？?\s])(?:请|麻烦|你)?(?:快|快点|快些|赶紧|赶快|马上|立刻|立即|速度)(?:儿)?(?:点)?(?:说|讲|告诉|回答|回|想|查|啊|吧|呀|的|给)?(?=[，,。！!？?\s啊吧呀我]|$)|快点(?:说|讲|告诉|回答|想)|赶紧(?:说|告诉|回答)|别(?:磨叽|废话|啰嗦|拖|绕)|直接(?:说|告诉|回答)|急死|着急|我(?:很|好|特别)急|等不及|没时间"
)
_FED_UP = CaselessPattern(
    r"\b(?:come on|for the (?:\w+th|last|third|tenth) time|i(?:['’]ve)? already (?:told|asked|said)|again\?|how many times|ugh+|seriously|hello\?)|说了多少遍|到底|又忘|都(?:说|问)(?:了)?(?:几|多少|好几)?遍|烦不烦|怎么还"
)
_GLAD = CaselessPattern(
    r"\b(?:yay+|woohoo|happy|glad|excited|great news|love (?:it|this|you)|so good|grateful|proud|thrilled|awesome|amazing|wonderful|haha+|can['’]t wait)\b|开心|高兴|太好了|太棒|激动|期待|幸福|哈哈|嘿嘿|好耶|骄傲|[😀😂🤣😊😍🥰🎉❤👍]"
)
_SORRY = CaselessPattern(
    r"\b(?:sad|upset|angry|furious|worried|scared|afraid|anxious|lonely|depressed|devastated|heartbroken|tired|exhausted|stressed|ugh+|damn|terrible|awful|horrible|crying|cried|hate|miss (?:him|her|them|you|my)|sick of|annoy\w+|hurts?|died|passed away)\b|难过|伤心|生气|气死|担心|害怕|焦虑|孤独|崩溃|烦|讨厌|累|压力|郁闷|糟糕|绝望|想哭|哭|难受|想念|去世|失恋|[😢😭😡😠😞😔💔]"
)
_IN_HASTE = CaselessPattern(
    r"\b(?:im|no )patien\w*|\bhurr(?:y|ied)\b|\brush(?:ed)?\b|\brestless\b|\bbusy\b|\bfed up\b|不耐烦|急躁|着急|很急|赶时间|匆忙|烦躁"
)
_HASTE = 0.8  # of somebody who is said to be in haste
_FIGURES = {
    "valence": "valence", "arousal": "arousal", "impatience": "impatience",
    "效价": "valence", "唤醒": "arousal", "唤醒度": "arousal", "不耐烦": "impatience",
}  # fmt: skip
_MOST_STATES, _LONGEST_STATE = 16, 200  # of one mood, and characters of one
_CAPITALS = LazyPattern(r"\b[A-Z]{4,}\b")
_DRAWN_OUT = CaselessPattern(r"([a-z])\1{2,}|([啊呜哈呀])\2{2,}")


def without_courtesy(text: str) -> str:
    """The text without the greetings, thanks and acknowledgements it opens with; empty if it is nothing else."""
    at = cut = len(text) - len(text.lstrip(_BETWEEN))
    while match := _COURTESY.match(text, at):
        at = match.end()
        # What no mark closes may be the beginning of a sentence ("great places", 好吃, 早就).
        if match[0].rstrip()[-1:] in _CLOSING or _GREETING.match(match[0]):
            cut = at
    left = text[at:].strip(_BETWEEN)
    return text[cut:].strip() if any(char.isalnum() for char in left) else ""


def mood_of(text: str) -> Mood:
    """The asker's state as the wording shows it."""
    marks = len(re.findall(r"[!！]", text))
    asked = len(re.findall(r"[?？]{2,}", text))
    excited = 0.2 + 0.15 * min(marks, 3) + 0.1 * min(asked, 2) + 0.2 * bool(_CAPITALS.search(text))
    excited += 0.1 * bool(_DRAWN_OUT.search(text))
    glad, sorry = len(_GLAD.findall(text)), len(_SORRY.findall(text))
    turned = sum(_negated(text, match) for match in _GLAD.finditer(text))
    valence = (glad - 2 * turned - sorry) / 2
    hurried, fed_up = _HURRIED.search(text) is not None, _FED_UP.search(text) is not None
    impatience = 0.75 * hurried + (0.2 if hurried else 0.5) * fed_up + 0.15 * min(asked, 2) + 0.05 * min(marks, 3)
    excited += 0.15 * bool(glad or sorry) + 0.15 * hurried
    return Mood(
        round(max(-1.0, min(1.0, valence - 0.3 * fed_up)), 3),
        round(min(1.0, excited), 3),
        round(min(1.0, impatience), 3),
    )


def given_mood(told: str) -> Mood:
    """A mood as a client gave it, JSON of words and figures under names; what says nothing known is no mood.

    A figure under `valence`, `arousal` or `impatience` counts as it is, one under another word for a state as how much
    of that state there is.
    """
    try:
        given = json.loads(told) if told else {}
    except ValueError:
        given = {"mood": told}
    if not isinstance(given, dict):
        given = {"mood": given}
    mood = Mood()
    for name, value in islice(given.items(), _MOST_STATES):
        if isinstance(value, str):
            read, share = _state(value[:_LONGEST_STATE]), 1.0
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            if (figure := _FIGURES.get(name.strip().lower())) is not None:
                least = -1.0 if figure == "valence" else 0.0
                mood = replace(mood, **{figure: max(least, min(1.0, float(value)))})
                continue
            read, share = _state(name[:_LONGEST_STATE]), max(0.0, min(1.0, float(value)))
        else:
            continue
        mood = both_moods(mood, Mood(share * read.valence, share * read.arousal, share * read.impatience))
    return mood


def both_moods(one: Mood, other: Mood) -> Mood:
    """Two moods at once: what they feel adds up, the stronger arousal and impatience count."""
    return Mood(
        max(-1.0, min(1.0, one.valence + other.valence)),
        max(one.arousal, other.arousal),
        max(one.impatience, other.impatience),
    )


def _state(words: str) -> Mood:
    """A state in words; one that they do not tell is calm."""
    read = mood_of(words)
    if not (_GLAD.search(words) or _SORRY.search(words) or _IN_HASTE.search(words)):
        return Mood()
    return replace(read, impatience=_HASTE) if _IN_HASTE.search(words) else read


def _negated(text: str, match: re.Match[str]) -> bool:
    ahead = text[max(0, match.start() - 12) : match.start()]
    return re.search(r"(?:\bnot|n['’]t|\bnever)(?: \w+)? $|[不没](?:太|很|是)?$", ahead, re.IGNORECASE) is not None


def leaning_of(text: str, *, is_dated: bool) -> Leaning:
    """Uniform, tilted by the cue words found, and by a date."""
    weights = {
        kind: 0.25 + _CUE * min(_MOST_CUES, len({match[0].lower() for match in words.finditer(text)}))
        for kind, words in _LEANS
    }
    weights["specific"] += _CUE / 2 * is_dated
    whole = sum(weights.values())
    first = {kind: round(weight / whole, 4) for kind, weight in weights.items() if kind != "specific"}
    return Leaning(specific=round(1.0 - sum(first.values()), 4), **first)


def depth_of(text: str, parts: int, mood: Mood) -> Depth:
    """How hard to look for an answer to a question that is one; an impatient asker gets one step less."""
    depth = Depth.NORMAL
    if _DEEP.search(text):
        depth = Depth.DEEP
    elif parts < 2 and _is_short(text) and not (_LINKED.search(text) or _BROAD.search(text)):
        depth = Depth.SKIM if _LOOK_UP.search(text) or not _asks(text) else Depth.NORMAL
    if mood.impatience >= IMPATIENT:
        depth = {Depth.DEEP: Depth.NORMAL}.get(depth, Depth.SKIM)
    return depth


def _is_short(text: str) -> bool:
    characters = len(_CJK.findall(text))
    return characters <= _SHORT_CHARACTERS and len(_UNIT.findall(text)) - characters <= _SHORT_WORDS


def _asks(text: str) -> bool:
    return re.search(r"[?？]|\b(?:how|which)\b|[吗呢么怎]", text, re.IGNORECASE) is not None
