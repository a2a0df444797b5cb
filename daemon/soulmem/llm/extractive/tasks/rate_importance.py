"""Rating importance 1..10 without a model: what kind of event a text tells of, and how it is told (algorithms.md §8.2).

The level is that of the weightiest event found (a death 9, a wedding 8, a new home 7, an exam 6), else that of its
topic (`life_topics.WEIGHT`), else 3 for a statement, 2 for daily routine, 1 for small talk and idleness. First person,
feeling, dates, numbers, novelty and length add at most 2; what is asked, denied, dreamt, or seen in a film is less.
Text in a script that none of the word lists can read gets the fail-safe 4.
"""

# A level and its words stand on long lines, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.dates.date_parser import find_dates
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.importance.retention_periods import Level
from soulmem.core.schema.engine_tasks import ImportanceRequest, Labelled
from soulmem.core.wordlists.fictional_events import IDIOM, UNREAL_TEXT
from soulmem.llm.extractive.language.chinese_lexicon import CHINESE
from soulmem.llm.extractive.language.content_words import amount, content_terms
from soulmem.llm.extractive.language.english_lexicon import ENGLISH
from soulmem.llm.extractive.language.lexicon import Lexicon
from soulmem.llm.extractive.language.life_topics import WEIGHT
from soulmem.llm.extractive.language.sentence_splitter import CJK, sentences_of
from soulmem.llm.extractive.wording.comparable_wording import LOOKED_AT, numbers_in, subject_terms, without_day

UNREADABLE = 4
_IDLE, _ROUTINE, _PLAIN, _VITAL = 1, 2, 3, 8
_EVENT = 6  # from here on a level is an event's, not a topic's
_MOST_EXTRA = 2.0
_UNREAL = 4  # the most that a question, a dream or a film is worth
_LONG = 12.0  # words of content
_MOST_SENTENCES = 12
_ALIKE = 0.9  # share of the terms that an earlier item of the batch holds too

_EVENTS: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (level, re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE))
    for level, english, chinese in (
        (
            9,
            r"died|dies|passed away|death of|funeral|killed|suicide|miscarr\w+|stillb\w+|murdered|lost (?:my|his|her|their|our|\w+['’]s) (?:mom|mum|mother|dad|father|wife|husband|son|daughter|baby|sister|brother|grand\w+)",
            r"去世|过世|离世|病逝|逝世|葬礼|牺牲了|自杀|流产|(?:妈妈?|爸爸?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|丈夫|妻子|儿子|女儿|哥哥?|姐姐?|弟弟?|妹妹?|朋友|猫|狗)死了",
        ),
        (
            8,
            r"(?:got|getting|get|were|was|are|is|be) married|marri(?:ed|es) \w+|wedding|(?:got|are|is|['’]re|['’]m|am|was) engaged|engaged to|proposed(?: to (?:me|him|her|\w+)|$|\.)|divorc\w+|separated from|pregnant|gave birth|newborn|was born|expecting (?:a|our|their|twins)|adopted a (?:son|daughter|child|baby|boy|girl)|cancer|diagnos\w+|(?:had|has|suffered) a (?:stroke|heart attack)|surgery|operation on|intensive care|coma|tumou?r|(?:car|bike|traffic|serious|bad|terrible) (?:crash|accident)|house (?:burned|burnt)|arrested|prison|assaulted|raped",
            r"结婚|婚礼|订婚|求婚|离婚|怀孕|怀上|出生了|生了(?:个|一个|一对|孩子|宝宝|女儿|儿子|二胎|双胞胎)|癌|确诊|中风|心梗|做(?:了)?(?:个|大|小)?手术|住院|车祸|抢救|坐牢|被捕|家里着火",
        ),
        (
            7,
            r"broke up|break-?up|broken up|dumped (?:me|him|her)|allerg\w+|hospital|fired from|(?:got|was|been|were|is) (?:fired|laid off|hired|promoted)|laid off|(?:lost|quit|left|leaving|quitting) (?:my|his|her|their|the) job|new job|(?:got|landed) (?:the|a) job|resign\w*|retir(?:ed|es|ing)|graduat\w+|got into (?:college|university|med\w*|law|grad\w*|\w+ university)|accepted (?:to|into|by|at)|moved (?:to|in with|into|out|here|away|from|back)|moving (?:to|in with|out|house|away|back)|bought (?:a|our|my) (?:first )?(?:house|flat|apartment|home)|bankrupt\w*|in debt|emigrat\w+|in love|falling for|betray\w+|cheat(?:ed|ing) on|ran away|depress(?:ed|ion)|scholarship|disabled|promis(?:ed?|es)|swear (?:to|that|i)|swore|vow(?:ed|s)?|(?:tell|told|keep|kept|my|a|our) secrets?|never (?:tell|told) anyone|broke (?:my|his|her) (?:arm|leg|ankle|wrist|hip|back|neck)",
            r"分手|失恋|过敏|骨折|重伤|辞职|离职|失业|被裁|裁员|被?开除|炒鱿鱼|升职|跳槽|入职|录取|考上|毕业|退休|搬家|搬到|搬去|搬走|搬来|买房|买了(?:一?套)?房|破产|欠债|欠了|移民|留学|表白|告白|恋爱|在一起了|爱上了|背叛|出轨|抑郁|保证|发誓|答应|承诺|约定|说好了|一言为定|秘密|离家出走|退学|被骗|奖学金",
        ),
        (
            6,
            r"exams?|job interview|interview(?:ed)? (?:at|for|with)|thesis|started (?:school|college|university|my own|her own|his own|a business|a company)|founded|injur\w+|(?:very|really|so|seriously|been|got|fell|is|was|feeling) (?:sick|ill)|illness|(?:had|got into|having) an? (?:big |huge |terrible )?(?:fight|argument|quarrel)|fought with|quarrel\w+|stolen|stole|robbed|burgl\w+|award|medal|prize|trophy|published|championship|marathon|birthday|anniversary|(?:my|his|her|\w+['’]s) name is|call me|lives? in|adopted|got a (?:dog|cat|puppy|kitten)|first (?:date|kiss|concert|novel|book|job)|won (?:the|a|an|first|second|\d+)",
            r"考试|高考|考研|中考|期末|面试|论文|答辩|生病|病倒|发(?:高)?烧|受伤|吵架|吵了|大吵|冷战|打架|被偷|偷了|获奖|得奖|冠军|亚军|金牌|银牌|出版|创业|开了(?:一?家|自己)|生日|纪念日|我叫|名字(?:是|叫)|住在|领养|收养|养了|马拉松|第一次(?:约会|演出|上台)|赢了|怕失去",
        ),
    )
)
_ROUTINES = re.compile(
    r"\b(?:woke up|wakes? up|brush(?:ed|ing|es) (?:my|his|her|their)? ?teeth|ma(?:de|kes) (?:the |my |his |her )?(?:bed|breakfast|lunch|dinner|coffee|tea)|got dressed|(?:took|takes) a (?:shower|bath|nap)|(?:had|have|has|eats?|ate) (?:breakfast|lunch|dinner|a snack|a sandwich|cereal|toast)|(?:went|goes) to (?:bed|sleep)|slept|is sleeping|commut\w+|did the (?:dishes|laundry)|does the (?:dishes|laundry)|doing (?:the )?(?:dishes|laundry)|bought groceries|watch(?:ed|ing|es) (?:tv|television)|walk(?:ed|s|ing) the dog|cleaned (?:the|my) (?:room|kitchen|desk)|wait(?:ed|ing|s) for the (?:bus|train))\b"
    r"|起床|刷牙|洗脸|洗澡|吃(?:了|过|完)?(?:早|午|晚|夜)?(?:饭|餐|宵)|喝了(?:杯|点)?(?:水|咖啡|茶)|睡觉|睡了|睡醒|洗衣服|洗碗|买菜|遛狗|看电视|打扫|等(?:公交|地铁|车)|上厕所",
    re.IGNORECASE,
)
_IDLE_TEXT = re.compile(
    r"\W*+(?:[\w ]{0,24}\b(?:is|am|are|was|['’]m) (?:idle|idling|doing nothing|bored|just chilling)|idle|nothing (?:much|new|special)?)\W*+"
    r"|\s*+\S{0,8}(?:发呆|闲着|没事(?:做|干)|无聊|空闲|什么(?:也|都)没做)\S{0,2}\W*+",
    re.IGNORECASE,
)
_DENIED_AHEAD = re.compile(
    r"(?:\b(?:not|never|no|nobody|without|no one)|n['’]t)(?: [\w'’]+){0,2} ?$|(?:不|没|没有|未|别|不会|没人)$",
    re.IGNORECASE,
)
_NOVEL = re.compile(
    r"\b(?:first time|for the first|finally|never (?:before|thought)|at last|out of nowhere|unexpected\w*|suddenly)\b|第一次|首次|终于|从没想到|没想到|突然|竟然|居然",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:i['’]ll (?:always|never)|i will (?:always|never)|forever|for the rest of (?:my|our)|never forget|most important|changed my life|i owe)\b|永远|一辈子|一生|这辈子|绝不|改变了我|最重要|再也不",
    re.IGNORECASE,
)
_STRONG_FEELING = re.compile(
    r"\b(?:devastat\w+|heartbroken|terrified|furious|overjoyed|ecstatic|thrilled|desperate|ashamed|cried|crying|sobbing|in tears|grieving|panic\w*|so (?:happy|sad|angry|proud|scared|excited|lonely)|hate (?:him|her|myself|them)|love you)\b|崩溃|绝望|哭了|大哭|痛哭|心碎|气死|吓坏|激动|太?(?:难过|伤心|害怕|开心|高兴|幸福|生气|孤独)了|特别(?:难过|开心|害怕|生气)|我(?:好)?爱你|恨",
    re.IGNORECASE,
)
_READABLE = re.compile(r"[A-Za-z]{2}|[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")


def rate(request: ImportanceRequest) -> tuple[int, ...]:
    """A whole number 1..10 for each item, in order; what repeats an earlier item of the batch counts one less."""
    persona = content_terms(request.cast.persona[:LOOKED_AT])
    rated: list[int] = []
    heard: list[frozenset[str]] = []
    for item in request.items:
        score, terms = _rate(item, persona), subject_terms(without_day(item.text))
        repeated = len(terms) >= 3 and any(len(terms & other) >= _ALIKE * len(terms | other) for other in heard)
        rated.append(max(_IDLE, score - 1) if repeated else score)
        heard.append(terms)
    return tuple(rated)


def _rate(item: Labelled, persona: frozenset[str]) -> int:
    text = without_day(item.text).strip()
    if not any(char.isalnum() for char in text):
        return _IDLE
    if not _READABLE.search(text) or len(_KANA.findall(text)) > len(text) // 4:
        return UNREADABLE
    vital = _VITAL if weigh(text, item.at_ms).level is Level.VITAL else _IDLE
    told = [sentence.text for sentence in sentences_of(0, text)[:_MOST_SENTENCES]] or [text]
    level = max(_level(sentence) for sentence in told)
    if level <= _ROUTINE:
        return max(level, vital)
    extra = _extra(text, item.at_ms, event=level >= _EVENT)
    extra += 0.5 * (len(content_terms(text) & persona) >= 2)
    return max(vital, min(10, int(level + min(extra, _MOST_EXTRA) + 0.5)))


def _level(sentence: str) -> int:
    """What a sentence tells of, without how it is told."""
    plain = IDIOM.sub(" ", sentence)
    unreal = UNREAL_TEXT.search(sentence) is not None or sentence.rstrip("\"'”’) ").endswith(("?", "？", "吗", "呢"))
    for level, words in _EVENTS:
        match = words.search(plain)
        if match is not None:
            denied = _DENIED_AHEAD.search(plain[max(0, match.start() - 24) : match.start()]) is not None
            stated = max(_PLAIN, level - 4) if denied else level
            return min(stated, _UNREAL) if unreal else stated
    if _IDLE_TEXT.fullmatch(sentence) or _is_small_talk(sentence):
        return _IDLE
    if _ROUTINES.search(sentence):
        return _ROUTINE
    topics = [WEIGHT[topic] for lexicon in _lexicons(plain) for topic in lexicon.topics_of(plain)]
    least = _PLAIN if amount(content_terms(plain)) >= 1 else _ROUTINE
    level = int(2 + 4 * max(topics, default=0.0) + 0.5) if topics else least
    return min(level, _PLAIN) if unreal else min(level, _EVENT - 1)


def _lexicons(text: str) -> tuple[Lexicon, ...]:
    """A mixed text is read in both languages."""
    return (CHINESE, ENGLISH) if CJK.search(text) else (ENGLISH,)


def _is_small_talk(sentence: str) -> bool:
    if any(char.isdigit() for char in sentence) or amount(content_terms(sentence)) >= 3:
        return False
    return any(lexicon.small_talk.fullmatch(sentence) is not None for lexicon in (ENGLISH, CHINESE))


def _extra(text: str, at_ms: int, *, event: bool) -> float:
    """What the telling adds: who tells it, how strongly, how exactly. Plain statements gain by it half as much."""
    lexicons = _lexicons(text)
    extra = 1.0 * any(lexicon.first_person.search(text) for lexicon in lexicons) * event
    feeling = max(abs(lexicon.valence(text)) for lexicon in lexicons)
    extra += 1.0 if _STRONG_FEELING.search(text) else 0.5 * (feeling >= 0.6)
    extra += 0.25 * bool(re.search(r"[!！]", text))
    extra += 1.0 * bool(_LASTING.search(text)) + 0.5 * bool(_NOVEL.search(text))
    extra += 0.25 * bool(find_dates(text, at_ms)) + 0.25 * bool(numbers_in(text))
    extra += 0.5 * (amount(content_terms(text)) >= _LONG)
    return extra if event else extra / 2 + 0.5 * bool(_LASTING.search(text))
