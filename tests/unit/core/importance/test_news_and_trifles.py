"""News of family, work, money, homes, cars and who is who outweighs meals, chores and what an animal is up to."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.importance.importance_rating import weigh
from soulmem.core.importance.retention_periods import Level

AT = calendar_math.day_number(2026, 3, 9) * calendar_math.DAY_MS
NEWS = (
    "I've got a Saturday job at the garden centre", "Tess applied for head of year", "My landlord is Piet Vos",
    "She does nights at the depot", "We're selling the cottage", "The survey found damp", "Our offer was accepted",
    "I sold my old van on Monday", "we're saving up for the deposit", "it's 11.50 an hour now",
    "Jonas is my oldest mate", "The Corsa has gone", "Nan says she's coming for Easter", "He's nine, not eight",
    "Mo and Bea are separating", "My gran's eyesight is failing", "I've got Mr Adeyemi for maths",
    "he fell off the wagon", "Grandad passed three years ago", "My neighbour is Ruth Cole", "Dad teaches welding",
    "dress rehearsal on Thursday", "she asked me out and i said yes???",
    "在面馆打零工，一小时22", "小雅打算考美院", "房东叫老韩", "这辆本田报废了", "我们看了一套老公寓", "我哥不来了",
    "公司让我去苏州分部", "查出来肝不太好", "又没忍住抽上了", "妹妹苏晴，护士", "室友罗一鸣，云南人",
    "决定去合肥",
    "周五要交设计稿", "课时费一节课三百二", "他俩不是亲戚", "狗吃了葡萄，连夜送去洗胃", "我爸下个月来看我",
    "他居然跟我求婚了？？",
)  # fmt: skip
TRIFLES = (
    "had sausages", "Ate standing up.", "Had a poached egg and that was that.", "rabbit keeps chewing the cable",
    "did a backflip off the sofa, the cat", "Bought new tights", "paid the window cleaner", "read half a chapter",
    "the dryer is rattling again", "helped Leo with his homework", "the hall clock is still slow",
    "陪儿子写作业写到九点", "冰箱嗡嗡响", "食堂又是萝卜", "下单了个收纳盒", "猫又在挠沙发",
)  # fmt: skip


@every_row(NEWS)
def test_news_of_a_life_weighs_more_than_what_is_so_anyway(text: str) -> None:
    assert weigh(text, AT).value >= 0.6


@every_row(TRIFLES)
def test_what_happens_any_day_weighs_little(text: str) -> None:
    assert weigh(text, AT).value <= 0.4


@every_row(("外婆说她不走了", "婆婆今年不走了"))
def test_who_stays_has_not_died(text: str) -> None:
    assert weigh(text, AT).level is not Level.VITAL


@every_row(("did she ask you out??", "what did my boss say???", "他到底来不来看我？？"))
def test_what_is_asked_twice_is_still_asked(text: str) -> None:
    assert weigh(text, AT).value <= 0.35


@every_row(
    (
        "站里有个老乡叫卫东 他说他认识人 一千三能拿下 前阵子隔壁小区不是有一家充电烧了嘛",
        "四十三单 中午那波下暴雨 有个大哥备注里写慢点骑 我差点哭了 你说这人咋这么好",
        "今天被投诉了 保安不让上 我给放一楼柜子 那女的说汤洒了 扣我两百",
        "Tom came by in the rain, we fixed the boat, and his mother sang",
    )
)
def test_one_trifle_among_clauses_parted_by_blanks_makes_none_of_the_rest(text: str) -> None:
    assert weigh(text, AT).level is Level.ORDINARY


@every_row(("早上吃的包子 中午吃面 晚上不知道吃啥", "下雨 没带伞 好困", "had soup, rain again, so tired"))
def test_trifles_parted_by_blanks_stay_trifles(text: str) -> None:
    assert weigh(text, AT).level is Level.TRIVIAL
