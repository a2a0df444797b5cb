"""What ends or is another by plain talk, and what the same words leave as it is, in both languages."""

from __future__ import annotations

import datetime as dt

from every_row import every_row
from soulmem.core.changes.change_clauses import statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.contradiction import Told, ruled
from soulmem.core.schema.engine_tasks import FactEvent

AT = round(dt.datetime(2026, 3, 9, 18, tzinfo=dt.UTC).timestamp() * 1000)
TURNED = (
    ("We're buying a barn in Wexley.", "We have withdrawn from Wexley."),
    ("saving for a drum kit, the red one", "gave up on the red drum kit"),
    ("I got a part-time job at the bakery on Mill Road", "handed in my notice at the bakery"),
    ("They're all coming over in July.", "They aren't coming in July after all."),
    ("He's on iron tablets, so it's blood tests every month.",
     "Blood test was good, so it's twice a year instead of every month."),
    ("Tilda's got into the under-12 netball.", "Tilda's given up the netball."),
    ("Forty days without a cigarette.", "I fell off the wagon, had two cigarettes."),
    ("Saw a loft in Marbury. 289,000, no garden.", "I misquoted: the Marbury loft is 298,000."),
    ("my van is a Transit, I drive it to work", "sold the van"),
    ("I go climbing on Thursdays with my mate Tariq.", "Tariq's hurt his shoulder so climbing's off till January."),
    ("我每周六上午练瑜伽，跟同事苏晴一起。", "苏晴怀孕了，瑜伽先停了，等她生完再说。"),
    ("样稿周四要送审", "送审推迟三天，改到周日"),
    ("戒酒第十五天。", "破戒了，喝了一瓶。"),
    ("朵朵九月份上晨光幼儿园。", "最后给朵朵报了星星幼儿园。"),
    ("那辆本田开了九年，我每天开它接孩子。", "车干脆不要了，当废车卖了三千块。"),
    ("Five hundred and sixty a month I pay for a house by the pier.",
     "Note through the door from the landlord. Five hundred and ninety-five from April."),
    ("big exam is booked, 14 may. pass that and I'm a physio again.",
     "exam people emailed. my centre's sitting is scrapped and I'm bumped to 11 june."),
    ("念念二诊26、27号，高三的娃儿嘴巴硬", "班主任在群里头说考试往后挪，30号31号两天"),
    ("滑冰课周三晚上六点那节，我下班跑着送他", "滑冰那边晚上的班凑不齐人，给并到周六上午九点半了"),
    ("rent here is 640 which is mad", "true. letter from the landlord too. 675 from may"),
    ("我们房东还算厚道，六千八，好几年没动过", "房东来吃了碗面，抹了嘴巴才说，六月开始七千五"),
    ("房东今天来转一圈。一个月一千三，瓷砖都掉了", "房东微信来了，二月起一千四百五，爱住不住那个意思"),
)  # fmt: skip
STAYS = (
    ("Our daughter's tutor is called Piers.", "She doesn't want to learn the flute any more."),
    ("钢琴老师姓赵", "儿子说不想学钢琴了"),
    ("奶茶店一小时是19", "店要转让，我干到月底就没了"),
    ("古筝一节课是两百四", "女儿说不想学古筝了"),
    ("Ann told me of a man called Rob, a joiner, divorced.", "Ann swapped her shift with a girl called May."),
    ("Third floor, no lift.", "I misquoted: the Marbury loft is 298,000."),
    ("外婆想等朵朵上了幼儿园就回老家", "最后给朵朵报了星星幼儿园"),
    ("Milo lost his first tooth at breakfast!", "Milo wants to be called Max at school, not Milo."),
    ("My sister's boy Milo is mad about volcanoes.", "He's going by Max, not Milo. At home he's still Milo."),
    ("糯米今天掉了第一颗牙！", "糯米在学校让大家叫她知夏，不是糯米"),
    ("My sister goes climbing every Sunday.", "Tariq's hurt his shoulder so climbing's off till January."),
    ("我妹妹每周六练瑜伽。", "苏晴怀孕了，瑜伽先停了"),
    ("They're all coming over in July.", "Nils isn't coming on Friday."),
    ("my piano exam is on the 3rd", "my driving test got moved to the 9th"),
    ("滑冰鞋周三到货", "聚会给并到周六晚上了"),
    ("my rent is 640", "Denise says her landlord wants 700 from May"),
    ("房租七百八，押一付三", "房东家的狗下个月三岁"),
    ("定的下周六晚上六点吃俄餐", "书才翻到第二章，今年这考试不考了，报名费就当捐了，明年再说"),
    ("大鹏这个月抚养费倒是准时，一千二", "书才翻到第二章，今年这考试不考了，报名费就当捐了，明年再说"),
    ("Mrs Fernandes fries fish at 7 and calls me doctor no matter how often I say physio.",
     "Pass that exam and I can be a physio again on paper."),
    ("A man in red trousers asked me to have a word with the captain.",
     "I had to sell a man a single to Kennacraig entirely by nodding."),
    ("I said I can't abide cold water.", "I came home to both of them in the bath, not speaking."),
    ("镇上医生给妈量了，说压不住，早晚各一颗了", "痛了一通宵，熬不住了，约了星期五下午看牙"),
    ("喊她上来跟我住，死活不干", "痛了一通宵，熬不住了，约了星期五下午看牙"),
    ("四点半就要爬起来熬汤，再不睡明天要遭", "妈接上来了，现在睡我那间，我睡沙发"),
    ("人家来吃碗面她要问别个结婚没得", "离都离了八年了，收个手机他跑出来装好人"),
    ("昨天把刘孃送上车了。今天开始就是我跟小周两个人打主力", "房东来吃了碗面，六月开始七千五"),
    ("相亲那个来信儿，说值班要抢修，地方没动", "小孟眼睛肿得跟桃似的，不是人黄了，是酒店要装修"),
    ("进屋先按那儿量血压，162，96", "大鹏说单位效益不好，往后先按八百给"),
    ("We're buying a barn in Wexley.", "They pulled out of the fair in Corley."),
)  # fmt: skip


def _ruling(known: str, new: str) -> FactEvent | None:
    return ruled(Told(2, new, "Mia", (AT + 86_400_000, 2)), Told(1, known, "Mia", (AT, 1)))


@every_row(TURNED, unpack=True)
def test_what_turned_is_over_or_another(known: str, new: str) -> None:
    assert _ruling(known, new) in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


@every_row(STAYS, unpack=True)
def test_what_is_still_so_stays(known: str, new: str) -> None:
    assert _ruling(known, new) not in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


def test_what_was_said_just_before_is_no_topic_of_what_has_its_own() -> None:
    told = "房租一个月一千九，水电另算。"
    later = statement_of("房租一月份开始涨到两千一。", "周棠", AT)
    assert changes(later, statement_of("洗衣机又吞了我一只袜子", "周棠", AT - 1, told)) == ()
    assert changes(later, statement_of(told, "周棠", AT - 1))
