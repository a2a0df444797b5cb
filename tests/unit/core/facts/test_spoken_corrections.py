"""Corrections that say again what was wrong find it however far back it was said, and touch nothing else."""

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.facts.corrected_statements import LOOKED_BACK, corrected, takes_back
from soulmem.core.facts.spoken_corrections import correction_of

# Cases stand on long lines, as tables.
# ruff: noqa: E501

AT = 1_788_900_000_000  # 8 September 2026

RIGHT = [
    ("等等，看错了，黄山是二十二号", "黄山那个改到二十一号了", "黄山那个改到二十二号了"),
    ("看错了，体检是周三", "体检周二，空腹", "体检周三，空腹"),
    ("看错了，约的是周三", "约了周二去看牙", "约了周三去看牙"),
    ("说错了，是十月份", "他九月份跟老秦去造船", "他十月份跟老秦去造船"),
    ("no, I meant October", "he's off to build boats in September", "he's off to build boats in October"),
    ("Sorry, I said Mum comes on the 26th. It's the 19th actually.", "My mum is coming on the 26th from Hull.",
     "My mum is coming on the 19th from Hull."),
    ("I told you the rent is 900, it's actually 950.", "The rent is 900 a month now.", "The rent is 950 a month now."),
    ("Sorry, Emre's not a drummer, he's a bassist. Thank god.", "New flatmate: a guy called Emre, he's a drummer, help.",
     "New flatmate: a guy called Emre, he's a bassist, help."),
    ("I said her name was Anna, it's Hanna.", "Her name is Anna.", "Her name is Hanna."),
    ("I thought it was Tuesday. It's Wednesday actually.", "See her on Tuesday.", "See her on Wednesday."),
    ("不好意思，我说我妈26号来，其实是19号。", "我妈26号从合肥过来，住一个星期。", "我妈19号从合肥过来，住一个星期。"),
    ("我之前说同事叫李明，其实是李铭。", "我同事叫李明。", "我同事叫李铭。"),
    ("No, I said it wrong, Niamh is six, not five.", "Rory, eight, and wee Niamh who is five.",
     "Rory, eight, and wee Niamh who is six."),
    ("Correction, Nesta weighed 7lb 12, I misread the text.", "A girl, they've called her Nesta. 7lb 2.",
     "A girl, they've called her Nesta. 7lb 12."),
    ("我说错了，不是六月一号，是六月六号，图个顺", "在龙华租了个铺位，六月一号开张", "在龙华租了个铺位，六月六号开张"),
    ("Sorry, I said it wrong, not Tuesday, Wednesday, same room.", "See her on Tuesday.", "See her on Wednesday."),
    ("更正一下，小满是六斤八两，我看错了。", "是个女孩，叫小满，六斤二两。", "是个女孩，叫小满，六斤八两。"),
    ("It's 1,150 actually, not 1,050, I read it wrong.", "A place on Newland Avenue, four bedrooms, 1,050.",
     "A place on Newland Avenue, four bedrooms, 1,150."),
    ("房租我看错了，是两千五，不是两千三。", "看了房子，汉口江边，一居室，两千三，定了。", "看了房子，汉口江边，一居室，两千五，定了。"),
    ("看错了，是1,150，不是1,050。", "房租1,050，押一付三。", "房租1,150，押一付三。"),
    ("Sorry, I said Wilf was nine, he's ten, he had his birthday in February. Where's my head.",
     "We've got a boy, Wilf, he's nine, and an ancient tabby.", "We've got a boy, Wilf, he's ten, and an ancient tabby."),
    ("Actually I told you Mia was 7, she's 8 now, birthday last week.", "My niece Mia is 7.", "My niece Mia is 8."),
    ("I said there were three of us, there are four. Jo is coming too.", "There are three of us going.",
     "There are four of us going."),
    ("no wait i said 6.40, its 7.10 an hour, they put it up for over 16s", "got a job at the chippy, 6.40 an hour.",
     "got a job at the chippy, 7.10 an hour."),
    ("Wait, no, I said the fete was the 30th, it's the 23rd, I've just looked at the poster.",
     "I'd bake two cakes for the fete on the 30th of May.", "I'd bake two cakes for the fete on the 23rd of May."),
    ("Oh I've told you wrong about Owen, he's twelve, he was twelve in March.",
     "Owen's got into the ice hockey, he's only eleven.", "Owen's got into the ice hockey, he's only twelve."),
    ("说错了，800米不是月底，是11月6号，我看错通知。", "报了校运会的800米，月底跑，我疯了", "报了校运会的800米，11月6号跑，我疯了"),
    ("我说过米粒六岁，其实她七岁了，上个月刚过的生日。", "我们有个女儿叫米粒，六岁。", "我们有个女儿叫米粒，七岁。"),
    ("我之前跟你说阿宝五斤，它已经六斤了，胖了。", "阿宝五斤，是只橘猫。", "阿宝六斤，是只橘猫。"),
    ("Sorry, I told you it's 40 pounds, it's 45 pounds.", "It's 40 pounds.", "It's 45 pounds."),
    ("且慢，记错了，是二十六年，有两年我在工会，那两年不能算。", "在厂里开了二十七年天车，退了九年。今年六十四。",
     "在厂里开了二十六年天车，退了九年。今年六十四。"),
    ("No wait, I said it wrong, twenty-six years, two of them I was in the union.",
     "I drove a crane for 27 years and I've been retired for nine years.",
     "I drove a crane for twenty-six years and I've been retired for nine years."),
]  # fmt: skip
UNTOUCHED = [
    ("等等，看错了，黄山是二十二号", "建平不教木工了，九月份跟老秦去造船"),
    ("等等，看错了，黄山是二十二号", "文丽三号来吃饭"),
    ("Sorry, I said Mum comes on the 26th. It's the 19th actually.", "The concert is on the 26th."),
    ("不好意思，我说我妈26号来，其实是19号。", "26号公司开会。"),
    ("Correction, Nesta weighed 7lb 12.", "The parcel weighed 7lb 2."),
    ("更正一下，小满是六斤八两。", "买了六斤二两苹果。"),
    ("Niamh is six, not five.", "I have five cats."),
    ("Sorry, I said Wilf was nine, he's ten, his birthday was in May.", "My nephew Otto is nine."),
    ("我说过米粒六岁，其实她七岁了，上个月刚过的生日。", "小宝六岁，上大班。"),
    ("不好意思，我说我妈26号来，其实是19号。", "周航面试过了！十月五号去恒达上班。"),
]


@every_row(RIGHT, unpack=True)
def test_what_is_said_again_is_put_right(said: str, earlier: str, right: str) -> None:
    correction = correction_of(said)
    assert correction is not None
    assert corrected(earlier, correction, AT) == right


@every_row(UNTOUCHED, unpack=True)
def test_what_it_is_not_about_stays(said: str, earlier: str) -> None:
    correction = correction_of(said)
    assert correction is not None
    assert correction.reach > LOOKED_BACK
    assert corrected(earlier, correction, AT) is None


@every_row(
    [
        ("等等，是二十二号", "建平不教木工了，九月份跟老秦去造船"),
        ("No wait, it's the 22nd", "he's off to build boats in September"),
    ],
    unpack=True,
)
def test_a_day_is_put_in_the_place_of_no_month(said: str, earlier: str) -> None:
    correction = correction_of(said)
    assert correction is not None
    assert corrected(earlier, correction, AT) is None


NOT_THIS_NUMBER = [
    ("It's 1,150 actually, not 1,050.", "The school has 11,050 books."),
    ("It's 1,150 actually, not 1,050.", "It cost $1,050.50."),
    ("I read it wrong, it's 300, not 301.", "My flight is BA301."),
    ("I read it wrong, it's 300, not 301.", "My phone is 07700-301-223."),
    ("看错了，是两千五，不是两千三。", "他欠我三万两千三。"),
    ("看错了，是八千，不是一万。", "工资一万二千。"),
    ("看错了，是两千五，不是两千三。", "我工资九千五。"),
]  # fmt: skip


@every_row(NOT_THIS_NUMBER, unpack=True)
def test_a_number_is_no_part_of_another_or_of_a_code(said: str, earlier: str) -> None:
    correction = correction_of(said)
    assert correction is not None
    assert corrected(earlier, correction, AT) is None


@pytest.mark.parametrize(
    "said",
    [
        "I said I'd go, but it's too far.", "说错了，海峰的店是下个月二十八号开业，十八号是装修完工。",
        "不对，送样是18号，19号是端午放假。", "I said I'd be there at ten, he's twenty minutes late.",
        "我说我不去，其实是想去的。", "He says it's 1,150, not 1,050.",
        "他说房租是两千五，不是两千三。", "The bill is 1,200 not 1,100 like last year.", "It's 2026 not 1926, dad!",
        "The blue one is 450, not 500 like the red one.", "the bus is 300 not 301", "at least it's 500 not 1,000",
        "我记错了，有两年我在工会，那两年不能算。", "I was wrong, two years I was in the union, and one in the office.",
        "The fee is 250, not 200, since January.", "这个是三千，不是五千那款。", "幸好是三千不是三万。", "现在是一万二，不是八千了。",
    ],
)  # fmt: skip
def test_what_only_goes_on_corrects_nothing(said: str) -> None:
    assert correction_of(said) is None


@pytest.mark.parametrize(
    ("said", "earlier", "right"),
    [
        ("No, I meant Dr Lindqvist.", "My dentist is Dr Lind, she's on Easter Road.", "My dentist is Dr Lindqvist, she's on Easter Road."),
        ("No, I meant Joanne", "I met Joanna in Leeds", "I met Joanne in Leeds"),
        ("The head's Mrs Adeyemi, not Adebayo", "The head's called Mrs Adebayo", "The head's called Mrs Adeyemi"),
        ("不对，是姓冉，不是阮", "新主管姓阮", "新主管姓冉"),
        ("不对，是舒医生。", "我的牙医是苏医生，在东街。", "我的牙医是舒医生，在东街。"),
    ],
)  # fmt: skip
def test_of_several_names_the_one_that_begins_alike_is_put_right(said: str, earlier: str, right: str) -> None:
    correction = correction_of(said)
    assert correction is not None
    assert corrected(earlier, correction, AT) == right


@pytest.mark.parametrize(
    ("said", "earlier", "right"),
    [
        ("got Nia's date wrong the other day, it's the 18th of April not the 11th, Gwen put me right", "our Nia's getting married 11 April, that's Huw's eldest", "our Nia's getting married 18 April, that's Huw's eldest"),
        ("Nia's party is the 3rd of May not the 28th of April", "Nia's party is on 28 April at ours", "Nia's party is on the 3rd of May at ours"),
        ("Nia's wedding is the 18th, not the 11th", "Nia flies to Oslo on the 11th", None),
        ("Nia's date is the 18th, not the 11th", "Nia's getting married 12 April", None),
        ("哦对奶奶的酒席是21号，周六，不是22，我爸骂我", "奶奶3月22号满八十，全家回老家办酒", "奶奶3月21号满八十，全家回老家办酒"),
        ("妹妹的婚礼是5月3号，不是4月28号", "妹妹4月28号办婚礼", "妹妹5月3号办婚礼"),
        ("我妈的生日是12号不是11号", "我妈11号去体检", None),
        ("馆长是姓冉不是阮，我叫了一上午", "新馆长姓阮，人很好", "新馆长姓冉，人很好"),
        ("first day done. got Nia's date wrong the other day btw, it's the 18th of April not the 11th, Gwen says", "Nia's getting married 11 April", "Nia's getting married 18 April"),
        ("哦对奶奶的酒是21号，周六，不是22，我爸骂我连奶奶生都记错", "奶奶3月22号满八十，回老家办酒", "奶奶3月21号满八十，回老家办酒"),
        ("妹妹的彩排是5号，不是4号", "妹妹彩排是4号", "妹妹彩排是5号"),
        ("奶奶住院的日子是5号，不是4号", "奶奶4号住院", None),
        ("馆长是姓冉不是凌", "隔壁老凌说，新馆长姓凌", "隔壁老凌说，新馆长姓冉"),
        ("馆长是姓冉不是凌", "凌晨馆长来了", None),
        ("馆长是姓冉不是凌", "今天凌馆长请吃饭", None),
        ("Nia's wedding is the 17th, not the 11th", "Nia's wedding is on Sunday 11th April", "Nia's wedding is on 17th April"),
        ("Nia's wedding is the 18th, not the 11th", "Nia's wedding is on Sunday 11th April", "Nia's wedding is on Sunday 18th April"),
        ("奶奶的酒席是21号，不是22", "奶奶3月22号（周一）办酒", "奶奶3月21号办酒"),
        ("奶奶的酒席是21号，不是22", "周五见。奶奶3月22号星期一办酒席", "周五见。奶奶3月21号办酒席"),
    ],
)  # fmt: skip
def test_what_names_the_wrong_day_puts_that_day_of_that_matter_right(
    said: str, earlier: str, right: str | None
) -> None:
    correction = correction_of(said)
    assert correction is not None
    assert corrected(earlier, correction, AT) == right


@every_row(
    [
        # only supposed, said by others, or taken back
        ("If Tom's exam was the 18th not the 11th, I'd have time", "Tom's exam is on the 11th."),
        ("I wish Tom's exam was the 18th, not the 11th", "Tom's exam is on the 11th."),
        ("I thought Tom's exam was the 18th, not the 11th", "Tom's exam is on the 11th."),
        ("Mum thinks Tom's exam is the 18th, not the 11th, but she's wrong", "Tom's exam is on the 11th."),
        ("Is it true that Tom's exam is the 18th, not the 11th", "Tom's exam is on the 11th."),
        ("我以为小王的考试是5号，不是15号", "小王的考试是15号"),
        ("小王说考试是5号不是15号，其实他记错了", "小王的考试是15号"),
        # a rank, a floor, a shirt
        ("Mia was 2nd, not 3rd in the race", "Mia leaves for Paris on the 3rd of June."),
        ("Great news! Mia was 2nd not 3rd, so proud", "Mia leaves for Paris on the 3rd of June."),
        ("Nia's flat is on the 18th, not the 11th floor", "Nia moves on the 11th."),
        ("My son is the 2nd not the 1st in line", "My son's first day is 1 September"),
        ("小王住的是18号，不是11号", "小王11号去出差"),
        ("小王穿的球衣是10号不是11号", "小王11号去出差"),
        # another matter of the same person
        ("Tom's rent is the 10th, not the 11th", "Tom flies to Oslo on the 11th."),
        ("Tom's payday is the 25th, not the 28th", "I'm meeting Tom's teacher on 28 April"),
        ("小王发工资是25号不是28号", "小王28号拆石膏"),
        ("妈妈的航班是21号不是22号", "妈妈22号体检"),
        ("爸爸的生日是28号不是18号", "爸爸18号生日，妈妈18号出差"),
        # another month, a range, a day that is not
        ("Nia's wedding is the 18th of May, not the 11th of May", "Nia's wedding dress fitting is on 11 March."),
        ("Tom's exam is 18 April, not 11 April", "Tom's driving exam is on 11 May."),
        ("Tom's exam is the 18th, not the 11th", "Tom's exams are on 11-13 April"),
        ("Tom's exam is the 31st of April, not the 30th of April", "Tom's exam is on 30 April"),
        ("Tom's exam is marked, not the 3rd", "Tom's exam is on the 3rd"),
        ("The party is decided, not the 11th", "The party is on the 11th"),
        # whose surname it is
        ("小李的老公是姓于不是余", "小李的婆婆姓余"),
        ("新老师是姓王不是张", "王老师的老公姓张"),
        ("老师是姓王不是张", "夸张老师很好笑"),
        ("老师是姓王不是黄", "我妈姓黄，是老师"),
    ],
    unpack=True,
)
def test_what_was_told_of_another_day_or_person_stays(said: str, earlier: str) -> None:
    correction = correction_of(said)
    assert correction is None or corrected(earlier, correction, AT) in {None, earlier}


def test_whether_a_message_says_more_is_told_in_linear_time() -> None:
    correction = correction_of("got Nia's date wrong, it's the 18th of April not the 11th")
    assert correction is not None
    for end in (".", "\n", "。", "!"):
        assert takes_back("Nia's getting married 11 April" + end * 200_000, correction, AT)


def test_a_number_that_is_no_others_is_looked_for_far_back() -> None:
    correction = correction_of("no wait i said 6.40, its 7.10 an hour")
    assert correction is not None
    assert not correction.about
    assert correction.reach > LOOKED_BACK
