"""Names in Chinese wording: who is named, and which places, whatever stands behind the name.

Chinese marks no names and parts no words, so what may be a name competes with the words of the language: a stretch
that is built like one (surname and given name, 小陈, 老王, 强哥, 团团, 玛丽亚) is offered at a price in bits, cheaper where a
person is addressed or acts, and the cheapest way through the sentence wins (`chinese_segmenter.cut`). Thus 陈默住在 holds
陈默 and not 陈默住, and 马上就到 nobody. A name that is a word (高兴, 文静) must be used as a name. Pure, linear.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterable, Iterator

from soulmem.core.names import chinese_name_parts as parts
from soulmem.core.names import place_names
from soulmem.core.names.name_spans import NameKind, NameSpan
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.text.chinese_segmenter import HAN_RUN, Stretch, cost, cut, is_word, word_spans
from soulmem.text_memo import text_memo

_H = "\u4e00-\u9fff"
_PERSON, _PLACE = "person", "place"
_KNOWN = 0.5  # bits of what is known to be a name
# Before somebody of one's own, who is called by his given name: 我弟知远, 我妹妹知夏.
_OWN_BEFORE = LazyPattern(
    r"(?:(?:我|咱|俺)们?家?的?|^|[^\u4e00-\u9fff])(?:[亲大小二三])?(?:弟弟?|妹妹?|哥哥?|姐姐?|儿子|女儿|闺女|孙子|孙女|外孙女?|外甥女?|侄子|侄女|老公|老婆|丈夫|妻子|爱人|媳妇|[男女]朋友|[男女]友|对象|[表堂][弟妹哥姐]|[大小]舅子|闺蜜|发小|室友|舍友|同桌)$"
)
_OWN = 8.0
# Before a person.
_PERSON_BEFORE = LazyPattern(
    "(?:"
    + "|".join(sorted(parts.PERSONS, key=len, reverse=True))
    + r"|(?:我们|咱们?|[我他她])(?:班|组|公司|部门|宿舍|寝室|学校|村|店|团队|家)里?)(?:是|叫|的|，)?$"
)
_CALLED_BEFORE = LazyPattern(
    r"(?:[名字]叫|取名|起名|改名|(?:我|他|她|它|也|就)叫|叫做|叫作|名叫|@\s?|我是|他是|她是|本人|姓名[:：]?)$"
)
_OPEN_BEFORE = LazyPattern(
    r"(?:^|[^\u4e00-\u9fff]|[和跟与同给找陪约请问被让对向把替等见想叫为帮是谢爱怕陈]|今天|昨天|前天|明天|昨晚|今晚|刚才|刚刚|刚|听说|据说|梦到|遇到|碰到|见到|看到|看见|认识|喜欢|讨厌|知道|觉得|因为|如果|但是|可是|所以|而且|还有|以及|就是|"
    r"[约见找骂打想认陪追娶嫁]了|[想提说]起|遇见|碰见|梦见|听见|周[一二三四五六日天末]|上午|下午|中午|晚上|早上|最近|感谢|祝|想念|暗恋|恭喜|有个|有位|还是|只有|除了|跟着|关于|那个|这个|姓)$"
)
_WHEN_BEFORE = LazyPattern(r"(?:今天|昨天|前天|昨晚|今晚|刚才|刚刚|上午|下午|中午|晚上|早上|听说|据说|最近)$")
_NEARBY_BEFORE = LazyPattern(r"(?:隔壁|邻居|楼[上下]|对门|班上|班里|单位|村里|店里)的?$")
_COUNTED_BEFORE = LazyPattern(r"(?:[一两二三四五六七八九十几半这那每各第\d]|[一几满][片场地层阵])$")
# Behind a person.
_ACTS = (
    r"(?:说|问|告诉|住|[\d一二三四五六七八九十两半]{1,3}(?:个半?月大|个月了|岁|周岁)|跟|和|与|答应|养|喜欢|讨厌|结婚|离婚|分手|怀孕|辞职|毕业|退休|过生日|的(?:妈|爸|哥|姐|弟|妹|生日|婚礼|老[公婆家师板]|儿子|女儿|女友|男友|女朋友|男朋友|朋友|家|猫|狗|工作|宠物|公司|父|母|爷|奶|孩子|职业|名字|演唱会|课|电话|微信|东西|车)|"
    r"是(?:我|他|她|你|谁|一?[个名位]|[^不]{0,6}(?:人|师|生|员))|来自|也|在|对|把|被|给|请|搬|考|教|打(?:电话|完|了)|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|今年|今天|昨天|前天|明天|上周|下周|刚|已经|正在|从小|一直|特别|家[吃玩住的过坐]|借|帮|陪|送|让|叫|约|生(?:[了病气日]|$|[^\u4e00-\u9fff])|病|住院|失恋|掉|哭|笑|胆子|人[很超特挺好]|怕|爱|会|要|想|不|没|又|还|都|就|真|很|最|太|挺|有[一两三个点只]|"
    r"多大|几岁|现在|平时|靠|到底|究竟|一起|一块|来[了到我]|去[了到年]|出[生国差]|退圈|请客|欠|离开|去世|发[烧来]|做的|写的|画的|唱的|买的|送的|煮|欺负|学|合[租影伙作]|兄弟|姐妹|夫妇|夫妻|一家|他们|俩|自己|本人|最近|刚才|昨晚|终于|居然|竟然|突然|回[来国家])"
)
_ACTS_BEHIND = LazyPattern(_ACTS)
_TITLE_BEHIND = LazyPattern(
    "(?:这个(?:名字|人)|" + "|".join(sorted((t for t in parts.TITLES if len(t) > 1), key=len, reverse=True)) + ")"
)
_TO_A_PLACE = frozenset("飞去到回往赴")
_WATERS = LazyPattern("[湖镇]|水库|大桥")  # 邵伯湖 is no uncle
_OPEN_BEHIND = LazyPattern(r"(?:$|[^\u4e00-\u9fff]|[吧吗呢啊呀哦的家来去下上过进回到们])")

# What is called so: 她叫李想, 我家猫叫团团, 名叫阿财.
_CALLED = LazyPattern(
    rf"(?:(?<=[名字])叫|取名叫?|起名叫?|改名叫?|名叫|名字是|名为|(?:我|他|她|它|[猫狗兔鼠鸟龟鱼儿子女妹姐弟哥妈爸友事学板])(?:家)?(?:的)?(?:大名|小名|名字|外号|绰号)?(?:也|就|其实)?叫|(?:大名|小名|外号|绰号|昵称)是?叫?)(?:做|作)?[“「\"'\s]?"
    rf"([{_H}]{{1,4}}?)(?=[，。！？、；,.!?;:：\s”」\"'）)~～]|的(?:猫|狗|人|朋友|同事|男|女|孩|小)|就[行好可]|和|跟|吧|啊|呀|$)"
)
_CALL_ME = LazyPattern(rf"(?:叫|喊|称呼)我([{_H}]{{1,3}}?)(?=[，。！？、；,.!?;\s~～]|就[行好可]|吧|即可|$)")
_IS_A_NAME = LazyPattern(
    rf"(?:^|[，。！？；,.!?;\s“「\"])([{_H}]{{2,4}}?)(?:只|就|其实)?是[{_H}]{{1,8}}的(?:外号|小名|大名|绰号|昵称|网名|笔名|名字|乳名|艺名)"
)
_KEPT = "猫 狗 橘猫 乌龟 仓鼠 兔子 鹦鹉 金鱼 柯基 金毛 泰迪 布偶 女儿 儿子 妹妹 姐姐 哥哥 弟弟 表哥 表姐 表弟 表妹 侄子 侄女 外甥 室友 同桌 闺蜜 发小 男友 女友 男朋友 女朋友 前男友 前女友 未婚妻 未婚夫".split()
_IS_KEPT = LazyPattern(
    rf"(?:^|[，。！？；,.!?;\s])([{_H}]{{2,3}}?)(?:就|也|其实)?是我们?家?(?:的|养的|领养的|收养的)?(?:一?[只条个])?(?:小|大|新|老)?(?:{'|'.join(_KEPT)})"
)
# 我弟大鸣 他今年考研: whose name stands right behind what he is, and at the end of a clause.
_OF_KIN = LazyPattern(
    rf"(?:我们|咱们|我|咱|俺)(?:的|家的?)?(?:亲|大|小|二|堂|表)?(?:弟弟?|哥哥?|姐姐?|妹妹?|儿子|女儿|闺女|媳妇|老公|老婆|侄子|侄女|外甥女?|孙子|孙女|室友|舍友|同事|发小|闺蜜|对象|老乡)"
    rf"(?P<name>[大小阿老][{_H}])(?=[\s，,、：:；;]|[他她]|$)"
)
_NOBODY = LazyPattern(
    r"^(?:朋友|同事|同学|家人|外卖|救护|出租|警察|大家|自己|什么|别人|孩子|医生|老师|师傅|快递|代驾|保安|物业|司机|专车|网约|滴滴|名字|我|你|他|她|它|了|醒|做|作|苦|好|停|板|座|喊|声|嚷|氏|名|人|来|去|起|不|没|一|两|几|个|这|那|车|饭|菜|到|过|得|着|真|太|很|爸|妈|老公|老婆|哥|姐|奶奶|爷爷|外婆|宝宝|"
    r"帮|给|让|请|陪|吃|回|上|下|快|早|多|谁|啥|怎|干|绝|唤|板|床|门|号|价|卖|屈|屁|苦|春|妈妈|爸爸|阿姨|叔叔)"
)
_SOUNDS, _FAMILY = "".join(sorted(parts.SOUNDS)), "".join(sorted(parts.COMMON))
_DOTTED = LazyPattern(rf"[{_SOUNDS}{_FAMILY}A-Za-z]{{1,8}}(?:[·•・](?:[{_SOUNDS}]{{1,7}}|[A-Za-z]{{1,16}})){{1,4}}")
# Named by a word: used as one who acts with people, or is one of them.
_SURELY_ACTS = LazyPattern(
    r"(?:(?:今天|昨天|前天|明天|刚才|刚刚|刚|上周|下周|周[一二三四五六日天末]|今年|去年)?(?:跟我|和我|对我|给我|把|被|说[他她你我要不：:，“]|问|告诉|打电话|考上|考了|搬|结婚|辞职|怀孕|毕业|教[我他她你]|生[日了病]|住院|请[我你假客]|约|借|欠|陪|送我|送了|答应|养|来(?:[找我]|面试|上班|上课|串门|接|送|吃饭|玩)|也[来去说要想]|失恋|和[我他她你]|跟[我他她你])"
    r"|是(?:我(?!的)|我的(?:朋友|同学|同事|老师|妹|姐|哥|弟|女|男|室友|闺蜜|邻居)|我们(?:班|组|公司|学校|老师|老板)|他的|她的)|的(?:妈|爸|哥|姐|弟|妹|生日|婚礼|老[公婆家]|儿子|女儿|女友|男友|女朋友|男朋友|家里|猫|狗|电话|微信)|(?:和|跟|与)[\u4e00-\u9fff]{1,3}(?:分手|结婚|吵|在一起|打|都|一起|去|来|是))"
)
_TAKES_PERSON = LazyPattern(r"(?:跟|和|与|给|找|约|陪|帮|问|被|请|替|认识|喜欢|暗恋|听|等|谢谢)$")
_WITH_PERSON = LazyPattern(
    r"(?:约|说|聊|吃|分手|吵|结婚|借|来|去|问|打|在一起|一起|都|发|骂|骗|请|送|带|看|见面|逛|要|会|也|在|不|[，。！？、,.!?]|$)"
)
_WORDS_FOR_NAMES = frozenset(
    "高兴 安静 文静 向阳 黎明 夏天 安宁 安康 白雪 白露 宁静 晓晨 春天 秋天 和平 建国 建军 国庆 平安 健康 开心 快乐 阳光 向前 向东 胜利 光明 星星 月亮 朝阳 海洋 晨曦 金玉 如意 吉祥 芳华 雪花 春花 秋月 明月 江南 江山 常青 温柔 温馨 康宁 乐天 知秋 若水".split()
)

_DOUBLED_THINGS = frozenset("星星 月月 点点 球球 天天 年年 家家 常常 圆圆 亮亮 甜甜 胖胖".split())


def find(text: str, known: Iterable[str] = ()) -> tuple[NameSpan, ...]:
    """The people and listed places that the Chinese parts of a text name, in order.

    `known`: names that are names wherever they stand.
    """
    if text.isascii():
        return ()
    return _find(text, tuple(sorted(name for name in known if HAN_RUN.search(name))))


@text_memo(512)
def _find(text: str, known: tuple[str, ...]) -> tuple[NameSpan, ...]:
    sure = dict(_sure(text, known))
    found: list[NameSpan] = []
    for run in HAN_RUN.finditer(text):
        at = run.start()
        offered = _offered(text, at, run.end(), sure)
        for start, end, label in cut(run[0], offered):
            start, end = start + at, end + at  # noqa: PLW2901 - from here on in the text
            if label:
                kind = NameKind.PERSON if label == _PERSON else _place_kind(text[start:end])
                found.append(NameSpan(start, end, text[start:end], kind))
            elif end - start > 1 and _is_used_as_name(text, start, end, text[start:end] in known):
                found.append(NameSpan(start, end, text[start:end]))
    return tuple(_with_dotted(text, found))


def _place_kind(name: str) -> NameKind:
    return NameKind.ORGANISATION if name in place_names.CHINESE_ORGANISATIONS else NameKind.PLACE


def _with_dotted(text: str, found: list[NameSpan]) -> list[NameSpan]:
    """The names, those that a foreign name with its dots holds or touches in its place."""
    for match in _DOTTED.finditer(text):
        start, end = match.span()
        while end - start > 3 and is_word(text[end - 1 : end + 1]):
            end -= 1  # 冯·诺依曼提出: what it ends with begins a word
        found = [each for each in found if each.end <= start or end <= each.start]
        found.append(NameSpan(start, end, text[start:end]))
    return sorted(found, key=lambda each: each.start)


def _sure(text: str, known: tuple[str, ...]) -> Iterator[tuple[tuple[int, int], float]]:
    """What is known for a name, or said to be one."""
    words = word_spans(text) if known else []
    for name in known:
        at = -1 if is_word(name) else text.find(name)  # a word is one by its use
        while at >= 0:
            end = at + len(name)
            if not any(start <= at and end <= last and (start, last) != (at, end) for start, last in words):
                yield (at, end), _KNOWN
            at = text.find(name, at + 1)
    for pattern in (_CALLED, _CALL_ME, _IS_A_NAME):
        for match in pattern.finditer(text):
            verbal = not parts.NEVER.isdisjoint(match[1]) and not is_word(match[1])
            if not _NOBODY.match(match[1]) and len(match[1]) > 1 and not verbal:
                yield match.span(1), _KNOWN
    for match in _OF_KIN.finditer(text):
        if (match["name"][1] in parts.GIVEN or match["name"][1] in parts.SOME) and not is_word(match["name"]):
            yield match.span("name"), _KNOWN
    for match in _IS_KEPT.finditer(text):
        doubled = match[1][0] == match[1][1:]
        if not _NOBODY.match(match[1]) and (doubled or not any(map(is_word, (match[1], match[1][:2], match[1][1:])))):
            yield match.span(1), _KNOWN


def _offered(text: str, begin: int, end: int, sure: dict[tuple[int, int], float]) -> dict[int, list[Stretch]]:
    """What may be a name in a run of characters, by where it begins in it, each at its price."""
    found: dict[int, list[Stretch]] = {}
    for at in range(begin, end):
        stretches = [
            Stretch(last - begin, bits, _PERSON) for (first, last), bits in sure.items() if first == at and last <= end
        ]
        stretches += [
            Stretch(at + size - begin, 6.0, _PLACE)
            for size in range(2, min(place_names.LONGEST_CHINESE, end - at) + 1)
            if place_names.is_chinese_place(text[at : at + size])
        ]
        priced: dict[int, float] = {}
        for size, price in parts.built(text[at : min(at + 6, end)]):
            priced[size] = min(price, priced.get(size, price))
        bare = parts.bare(text[at : min(at + 2, end)])
        if bare is not None and _OWN_BEFORE.search(text, max(0, at - 8), at):
            priced[2] = min(bare - _OWN, priced.get(2, bare))
        if priced:
            before = _before(text, at)
            stretches += [
                Stretch(at + size - begin, max(1.0, price - before - _behind(text, at + size)), _PERSON)
                for size, price in priced.items()
                if not (_WATERS.match(text, at + size) or _travels(text, at, at + size))
            ]
        if stretches:
            found[at - begin] = stretches
    return found


def _travels(text: str, start: int, end: int) -> bool:
    """Whether a name would end with the verb of a journey whose place stands behind it: 周檬飞大理."""
    if end - start < 3 or text[end - 1] not in _TO_A_PLACE:
        return False
    return any(place_names.is_chinese_place(text[end : end + size]) for size in (2, 3, 4))


def _before(text: str, start: int) -> float:
    """How much what stands before a place speaks for a person there, in bits."""
    ahead = text[max(0, start - 8) : start]
    if _CALLED_BEFORE.search(ahead):
        return 6.0
    if _PERSON_BEFORE.search(ahead):
        return 5.0
    if _COUNTED_BEFORE.search(ahead):
        return -8.0
    return 2.5 if _OPEN_BEFORE.search(ahead) else -1.0


def _behind(text: str, end: int) -> float:
    if _TITLE_BEHIND.match(text, end):
        return 4.0
    if _ACTS_BEHIND.match(text, end):
        return 3.0
    return 1.5 if _OPEN_BEHIND.match(text, end) else -1.5


def _is_used_as_name(text: str, start: int, end: int, is_known: bool) -> bool:
    """Whether a word that may be a name is used as one; of one that is known to be, less is asked."""
    word = text[start:end]
    doubled = len(word) == 2 and word[0] == word[1] and word[0] in parts.DOUBLED
    if word not in _WORDS_FOR_NAMES and not doubled and not is_known:
        surname = parts.surname_bits(word[0])
        given = parts.given_bits(word[1:]) if surname is not None else None
        titled = _TITLE_BEHIND.match(text, end) is not None
        if given is None or (given > parts.GIVEN_BITS * (end - start - 1) and not titled) or (cost(word) or 0) < 13:
            return False
    ahead = text[max(0, start - 8) : start]
    if _PERSON_BEFORE.search(ahead) or (_CALLED_BEFORE.search(ahead) and not ahead.endswith("是")):
        return _OPEN_BEHIND.match(text, end) is not None or _SURELY_ACTS.match(text, end) is not None
    if _TITLE_BEHIND.match(text, end) and _OPEN_BEFORE.search(ahead):
        return True
    if _TAKES_PERSON.search(ahead) and _WITH_PERSON.match(text, end):
        return True
    opens = (
        _NEARBY_BEFORE.search(ahead) is not None
        or not ahead
        or not HAN_RUN.search(ahead[-1])
        or _WHEN_BEFORE.search(ahead) is not None
    )
    if (doubled or is_known) and opens and _ACTS_BEHIND.match(text, end) and word not in _DOUBLED_THINGS:
        return True
    return opens and _SURELY_ACTS.match(text, end) is not None
