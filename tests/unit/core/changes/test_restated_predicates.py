"""The same said of something else, and that it is so now: what was said before is over; and what only looks like it."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes.contradiction import Told, outcomes, ruled
from soulmem.core.facts.fact_reader import sentences_of
from soulmem.core.schema.engine_tasks import FactEvent

START = 1_772_442_000_000  # a Monday


def is_over(old: str, new: str) -> bool:
    earlier, later = Told(1, old, "Sam", (START, 1)), Told(2, new, "Sam", (START + 30 * DAY_MS, 2))
    return ruled(later, earlier) in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


@every_row(
    [
        ("My aunt Vera teaches chemistry.", "Aunt Vera teaches biology now."),
        ("Our book club meets at Carol's house.", "The book club meets at the library from now on."),
        ("My favourite colour is blue.", "My favourite colour is orange now."),
        ("The baby sleeps in our room.", "The baby sleeps in her own room now."),
        ("I practise the cello for an hour a day.", "I only practise the cello for twenty minutes a day now."),
        ("I see my therapist every week.", "I see my therapist every two weeks now."),
        ("My son Rhys is in Year 4.", "Rhys started Year 5."),
        ("I've got two cats.", "We took in a third cat."),
        ("I'm using Spotify for music.", "I switched from Spotify to Tidal."),
        ("My laptop is a Dell.", "I replaced my Dell with a MacBook."),
        ("Our wifi network is called Pumpkin.", "We renamed the wifi, it's called Turnip now."),
        ("My doctor is Dr Farrow.", "I've changed doctors, I see Dr Idowu now."),
        ("Nina's class teacher is Mrs Boyd.", "Nina has a new class teacher, Mr Quill."),
        ("I work three days a week.", "I'm full time now."),
        ("Our dog Biscuit weighs thirty kilos.", "Biscuit is down to twenty-five kilos."),
        ("My sister Maeve is expecting, due in August.", "Actually Maeve isn't due in August, it's the end of July."),
        ("I live with a flatmate, Tilly.", "Tilly moved out!"),
        ("我跟室友合租，她叫阿莉。", "阿莉搬走了！"),
        ("我20号考科目三。", "考试推到27号了，考官感冒。"),
        ("我每周二学二胡。", "他老哼歌。二胡课改到周四了。"),
        ("My aunt Vera’s favourite café is Luna.", "My aunt Vera’s favourite café is Sol now."),
        ("My cousin’s dog sleeps in our room.", "My cousin’s dog sleeps in the hall now."),
        ("我姑姑教化学。", "我姑姑现在教生物。"),
        ("我们组长是苏菲。", "苏菲休产假，组长现在是老韩。"),
        ("房东姓钱。", "房子卖了，新房东姓孙。"),
        ("我最好的朋友是阿珍。", "我跟阿珍闹掰了，现在最好的朋友是小敏。"),
        ("我侄子乐乐想当宇航员。", "乐乐现在想当兽医。"),
        ("我周六跑五公里。", "我周六跑十公里了。"),
        ("我每天练一个小时大提琴。", "我现在每天只练二十分钟大提琴。"),
        ("我们公司用钉钉。", "我们公司从钉钉换成飞书了。"),
        ("我的保险买的是平安。", "保险我转到太保了。"),
        ("我去的健身房在中关村。", "我换健身房了，新的在望京。"),
        ("我室友是大鹏。", "大鹏搬走了，现在跟我住的是小凯。"),
        ("我每周工作三天。", "我转成全职了。"),
        ("我女朋友叫小诺。", "我跟小诺领证了，她现在是我老婆。"),
    ],
    unpack=True,
)
def test_what_was_said_before_is_over(old: str, new: str) -> None:
    assert is_over(old, new)


@every_row(
    [
        ("My sister Ana lives in Rome.", "My sister Ana is in love now."),
        ("My laptop is a Dell.", "My laptop is broken now."),
        ("I play chess with my uncle.", "I play football now."),
        ("My aunt Vera teaches chemistry.", "Aunt Rosa teaches biology now."),
        ("We fly to Rome in May.", "We fly to Madrid in October now."),
        ("I've got two cats.", "Ines took in a third dog."),
        ("They live close by.", "Now I'm able to make a living at something I love."),
        ("I see my therapist every week.", "I also see my physio every two weeks now."),
        ("My son Rhys is in Year 4.", "Freya started Year 5."),
        ("I live with two flatmates, Oskar and Tilly, up on Hanover Street.", "Tilly moved out!"),
        ("我跟两个室友合租，老邱和阿莉，住在汉口路。", "阿莉搬走了！"),
        ("我姑姑教化学。", "我舅舅现在教生物。"),
        ("我妈是杭州人。", "我妈是老师。"),
        ("我家狗三岁。", "我家猫五岁了。"),
        ("我家住十二楼。", "大鹏搬走了，现在跟我住的是小凯。"),
        ("我每天吃一个苹果。", "我现在每天吃一片药。"),
        ("周六我跑五公里。", "今天我跑了十公里。"),
        ("Dad's a train driver, he can't take time off.", "Still working on opening a dance studio."),
        ("I have a girlfriend.", "My sister got married."),
        ("我有女朋友。", "我姐结婚了。"),
        ("I love London.", "I moved from London to Leeds."),
        ("I start at nine.", "I switched from art to music."),
        ("我最近在规划自驾游。", "我最近在研究湖北菜。"),
        ("我麸质不耐受，在面包店上班有点讽刺。", "妈，我下班开车回来了，路上有点堵。"),
        ("今晚和发小聊了很多。", "感觉时间真的不多了。"),
        ("我这边空气特别好。", "器材我都准备好了。"),
        ("早上称体重重了0.1kg。", "我今早称重比上周轻了点。"),
        ("我的目标是减肥。", "我的目标是新能源车。"),
        ("沙发是灰色的。", "狗把沙发换了个地方睡。"),
    ],
    unpack=True,
)
def test_what_only_looks_like_it_stays(old: str, new: str) -> None:
    assert not is_over(old, new)


def test_a_decimal_point_ends_no_sentence() -> None:
    assert [said for said, _ in sentences_of("I weigh 76.3 kg now. Good.")] == ["I weigh 76.3 kg now.", " Good."]
    assert [said for said, _ in sentences_of("比昨天重了0.1kg。好吧。")] == ["比昨天重了0.1kg。", "好吧。"]


def test_a_short_clause_beside_one_that_ended_is_not_over_with_it() -> None:
    told = Told(1, "Ann麸质不耐受，在面包店上班（2026年3月2日）", "Ann", (START, 1))
    left = Told(2, "我从面包店辞职了", "Ann", (START + DAY_MS, 2))
    found = outcomes(left, told, FactEvent.INVALIDATE, START + 2 * DAY_MS)
    assert isinstance(found, tuple)
    assert [each.whole for each in found] == [False]
