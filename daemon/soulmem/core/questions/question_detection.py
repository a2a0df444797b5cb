"""Question detection: whether a text asks for something, and whether it does nothing else.

Called by recall for what it is asked, and by its choice for what it found: a question that was once put, or put again,
knows no more than whoever asks. Told by the wording alone, in both languages, with or without a question mark, for
people leave it out. Pure; linear in the length of the text, of which only the beginning is read.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.text_memo import text_memo

_READ = 1_000  # characters
_SHORT_WORDS, _SHORT_HAN = 3, 4  # fewer say nothing beside a question: "Hey!", "By the way"

_WH = r"(?:what|where|who|whom|whose|when|why|how|which|wat|wheres|whats|whos|whens|hows)(?:['’](?:s|re|d|ve|ll))?"
_BE = r"(?:did|do|does|is|are|was|were|am|has|have|had|can|could|will|would|should|shall)(?:n['’]?t)?"
_SUBJECT = "(?:i|he|she|we|they|it|there|my|our|his|her|their|the)"  # "When I was nine I fell": tells
_LEAD = (
    r"(?:(?:and|so|but|or|ok|okay|hey|hi|hello|um+|well|also|then|btw|please|pls|quick question|now|wait)\b"
    r"[\s,:!.-]{0,4}){0,3}"
)
_ENGLISH = CaselessPattern(
    rf"\s*+{_LEAD}(?:(?!(?:when|where|why|how) {_SUBJECT}\b){_WH}\b(?! an? (?!\w+ (?:is|are|was|were|do|did|does)\b))"
    rf"|(?:in|on|at|for|from|with|to|by|about) (?:what|which|whom|whose|where)\b"
    rf"|{_BE} (?:i|you|u|he|she|it|we|they|there|this|that|my|your|our|his|her|their|the|any\w*|some\w*|[A-Z]\w+)\b"
    r"|(?:can|could|would|will|do) (?:you|u) (?:please )?(?:tell|remind|remember|recall|know)\b"
    r"|(?:tell|remind|show) me\b|list\b|any idea\b|remember (?:what|where|who|when|how|which|if|the name)\b"
    r"|i (?:wonder|forgot|forget|can['’]?t remember|don['’]?t (?:know|remember)) "
    r"(?:what|where|who|when|how|which|if|whether)\b)"
)
# Whoever leaves out that it was he ("Had the flu shot this morning", "have to go back") tells without a question mark.
_SUBJECT_LEFT_OUT = CaselessPattern(
    rf"\s*+{_LEAD}(?:(?:was|were|had|have|did|will|am|can|could|would)(?:n['’]?t)?|has(?= been| not)) (?:not )?"
    r"(?!(?:i|you|u|he|she|it|we|they|there|this|that|your|any\w*)\b)(?-i:[a-z])"
)
_CHINESE = LazyPattern(
    r"[吗么嘛][\s。.！!~～]*$|(?<!没)(?<!为)(?<!不知)什么(?![都也时样])|(?<![论管道得])什么时候(?!.{0,8}[都也])|为什么|为啥|干啥|啥(?:时候|名|颜色|意思)?[\s。.]*$"
    r"|(?<!无论)谁(?![都也])|哪(?!怕|吒|都|也)|多少|多大|多久|多高|多长|多重|几(?:岁|点|号|月|楼|层|口|时|次|个人|只|本|杯|斤|块)"
    r"|[周星礼]?[期拜]?几[\s。.]*$|怎么(?:样|了|回事|办|做|弄|去|走|认识)?[\s。.]*$|怎么[^都也]{1,8}的[\s。.]*$|如何|是不是|有没有|会不会|能不能|要不要|是否|何时|何地"
    r"|^(?:请|快|你|再|[跟给和]我){0,3}(?:告诉我|提醒我|说说|讲讲|列出)|(?:还)?记不记得"
)
# Behind what is told such a question asks for nothing: "…, did I say?".
_TAG = CaselessPattern(
    r"(?<=\w{2})[,，] ?(?:(?:did|have) i (?:ever )?(?:say|said|tell|told|mention)\w*[^,?]{0,20}|right|you know"
    r"|isn['’]t it|eh|huh|remember"
    r"|(?:我)?(?:跟你)?说过(?:吗|没有?)|对吧|是吧|对不对|记得[吗吧]|你信吗)[?？]+\s*$"
)
_SENTENCE = LazyPattern(r"[^.!?。！？…\n]+[.!?。！？…\n]*")
_WORD = LazyPattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
_HAN = LazyPattern("[\u3400-\u4dbf\u4e00-\u9fff]")


def is_question(text: str) -> bool:
    """Whether a text asks for something, anywhere in what is read of it."""
    return _is_question(text[:_READ])


@text_memo(64)  # one recall asks it of its query several times
def _is_question(text: str) -> bool:
    return any(_asks(sentence) for sentence in _sentences(text))


def only_asks(text: str) -> bool:
    """Whether a text asks and tells nothing beside."""
    asked = False
    for match in _SENTENCE.finditer(text, 0, _READ):  # most texts are told by their first one
        sentence = _TAG.sub(".", match[0])
        if _asks(sentence) and (_is_marked(sentence) or _SUBJECT_LEFT_OUT.match(sentence) is None):
            asked = True
        elif not _is_short(match[0]):
            return False
    return asked


def _sentences(text: str) -> list[str]:
    return [each for each in _SENTENCE.findall(text[:_READ]) if each.strip()]


def _asks(sentence: str) -> bool:
    if _is_marked(sentence):
        return True
    if _ENGLISH.match(sentence):
        return not sentence.rstrip().endswith(("!", "！"))
    return _HAN.search(sentence) is not None and _CHINESE.search(sentence.strip()) is not None


def _is_marked(sentence: str) -> bool:
    """Whether it ends in a question mark, for nothing else does it hold one."""
    return "?" in sentence or "？" in sentence


def _is_short(sentence: str) -> bool:
    if _is_marked(sentence):
        return False
    han = len(_HAN.findall(sentence))
    return han < _SHORT_HAN if han else len(_WORD.findall(sentence)) < _SHORT_WORDS
