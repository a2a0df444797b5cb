"""Words of an event where there is none: idioms, films and dreams, Chinese and English.

Read by those who say how much a text matters: a phone that died is no death, and what happens in a novel happened to
nobody. Read as well by those who answer: what somebody would do, if, he does not do.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

IDIOM = CaselessPattern(
    r"\b(?:(?:phone|battery|laptop|car|computer|engine|wi-?fi|signal|plants?|camera|tablet|controller|tv|gearbox|motor|washing machine|dishwasher|fridge|boiler|kettle|oven|printer|van|bike|scooter|lorry|tractor|moped|volvo|skoda|škoda|golf|polo|passat|fiesta|focus|corsa|astra|fiat|punto|panda|seat|peugeot|renault|clio|citro[eë]n|berlingo|toyota|yaris|honda|civic|mazda|nissan|micra|qashqai|hyundai|kia|bmw|audi|mercedes|merc|volkswagen|vw|ford|vauxhall|opel|subaru|suzuki|tesla|jeep|land rover|chevy|dacia|zafira|clutch|alternator|hard drive|screen|toaster|heating)\w*['’]?s? (?:just |has |had |is |totally |finally |almost )?(?:died|dies|dead|killed)|(?:almost|nearly|literally|basically|practically) (?:died|dead)(?=[^.!?\n]{0,60}\b(?:lol|lmao|rofl|haha))|died (?:laughing|of (?:laughter|embarrassment|boredom|curiosity))|died down|to die for|sick (?:beat|song|guitar|tricks?|of|moves?)|fired up|broke up laughing|moved (?:on|to tears|forward|my|the|a)|moving (?:on|forward|to tears)|accident-prone|(?:good|great|nice|amazing) job|born to|lost (?:track|count|weight|interest|sleep)|in love with (?:this|that|these|the|it)|killed it|secret (?:ingredient|recipe|santa|sauce|weapon)|breakfast in bed|married to (?:my|his|her|the) (?:job|work)|engaged in|wedding (?:song|movie|crashers)|if you (?:please|must know|ask me|like|believe it)|hospital (?:drama|show|series)|exam(?:ple|in)\w*)\b"
    r"|吃(?:不消|亏|惊|力|醋|得消)|[笑累饿热冷困渴吓气急烦忙美乐爱撑臭辣酸痛疼想慢贵丑重远晕苦咸甜吵堵]死(?:了|我|人)?|(?:无聊|羡慕|高兴|开心|尴尬|难吃|难看)死了?|死机|死党|死线|死心|天生|先生|学生|医学生|搬(?:家具|东西|箱子|砖|书|花|桌子|椅子|行李)|生日快乐"
)
UNREAL_TEXT = CaselessPattern(
    r"\b(?:in (?:the|a|this|that|my) (?:movie|film|book|novel|game|show|series|story|dream|episode|anime)|(?:movie|film|novel|game|show|series|anime|episode)s? (?:about|where|in which|is about)|i dreamt|i dreamed|imagine|if (?:i|you|he|she|we|they|only)|in the news|celebrit\w+|pretend\w*)\b"
    r"|(?:电影|小说|游戏|剧|电视|书|故事|动画|动漫)(?:里|中|讲)|梦见|梦到|如果|要是|假如|假装|新闻|明星"
)
_SUPPOSED = CaselessPattern(
    r"\b(?:if|suppose|supposing|were i to|should i ever)\b[^.!?]{0,120}(?:\b(?:would|wouldn['’]t|might)\b|['’]d\b)|(?:\b(?:would|wouldn['’]t)\b|['’]d\b)[^.!?]{0,80}\bif\b|\bwish (?:i|we|he|she|they) (?:had|was|were|could|lived|knew|did)\b"
    r"|(?:要是|如果|假如|假使|倘若|万一|有朝一日|哪天)[^。！？]{0,40}(?:就|会|该多好)"
)
_CLAUSE_MARK = LazyPattern(r"[.!?;。！？；\n]+")
# Whoever asks so asks of what might be, or under which condition something is done.
_ASKS_SUPPOSING = CaselessPattern(
    r"\b(?:if|would|wish|dream\w*|hope|hoping|want|like to|plan\w*|might|could|when|how do)\b|['’]d\b"
    r"|要是|如果|假如|万一|梦想|愿望|希望|想|打算|会|怎么|什么时候|哪天|彩票"
)


def is_supposed(text: str) -> bool:
    """Whether all that a text says, it says of what would be: nothing in it is so."""
    said = [each for each in _CLAUSE_MARK.split(text) if each.strip()]
    return bool(said) and all(_SUPPOSED.search(each) is not None for each in said)


def asks_supposing(question: str) -> bool:
    """Whether a question may be answered by what would be."""
    return _ASKS_SUPPOSING.search(question) is not None


def is_unreal(plain: str, start: int, end: int) -> bool:
    """Whether what stands there is told of a film or a dream: its clause says so."""
    low = max(plain.rfind(mark, 0, start) for mark in ",，;；—") + 1
    ends = [at for mark in ",，;；—" if (at := plain.find(mark, end)) >= 0]
    clause = plain[low : min(ends, default=len(plain))]
    found = UNREAL_TEXT.search(clause)
    # "I promised to clean if I get it back": what a condition follows is so.
    return found is not None and not (found[0].lower().startswith("if ") and found.start() > end - low)
