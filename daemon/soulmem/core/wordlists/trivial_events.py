"""Words of what nobody is expected to remember, and of what lends a plain statement weight, Chinese and English.

Read by `importance_rating` alone, beside `important_events`. What is trifling is about the weather, a meal, a chore, a way to work,
an evening on the sofa, a passing state of the body or a thing that does not work. Patterns are flat.
"""

# ruff: noqa: E501 (a row stands on long lines, as a table)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.word_file import read_rows
from soulmem.core.wordlists.important_events import Reason, words_of

_ROWS = [
    (Reason[reason.upper()], float(weight), words_of(english, chinese))
    for reason, weight, english, chinese in read_rows("core/wordlists/trivial_events.txt", {})
]
TRIFLES = tuple((reason, words) for reason, weight, words in _ROWS if not weight)
# A plain statement weighs more with some of these.
WEIGHTS = tuple(row for row in _ROWS if row[1])
# What holds for now only.
PASSING = words_of(
    r"just|right now|at the moment|currently|this (?:morning|afternoon|evening)|tonight|today|later|in a (?:bit|minute|sec)|again|typical|lol|ugh|meh|for once|as usual|on the way|since lunch|all day|by accident",
    r"刚刚?|刚才|现在|待会|一会儿?|今天|今晚|今早|昨晚|早上|中午|下午|又|随便|顺便|先|服了|哈哈|唉|啊$|呀$|正在|马上|路上|歇会",
)
# A plan of weight: whoever forgets its day lets somebody down.
COMMITMENT = words_of(
    r"wedding|married|marrying|funeral|memorial|christening|baptism|graduat\w+|exams?|finals|driving test|test results|results|(?:hospital|dentist|doctor['’]?s?|gp|scan|clinic|therapy|vet)(?:['’]s)? ?(?:appointment)?|appointment|surgery|operation|scan|court|hearing|trial|interview|deadline|due|flight|fly(?:ing)? (?:to|home|out|back)|leav(?:e|ing) for|moving|move (?:in|out|to)|visa|passport|anniversary|birthday|reunion|performance|recital|audition|premiere|marathon|start(?:s|ing)? (?:at|my|school|work|uni\w*|the new)|first day|contract|lease|rent|tax|anniversary|baby|visit(?:s|ing)? me|come(?:s)? home|comes? out of|gets? out|released|deploy\w*",
    r"婚礼|结婚|葬礼|追悼|毕业|考试|高考|考研|中考|期末|答辩|驾照|体检|复查|手术|预约|挂号|看医生|牙医|开庭|面试|截止|到期|交稿|航班|飞机|出发|搬家|签证|护照|纪念日|生日|聚会|演出|登台|马拉松|比赛|开学|入职|第一天|报到|预产期|出院|出狱|合同|房租|回国|回家|来看我|周年|忌日|祭",
)
# How somebody always does what is done daily, without aspect and day: 我喝咖啡不加糖. In English the tense tells it.
_HABIT_ZH = LazyPattern(r"(?:吃|喝|睡觉?).*(?:不(?!错|饿)|只|都|从来|要|必须|得)|(?:只|都|从来|从不|不)(?:吃|喝)")
_ONCE_ZH = LazyPattern(r"[了过着完]|正在|[今昨明刚][天晚早才]?|中午|下午|晚上(?!都)|一会|待会|想|太|好(?:吃|喝)")


def is_habit_zh(plain: str) -> bool:
    """Whether a Chinese sentence says how somebody always eats, drinks or sleeps."""
    return _HABIT_ZH.search(plain) is not None and _ONCE_ZH.search(plain) is None
