"""Whether the Chinese words about a date look ahead or back: read from 了, 过, 的, and from 要, 会, 打算.

Called by `core/tense/verb_tense.py` only. A plain verb without any mark (周五开会, 我六月结婚) looks ahead; what was
arranged (约了, 订好了, 改到) lies ahead though its verb has 了; how something was (周五在家, 特别开心) tells nothing by
itself.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import LazyPattern

AHEAD, BEHIND, MIXED, PLAIN = "ahead", "behind", "mixed", "plain"

_ARRANGED = LazyPattern(
    r"约[好了定]|预[约定订]|[订定]了|[订定]好|报了?名|[买抢]到?[好了]?.{0,6}[票座]|[票座位][^，。]{0,4}[买抢订约]到?[好了]|[报订买抢约定选挂请拿]到?了的|[定约改推挪延调排提换][在到至于成]|推迟|延期|改期|截止|到期"
    r"|就[满要快].{0,10}了|(?:快|就|马上|即将|正式)要.{0,12}了|快.{0,6}了$|要.{1,10}了$"
    r"|记得|别忘|提醒|到时|等到|期待|倒计时|见[吧啦哦！!～~。 ]*$|吧[！!～~。 ]*$|再[说看约]"
)
_FIXED = LazyPattern(r"(?:定|订|约|选|改|挪|推|延|排)(?:好|下来?)?了[。！!～~]*$|(?:改|延)[期日]了?$|定下来?$")
_PROMISED = LazyPattern("答应|说好|讲好|保证|承诺|商量好|约定|发誓|决定")  # before the day on which it is to be
_PUT_ON = LazyPattern(  # right before the day that something is put on: 挪周日了, 给并到周六了
    r"(?:[挪改推换调延排约定订]|(?:合?并|提前|延误|顺延|串|延后|往后[推挪]|往前[提挪])到)(?:这|本)?$"
)
_WILL = LazyPattern(
    r"打算|计划(?!了)|准备(?![好了])|将[要于会]|即将|(?<![需只主重不])要(?![求点是么不命好了害紧素])"
    r"|(?<![开聚晚约机社体学误宴协年例商不送长动乐唱话布悼览集舞日])会(?![议员计场馆的上后前，,])"
    r"|(?<![感思理])想(?=[去要吃看买约请找带把跟和办学换])|(?<![觉记获取值懂])得(?=[去交上早赶起把先全在跟])|应该|必须|争取|希望|最好|马上|下次|能不能|可以|(?<!不)能(?![力量])"
)
_CANCELLED = LazyPattern("本来|原本|原定|原计划|本想|[去来]的[^，。]{0,4}(?:没|结果)|取消|以为")
# What nobody plans: it is told when it has happened.
_BEFELL = LazyPattern(
    r"摔|撞[上车倒]|晕|昏[倒迷]|骨折|崴|扭[伤到了]|烫[伤到]|吵[架翻]|吐[了血]|[发低高]烧|拉肚子|咳嗽|失眠|[牙头胃腰腿肚]子?疼|难受|"
    r"丢[了失]|走丢|被[偷骗打骂撞抢裁辞罚]|去世|过世|病逝|离世|漏水|停电|出事|出[了]?车祸|翻车|迟到|[锁手胳腿膝脚].{0,3}[断裂]"
)
_CAME_ABOUT = LazyPattern("(?:收|遇|碰|捡|听)到(?![^，。]*[就再后])")
_BEFALLS_NOT = LazyPattern("怕|万一|会|别|如果|要是|小心|防|不")
_DONE = LazyPattern(
    r"(?<!不)(?<!不[去来了成起上下完动到开行])了(?![解不就])|(?<![儿里家起店村])过(?![后敏年期节来去几两三头夜程分小大春元中端生周寿])|已经|曾|突然|忽然|才(?!能|会|可以|行)(?=.{0,8}(?:告诉|知道|说|到|回|来|发现|起|睡|走|完|好))|刚[才刚]?|当时|那天|那时|那会|那阵|来着|那[顿次趟回场]|没(?!事|关系|问题|空|时间|课|准|想|有[课空事时人])|(?<![出等的看拿取查到个])结果(?![出是])|后来|终于|[\u3400-\u9fff]的那[颗个次本条位场部件份杯瓶盘双]"
    r"|把.{1,12}(?:[埋放扔存挂贴摆]在|[送交还寄搬]给|[弄打搞摔撞吃喝卖写做修]完?[丢掉坏碎光])"
    r"|(?:[去来到买见识生走办拍做写考回搬始手业职辞发寄交订吃看聊聚学拿领签动住换养送画婚坏完"
    r"丢掉病疼哭试班])的[。！!～~ ]*$"
    r"|[面结离搬交发吃买看做拍办订考领签打辞认报写送开到去来飞走坐登住喝读拿落生摔求入退升调转戒]的(?!时候)[^，。的那]{1,5}$"
)
_LASTS = LazyPattern(
    r"[，,]?(?:就|才)?(?:正好|刚好|整整|足足|满|有|是)[^，。]{0,2}[一二两三四五六七八九十几半\d]+(?:周?年|个月)"
)  # 到八月正好三年
_NTH = LazyPattern(r"(?:是|都)?第[一二三四五六七八九十\d几]+[次回遍趟]了")
_NO_MORE = LazyPattern(r"不[\u4e00-\u9fff]{1,3}了(?![解不就])")  # 周二我不跑了: from now on, or this time
_STATE = LazyPattern(
    "很|特别|太|真|超|非常|有点|挺|觉得|感觉|一直|整天|都在|[玩吃睡聊]得|好[累开爽舒难]|在家|独自|在.{1,8}[着呢]"
)
_AFTERWARDS = LazyPattern("结果|后来|然后|没想到|才发现|回来|医生说")
_LOOKING = LazyPattern("紧张|期待|激动|担心|怎么办|加油|祝|倒计时|求")
_HABIT = LazyPattern(
    "(?:课|[早夜白晚习导趣训]班|训练|排练|例会|周会)[^，。！？]{0,8}改|每|一般|通常|经常|总是|都会|常常|平时|往往|老是"
    r"|(?<=[他她它我妈爸])都(?=[打来去回做炖包给吃喝])(?![^，。！？]*了)"
)
_ITSELF = LazyPattern("^(?:那一?天|当天)")  # of the date itself: 劳动节那天
_DEADLINE = LazyPattern(r"[之以]?前(?![天几年后面往一两])[^，。]")  # 周一前答复
# Nothing is left of that day: 三十号没票了, 三十号没了 lie ahead; 爷爷三十号没了 tells who died then.
_SOLD_OUT = LazyPattern(
    r"^的?(?:[车机]?票|房间?|位子?|座位?|号|名额)?(?:都|全|也|已经)*(?:没(?:有?(?:[车机]?票|房间?|位子?|座位?|号|名额)|有)?了"
    r"|[约订排坐]?满了|[卖抢]完了|售罄|卖光了)"
)
_GONE = LazyPattern(r"^没有?了")
_EMPTY = LazyPattern(r"(?:[\W_的就是在于]|早上|上午|中午|下午|晚上|晚|夜里|那天)*")


def sign_of(before: str, after: str) -> str | None:
    """What the words of a clause before and after a date tell; `PLAIN` without a mark, None without any words."""
    after = _ITSELF.sub("", after)
    text = before + after
    if _EMPTY.fullmatch(text):
        return None
    if _CANCELLED.search(text) or _LASTS.match(after):
        return MIXED
    if _ARRANGED.search(text) or _PROMISED.search(before) or _PUT_ON.search(before):
        return AHEAD
    if _SOLD_OUT.match(after) and not (_GONE.match(after) and before.strip()):
        return AHEAD
    done, will = _is_done(text), _WILL.search(text) is not None
    if (done and will) or (not done and _NO_MORE.search(text)):
        return MIXED
    if done:  # 下周就考试了 lies ahead as well as 周五就到了 lies behind
        return MIXED if after.lstrip("，, ").startswith("就") else BEHIND
    if will or _DEADLINE.match(after):
        return AHEAD
    if _CAME_ABOUT.search(text):
        return BEHIND
    if _BEFELL.search(text) and not _BEFALLS_NOT.search(text):
        return BEHIND
    return MIXED if _STATE.search(text) else PLAIN


def of_neighbour(text: str) -> str | None:
    """What a clause beside the dated one adds to it."""
    if _AFTERWARDS.search(text) and (_is_done(text) or _STATE.search(text)):
        return BEHIND
    if _ARRANGED.search(text) or _LOOKING.search(text):
        return AHEAD
    if _is_done(text) or _STATE.search(text):
        return MIXED
    return AHEAD if _WILL.search(text) else None


def is_arranged(text: str) -> bool:
    """Whether a clause tells that a day was fixed or moved: 婚礼定了, 酒席改了."""
    return _FIXED.search(text) is not None


def _is_done(text: str) -> bool:
    """Whether it is told as done; what is no more (我不跑了) and how often it was (第三次了) is not."""
    return _DONE.search(_NO_MORE.sub("", _NTH.sub("", text))) is not None


def is_habit(text: str) -> bool:
    return _HABIT.search(text) is not None
