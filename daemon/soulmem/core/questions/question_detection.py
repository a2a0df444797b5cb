"""Question detection: whether a text asks for something, and whether it does nothing else.

Called by recall for what it is asked, and by its choice for what it found: a question that was once put, or put again,
knows no more than whoever asks. Told by the wording alone, in both languages, with or without a question mark, for
people leave it out. Pure; linear in the length of the text, of which only the beginning is read.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.tense.english_verb_forms import READ_AS_PAST
from soulmem.text_memo import text_memo

_READ = 1_000  # characters
_CLAUSE = 300  # of a clause before one that asks
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
# A clause before the one that asks, as far as it tells something: "we've got a dog called Rex, do you like dogs?"
_CLAUSES = LazyPattern(r"[,，;；]\s*|\s[-–—]+\s")
_NO_STATEMENT = CaselessPattern(
    rf"\s*+{_LEAD}(?:(?:if|whether|unless|suppose|say|in case|given|assuming|as|since|because|after|before|once|while"
    r"|until|for|about|with|you|your|u|(?:the )?(?:last|next|first|other|every|each) (?:time|day|week|month|year)"
    r"|the (?:time|day|one|week))\b"
    r"|i(?:['’]m| (?:was|am|have|had))? ?(?:just )?(?:wonder|curious|ask|a question|(?:to|need to) know)"
    r"|i(?:['’]d| would| want)? (?:like|want|need|love)? ?to (?:know|ask)|i (?:forgot|forget|need your|just need)\b)"
)
_ASKS_WITHIN = CaselessPattern(rf"\b{_WH}\b(?! (?:i|we|he|she|they|it|my)\b)|\b(?:remember|no idea)\b")
_FINITE = CaselessPattern(
    r"(?<=\w)(?:['’](?:s|m|re|ve|ll|d)\b| (?:(?:am|is|are|was|were|has|have|had|got|gets|can|can['’]?t|will|won['’]?t"
    r"|would|does|doesn['’]?t|don['’]?t|didn['’]?t|isn['’]?t|want|wants|like|likes|love|loves|hate|hates|need|needs|lives?|works?"
    r"|starts?|comes?|goes|says?|thinks?|plays?|takes?|makes?|keeps?|lands?|leaves?|means|costs?|sleeps?|eats?|drinks?"
    rf"|{'|'.join(sorted(READ_AS_PAST))}|\w{{2,}}ed)\b))"
)
_NO_STATEMENT_ZH = LazyPattern(
    r"^\W*(?:如果|要是|假如|万一|要不|等|当|比如|例如|关于|至于|对于|你|您|请|麻烦|那[个么天次]?(?![^，]{0,3}我))|想问|问[你您一]|不知道"
    r"|忘了|好奇|记不|还记得"
)
_STATES_ZH = LazyPattern(r"^\W*(?:我|咱|俺|他|她|它)|[了过在是有叫姓住去来要会给跟把被没不着]")
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
        asks = _asks(sentence) and (_is_marked(sentence) or _SUBJECT_LEFT_OUT.match(sentence) is None)
        if asks and not _tells_before(sentence):
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


def _tells_before(sentence: str) -> bool:
    """Whether a sentence that asks tells something before: "I start on Monday, can you wish me luck?"."""
    return any(_tells(clause[:_CLAUSE]) for clause in _CLAUSES.split(sentence)[:-1])


def _tells(clause: str) -> bool:
    han = len(_HAN.findall(clause))
    if han:
        asks = _CHINESE.search(clause.strip()) is not None or _NO_STATEMENT_ZH.search(clause) is not None
        return han >= _SHORT_HAN and not asks and _STATES_ZH.search(clause) is not None
    if len(_WORD.findall(clause)) < _SHORT_WORDS or _ENGLISH.match(clause) or _NO_STATEMENT.match(clause):
        return False
    return _FINITE.search(clause) is not None and _ASKS_WITHIN.search(clause) is None


def _is_marked(sentence: str) -> bool:
    """Whether it ends in a question mark, for nothing else does it hold one."""
    return "?" in sentence or "？" in sentence


def _is_short(sentence: str) -> bool:
    if _is_marked(sentence):
        return False
    han = len(_HAN.findall(sentence))
    return han < _SHORT_HAN if han else len(_WORD.findall(sentence)) < _SHORT_WORDS
