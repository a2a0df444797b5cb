"""Matters of a life of which there is one at a time, by the words that say how it is and the words that say it turned.

Read by `core.changes.life_changes`: whoever tells that the boxes are unpacked lives no more where they did, though no
word of the two statements is the same. One matter a row: what holds, what tells that it is so no more, and whether the
two must share a word or a name (`SHARED`), because people have several of it. Plain data; both languages in each row.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re
from enum import IntEnum

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.fast_dataclasses import dataclass


class Tie(IntEnum):
    """What two statements must have in common beside the matter."""

    MATTER = 0  # nothing: of one person that is enough
    SHARED = 1  # a word that says something, or a name
    NEAR = 2  # that, in the clause or beside it, whoever is the subject of either


@dataclass(frozen=True, slots=True)
class Matter:
    """`holds`: how it is; `turns`: that it is no more so; `lasting`: what is told of the past may still be so.

    `between`: it is held with somebody else, who may be the subject of what tells that it turned.
    """

    name: str
    holds: LazyPattern
    turns: LazyPattern
    tie: Tie
    lasting: bool
    between: bool
    seek: str  # the plain words by which notes of the matter are found
    rule: bool  # of what is done as a rule: what is told of today changes nothing


_HOUSE = r"(?:house|flat|place|apartment|studio|room|bungalow|cottage|bedsit|loft|condo|digs|maisonette|annexe|(?:one|two|three|four)-bed)"
# It stands for itself: no new house number, no new flat screen.
_ALONE = r"(?=\W*$|[^\w\s]|\s(?:is|was|are|has|had|in|on|at|near|by|and|but|so|or|with|from|since|to|now|next|that|which|where|smells|feels|looks|came|comes|just|yesterday|today|tomorrow|this|last|already|finally|for|because|of|across|behind|over|above|as|we|i|it)\b)"
_AT = r"(?:at|in|near|on|by|above|below|outside|over|with|next)"
_WORKPLACE = r"(?:job|role|post|position|gig|placement|apprenticeship|internship|traineeship)"
_ILL = r"(?:flu|cold|cough|fever|bug|infection|tonsillitis|bronchitis|pneumonia|shingles|chickenpox|rash|migraine|laryngitis|covid|sore throat|hay fever|ear ?ache|tooth ?ache|stomach ache|food poisoning)"
_LIMB = r"(?:leg|arm|wrist|ankle|foot|knee|hip|back|shoulder|elbow|hand|finger|thumb|toe|neck|collarbone|rib|ribs)"
_RELATION = r"(?:girlfriend|boyfriend|partner|husband|wife|fianc[eé]e?|gf|bf|missus|hubby)"

_ROWS: tuple[tuple[str, Tie, bool, str, str], ...] = (
    (
        "home", Tie.MATTER, False,
        rf"\b(?:live|lives|living|lodg(?:e|es|ing)|based|rent|rents|renting|squatting|staying) (?:\w+ ){{0,3}}?{_AT}\b|\b(?:my|our|his|her|their) {_HOUSE}(?:['’]s| is)? (?:\w+ ){{0,3}}?{_AT}\b"
        rf"|(?:\b(?:am|is|are)|['’](?:m|re|s)) (?:still )?in an? (?:[\w-]+ ){{0,3}}{_HOUSE}\b|\b(?:have|has|got|own) an? (?:[\w-]+ ){{0,2}}(?:farmhouse|{_HOUSE}) {_AT}\b|\bin (?:halls|a dorm|dorms|student accommodation|a hostel)\b"
        r"|住(?![院校过])(?!.{0,4}(?:天|晚|夜|周|星期)(?:$|[，。]))|合租|租在|租的|租了|家在|挤在|蜗居|安家|宿舍",
        rf"\b(?:got|picked up|collected|have|handed over|handed in) (?:the |our |my )?keys\b|\bkeys (?:to|for) (?:the|our|my|a) (?:new )?{_HOUSE}|\bunpack(?:ed|ing)\b|\bboxes everywhere\b|\bsettled in(?:to)?\b|\b(?:my|our|the|a|his|her|their) new {_HOUSE}\b(?!['’]s (?:phone|number)){_ALONE}"
        rf"|\bsigned (?:for an? |the lease|a lease|a tenancy)|\bmoved? (?:in|into|out|house|home|flat)\b|\b(?:have|has|['’]ve|['’]s|just) moved\b|\bmoving (?:in|into|out)\b|\bsold up\b|\bbeen in (?-i:[A-ZÀ-Þ])\w+ (?:for )?(?:an?|one|two|three|four|five|six|\d+|some|nearly \w+|about \w+) (?:days?|weeks?|months?|fortnight)"
        rf"|\bwanted (?:the|our|my) {_HOUSE} back\b|\b(?:kicked|chucked|turfed) (?:me|us|him|her|them) out\b|\bevicted\b|\bdownsized\b|(?:\b(?:am|is|are)|['’](?:m|re|s)) (?:now )?in an? (?:[\w-]+ ){{0,3}}{_HOUSE} (?:in|near|outside) (?-i:[A-ZÀ-Þ])|\bgot (?:my|his|her|their|our) own {_HOUSE}\b|\bhome-?owners?\b|\bbought (?:an?|my|our|his|her|their) (?:first |own |little |new ){0,2}{_HOUSE}\b|\bcompleted on the {_HOUSE}\b|\bgot on the (?:property|housing) ladder\b|\brelocated\b|\bemigrated\b"
        r"|搬(?:家(?!公司|预约|打包|服务|费|日|收纳|师傅)|进|到|去|回|出|走|离|过去|过来)(?!.{0,6}(?:柜子|箱|沙发|桌|床|货|砖|东西))|(?:新房|新家|房子|公寓).{0,4}(?:钥匙|交房|入住)|钥匙拿到|(?<!拎包)(?<!可)入住(?!率|日期|时间|提醒|登记|手续|证|前|.{0,4}酒店)|退租|换了?(?:个|套|间|了)?(?:房子?|住处|住的地方)|租到了?|买了(?:套|个|一套).{0,6}(?:房|居|公寓|别墅)|不让住|落脚|安家|定居"
        r"|(?:在.{1,8})?(?:找|租)了(?:个|间|套)(?:单间|房|公寓|一居|两居|一室)|被.{1,6}接(?:到|去|走)",
    ),
    (
        "work", Tie.MATTER, False,
        r"\b(?:i|we|he|she|they|who|mum|dad|(?-i:[A-Z])\w+)(?: (?:still|also|usually|only|mostly|currently))? (?:work|works)\b(?! out)|\b(?:am|is|are|['’]m|['’]s|['’]re) working (?:at|for|in|as|with|on the)\b|\b(?:teach|teaches|teaching|temp|temps|temping|freelance|freelances|freelancing|intern|interning|apprentice)\b|\b(?:my|his|her) job\b|(?:['’]m|\bam|['’]s|\bis) an? (?:[\w-]+ ){0,2}(?:nurse|midwife|doctor|teacher|chef|cook|pilot|lawyer|solicitor|driver|waiter|waitress|barista|cleaner|plumber|electrician|"
        r"builder|joiner|carpenter|mechanic|engineer|programmer|developer|designer|accountant|bookkeeper|clerk|cashier|receptionist|secretary|librarian|lecturer|tutor|carer|vet|dentist|paramedic|firefighter|soldier|police officer|policeman|policewoman|postman|postie|courier|farmer|gardener|baker|butcher|hairdresser|barber|tailor|tiler|decorator|roofer|welder|"
        r"journalist|editor|translator|photographer|musician|actor|manager|salesman|consultant|analyst|estate agent|warden|guard|porter|physio|therapist|pharmacist|optician|surveyor|architect|temp|trainee|apprentice|intern|au pair|nanny|childminder|flight attendant|civil servant)\b|\bdo (?:the )?(?:accounts|admin|payroll|books|reception|marketing|it support)\b|\b(?:on|at) the (?:front )?(?:desk|till|tills) (?:of|at|in)\b"
        r"|上班(?!路上|时)|在.{1,12}工作|做.{1,8}工作|工作是|的工作(?=$|稳)|实习|打工|任教|教书|做(?=客服|销售|会计|财务|行政|运营|设计|保安|护工|护士|前台|文员|司机|厨师|快递|外卖|家教|老师|编辑|测试|程序|开发)|当(?=客服|销售|会计|保安|护工|护士|老师|司机|厨师|医生|教练|编辑|店长|店员)|跑(?=滴滴|网约车|外卖|出租|快递|业务|货运|长途)|班主任|是(?:[\u4e00-\u9fff]{0,6})(?:老师|护士|医生|司机|会计|程序员|律师|厨师|警察|公务员|编辑|记者|设计师|工程师|保安|销售|客服|店长|护工|快递员|外卖员|导游|翻译|教练)|在(?:国企|外企|央企|私企|机关|事业单位)",
        rf"\b(?:my|her|his) last (?:day|shift|week) (?:at|in|with|for) (?!school|uni|the (?:beach|hotel|hospital))|\b(?:hung|hanging) up (?:the|my|her|his)\b|\bhand(?:ed|ing) in (?:my|her|his) (?:notice|resignation|badge|laptop|lanyard|keys)\b|\bgave (?:in )?(?:my|her|his) notice\b|\b(?:took|taken|taking) (?:early )?(?:retirement|voluntary redundancy|redundancy)\b|\bretir(?:ed|es|ing)\b|\bmade (?:me|him|her|us) redundant\b|\bmade redundant\b"
        rf"|\blet (?:me|us|him|her|half of us|some of us|most of us|half the team|lots of us) go\b|\blaid off\b|\bgave (?:me|him|her|us) the (?:boot|sack|push|elbow|axe|chop|heave-ho)\b|\b(?:i|he|she)(?:[\'’][ms])? start(?:s|ing|ed)? (?:at|with|for) (?:the |an? )?(?!\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|noon|beginning|gym|back|top|bottom|end|first|last|school|uni|college|nursery|new year)[\w]|\b(?:got|been|was) (?:sacked|fired|made redundant|let go|poached|headhunted)\b|\bgone (?:in-house|freelance|self-employed|part-time|full-time|solo)\b|\bwent (?:freelance|self-employed|in-house|solo)\b|\bfirst payslip\b|\b(?:took|taken|taking) (?:me|him|her) on\b"
        rf"|\b(?:(?:start(?:ed|ing)?|got|landed|accepted|took|taken) (?:\w+ ){{0,2}}?new {_WORKPLACE}|got the {_WORKPLACE})\b|\b(?:quit|left|chucked|packed in|jacked in|ditched) (?:my|her|his|the) {_WORKPLACE}\b|\bswitched careers?\b|\bchange of career\b|\b(?:re)?train(?:ed|ing) (?:as|to be|to become)\b|\bset up (?:on my own|my own|her own|his own|a business)\b"
        rf"|\b(?:packed|jacked|chucked|chucking|packing|jacking) in (?!your)\w+|\bopening (?:a|an|her own|his own|my own|our own) (?:\w+ )?(?:bakery|shop|caf[eé]|restaurant|salon|studio|practice|business|bar|pub|garage)\b|\b(?:moved|transferred) to (?:the )?(?:\w+ )?(?:team|department|office|branch|ward|desk|division)\b|\bhanging (?:it|them) up\b|\bno more (?:night ?shifts|temping|shifts|commuting)\b"
        r"|撂挑子|不干了|(?<!告)辞(?!典|别|职报告|职信|职书|呈)|离职(?!报告|信|书|申请|手续|流程|证明)|入职|(?:去|来).{1,10}报到|跳槽|转行|改行|下海|被裁|裁员了|(?:把我|被)(?:辞|炒|开了|优化|劝退)|退伍|干够了|开除|炒了|失业|下岗|退休了|转到.{1,8}(?:做|当|科|部|组|岗)|调(?:到|去|任|往).{1,8}(?:处|科|部|组|校|局|院|分公司|办公|坐|上班|工作|当|做|了)|自己(?:开了|注册|创业|单干)|合伙.{0,4}开|创业|单干|(?:车|单|滴滴|外卖|快递|业务)不跑了|没留我|没留用|换(?:了|个)?(?:工作|单位|公司|岗|东家)|新(?:公司|单位|工作|岗位|东家)|拿到.{0,6}offer|录用(?!条件)|不带班|转业|最后一天班|结束实习|实习结束",
    ),
    (
        "trial", Tie.MATTER, False,
        r"\b(?:temp|temps|temping|intern|interning|internship|on (?:probation|trial)|trainee|apprentice|casual)\b|实习|试用|临时工|学徒",
        r"\bmade (?:me|him|her|us) (?:permanent|staff|a junior|up to)|\b(?:took|taken|kept) (?:me|him|her) on\b|\b(?:got|have) (?:a )?permanent (?:contract|job|position)\b|转正|留用|签了正式",
    ),
    (
        "couple", Tie.MATTER, True,
        rf"\b(?:seeing|dating|going out with|been with|together with|in love with) (?!the (?:doctor|dentist))|\b(?:my|his|her) {_RELATION}\b|\bmarried\b|\bengaged\b|\bare (?:a couple|together|an item)\b|处(?:对象|朋友|着)?(?=$|[，。呢着])|跟.{{1,8}}(?:处|谈|好上|在一起)|对象|男朋友|女朋友|老公|老婆|男友|女友|结婚|已婚|订婚|未婚[妻夫]",
        r"\bbetter (?:off )?(?:as|being|just) (?:friends|mates)\b|\b(?:broke|broken|split|splitting|breaking) up\b|\b(?:wedding|engagement)(?:['’]s| is| was| got) (?:off|called off|cancelled)\b|\bgave (?:him|her|me|back) the ring(?: back)?\b|\b(?:going|doing it) through (?:a mediator|lawyers|the lawyers|a divorce)\b|\b(?:got|getting|want(?:s|ed)?|filed for|asked for) (?:a |the )?divorce\b|\bdivorced\b|\bit['’]?s over (?:between|with)\b|\bwe['’]?re (?:done|finished|over)\b"
        r"|\b(?:dumped|left|ditched) (?:me|him|her)\b|\bcalled it (?:quits|a day)\b|\bsingle again\b|\bgone our separate ways\b|\bnot (?:together|seeing each other)\b|\bended (?:it|things)\b|\bmy ex\b|\b(?:doesn|don)[\'’]t love (?:me|him|her) any ?more\b|\bchucked (?:me|him|her|(?-i:[A-Z])\w+)\b|到此为止|不爱了|踹了(?![我他她你您它].{0,2}[脚下])|断了联系|没成$|(?:我俩|我们俩?|他俩|婚事|亲事|对象|那边|俩人).{0,6}(?:吹|黄|掰|散|没成|拉倒|完了|告吹)|分手|分开了|离婚|离了|退婚|悔婚|婚.{0,4}(?:吹了|黄了|不结了|取消)|把我甩|被甩",
    ),
    (
        "single", Tie.MATTER, True,
        r"\bsingle\b(?! (?:day|time|one|thing|bed|room|mum|mom|dad|parent))|\bgiven up on (?:dating|love|men|women)\b|\bhappy on my own\b|\bon my own (?:these days|now)\b|\bdivorced\b|\bwidowed\b|\bnot seeing anyone\b|单身|离异|没对象|没有对象|没谈|丧偶|一个人过",
        r"\b(?:have |['’]ve |i )met (?:someone|somebody|a (?:guy|man|woman|girl|bloke|lad))\b|\bseeing (?:someone|somebody|a (?:guy|man|woman|girl|bloke|lad)|this)\b|\bgot (?:together|engaged|married|hitched|a (?:girlfriend|boyfriend))\b|\b(?:have|['’]ve got) a (?:girlfriend|boyfriend)\b|\bremarried\b|\bproposed\b|\bnot single\b|再婚|脱单|处(?:上|了)(?:个|一个)?(?:对象)?|好上了|谈上了|谈(?:了|着)个|有(?:了)?(?:对象|男朋友|女朋友)了?|领证|订婚|结婚了|找着(?:对象|人)",
    ),
    (
        "promised", Tie.MATTER, False,
        r"\bengaged\b|\bfianc[eé]e?\b|\bgetting married\b|订婚|未婚[妻夫]|要结婚|准备结婚",
        r"\b(?:we|i|they)(?:['’]ve)? (?:got|just got|finally got) married\b|\btied the knot\b|\bgot hitched\b|\beloped\b|\bmy husband now\b|\bmy wife now\b|领证了|结婚了|办完婚礼|婚礼办完|嫁给他了|娶了她",
    ),
    (
        "quarrel", Tie.NEAR, True,
        r"\b(?:isn['’]?t|aren['’]?t|not|stopped|haven['’]?t been) (?:speaking|talking) to\b|\bfell out with\b|\bfallen out with\b|\bcan['’]?t stand my\b|\bdon['’]?t get (?:on|along) with\b|\bhad (?:a |this |such a )?(?:fight|row|argument) with\b|冷战|吵架了|吵了一架|闹翻|闹掰|合不来|不说话|不理我|处不来|绝交|闹别扭",
        r"\b(?:made|patched) (?:it |things )?up\b|\bget(?:ting)? (?:on|along) (?:brilliantly|great|fine|well|like|so well|really well)\b|\bpeas in a pod\b|\b(?:speaking|talking) again\b|\bmade peace\b|\bburied the hatchet\b|\bcleared the air\b|和好|话说开|说开了|道歉了|不闹了|亲得|讲和|握手言和|处得(?:挺|很|可)?好|解开(?:了)?(?:心结|疙瘩)",
    ),
    (
        "animal", Tie.SHARED, True,
        r"\b(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|budgie|canary|turtle|tortoise|horse|pony|bird|guinea pig|ferret|lizard|gecko|snake|goldfish|fish|hen|chicken|duck|goat|pug|corgi|poodle|beagle|labrador|lab|retriever|terrier|husky|spaniel|collie|greyhound|whippet|dachshund|alsatian|boxer|tabby|siamese|ragdoll|tomcat|pet|called|named)s?\b"
        r"|猫|狗|犬|兔|仓鼠|鹦鹉|乌龟|金鱼|鱼缸|柯基|金毛|哈士奇|泰迪|布偶|柴犬|边牧|拉布拉多|比熊|柯基|二哈|中华田园|英短|美短|龙猫|刺猬|鸽子|八哥|画眉|鸡|鸭|鹅|羊|叫[\u4e00-\u9fff]{1,4}$",
        r"\b(?:we|i|they|he|she)(?:['’]ve| have| had to)? (?:lost|bury|buried|put) (?:her|him|\w+)(?: down| to sleep)?(?= (?:on|last|this|in|yesterday|at)\b|$)|\bno \w+ left\b|\brehomed\b|\bhas (?:him|her|it|them) now\b|\btoo much for\b.{0,30}\b(?:so|and)\b|\b(?:ran|run|flew|flown) (?:away|off)\b|\bnever came back\b|\b(?:slipped|passed) away\b|\b(?:died|is gone|got run over|was run over|got hit)\b"
        r"|走了$|没了$|(?<![锁堵气笑累饿渴困热冷吓忙急烦卡])死了|送.{1,6}(?:乡下|老家|家里).{0,2}去|(?:都|全|也)?(?:飞|跑|丢)了$|送(?:人|给|去|走|到|.{1,6}(?:家|乡下|那))(?!.{0,3}(?:礼物|信))|去了?(?:汪|喵)星|安乐死",
    ),
    (
        "travels", Tie.MATTER, False,
        r"\b(?:get|go|goes|gets|come|comes|travel|commute)s? to (?:work|school|uni|the office) (?:on|by)\b|\b(?:drive|drives|cycle|cycles|walk|walks|ride|rides) to (?:work|school|uni|the office)\b|(?:骑|坐|开|走).{0,8}(?:上班|上学|去单位|去公司)",
        r"\b(?:it['’]s|so it['’]s|so) the (?:tram|bus|train|tube|metro|bike|car) (?:for me|now|these days)\b|\bi (?:drive|cycle|walk|bus it|take the \w+|get the \w+) (?:to work |in )?(?:now|these days)\b|改(?:坐|骑|开|走|乘|搭)|换成?(?:坐|骑|开)|现在(?:坐|骑|开|走).{0,8}(?:上班|上学)",
    ),
    (
        "vehicle", Tie.MATTER, True,
        r"\b(?:drive|drives|driving) an? |\b(?:my|our) car\b|\brun (?:about|around) in\b|开(?:的是|着)?一?辆|开(?=捷达|大众|丰田|本田|宝马|奥迪|特斯拉|五菱|吉利|奔驰|别克|比亚迪)|我的?车是",
        r"\bfailed (?:its|the) mot\b|\bwrote (?:it|the \w+) off\b|\b(?:part[- ]exchanged|traded in|scrapped)\b|\b(?:picked up|bought|got|lent the money for|leasing|leased|taken delivery of) (?:an? |the |my |our )(?:new |little |second-?hand |used |electric ){1,3}(?:car\b|van\b|(?-i:[A-Z])\w+)|提了(?:辆|台)|提车|换了?(?:辆|台)(?:新|二手)?|买了(?:辆|台)(?:新|二手)?(?:车|新能源|电车|轿车|SUV)|车.{0,4}(?:卖了|报废|当废铁)",
    ),
    (
        "smoke", Tie.MATTER, True,
        r"\bsmok(?:e|es|ing|er)\b|\b(?:cigarettes|fags|cigs|ciggies|vape|vapes|vaping)\b|抽烟|吸烟|(?:一天|每天).{0,4}[包盒根支](?:烟|，|$)|烟.{0,4}(?:离不开|一天|每天)|[抽离]不开烟",
        r"\bwithout (?:an? |one )?(?:fag|cigarette|smoke|cig|puff)\b|\bsmoke-?free\b|\b(?:quit|stopped|packed in|given up|gave up|kicked|off) (?:the )?(?:smoking|fags|cigarettes|cigs|vaping|smokes)\b|\bhaven['’]?t (?:smoked|had a (?:fag|cigarette|smoke)|touched a (?:fag|cigarette))\b|\bnon-?smoker\b|烟.{0,10}(?:没碰|没抽|戒|断了|不抽|掐了|扔了)|戒烟(?!.{0,3}(?:失败|难|没))|不抽烟了|没碰过?烟",
    ),
    (
        "drink", Tie.MATTER, True,
        r"\b(?:glass|glasses|bottle|pint|pints|can|couple) of (?:red|white|wine|beer|cider|lager|ale|gin|whisky|bubbly)\b|\bdrinks? (?:wine|beer|too much|a lot|every|most nights|gin|whisky)\b|\b(?:heavy|big) drinker\b|喝.{0,4}(?:酒|两盅|二两|小酒|啤的|白的|红的)|两盅|小酌",
        r"\bnot a drop\b|\b(?:sober|teetotal|on the wagon|alcohol-?free|off the (?:booze|drink|wine|beer))\b|\b(?:quit|stopped|given up|gave up|packed in) (?:the )?(?:drinking|alcohol|booze|wine|beer|drink)\b|\bhaven['’]?t (?:had a drink|drunk|touched a drop)\b|\bdon['’]?t drink\b|酒.{0,8}(?:断了|戒|不喝|没碰|不沾|没沾)|滴酒不沾|戒酒",
    ),
    (
        "coffee", Tie.MATTER, True,
        r"\b(?:don['’]?t|never|can['’]?t|gave up|given up|off) (?:drink )?(?:coffee|caffeine)\b|不喝咖啡|不碰咖啡|戒了咖啡",
        r"\bon (?:\w+ ){1,2}(?:flat whites?|espressos?|lattes?|coffees|americanos?|cappuccinos?) a day\b|\b(?:drink|drinking|hooked on|addicted to|can['’]?t (?:live|start|function) without|need my) (?:my )?coffee\b|咖啡.{0,6}(?:成了|续命|离不开|一天|上瘾)|喝上咖啡|离不开咖啡",
    ),
    (
        "eating", Tie.MATTER, True,
        r"\b(?:vegan|vegetarian|veggie|pescatarian|(?:dairy|gluten|sugar|meat)[- ]free|lactose intolerant|coeliac|celiac|keto)\b|\bdon['’]?t eat (?:meat|dairy|gluten|bread|fish|sugar)\b|吃素|素食|不吃肉|不吃荤|乳糖不耐|忌口|喝牛奶就",
        r"\b(?:eat|eats|eating|ate) (?:meat|cheese|bread|dairy|fish|everything|steak|bacon|chicken) (?:again|now|ever since|like|these days|with no)\b|\bfell off the wagon\b|\bmisdiagnos|\bback on (?:meat|dairy|bread|gluten|sugar|fish)\b|\bmeat is (?:back )?on the menu\b|\bnot (?:a )?(?:vegan|vegetarian|veggie|coeliac|lactose intolerant)\b|开荤|吃(?:上|回)肉|又吃肉|破戒|不忌口|(?:喝|吃)(?:牛奶|奶|面|肉|海鲜).{0,6}(?:没事|不拉|一点事)|还俗",
    ),
    (
        "eats all", Tie.MATTER, False,
        r"\b(?:love|loves|eat|eats|big) (?:my |a |an? good )?(?:meat|steak|bacon|burgers?|roasts?)\b|\bmeat[- ]eater\b|无肉不欢|爱吃肉|顿顿有肉",
        r"\b(?:gone|went|turned|become|became|going) (?:vegan|vegetarian|veggie|pescatarian|plant-based)\b|\b(?:given|gave) up meat\b|\bno meat (?:since|for|now)\b|\b(?:i|we)['’]?(?:m|re) (?:vegan|vegetarian|veggie) now\b|(?:开始|改|转)吃素|吃素了|不吃肉了|戒(?:了)?肉",
    ),
    (
        "unwell", Tie.MATTER, True,
        rf"\b{_ILL}\b|\bin (?:the )?hospital\b|\b(?:poorly|unwell|under the weather|off sick|bedridden)\b|\b(?:is|am|['’]m|['’]s|been) (?:really |so |quite )?(?:ill|sick)\b|感冒|咳嗽|发烧|高烧|扁桃体|肺炎|拉肚子|带状疱疹|流感|阳了|胃疼|嗓子疼|头疼|生病|病了|烧到|住院",
        r"\b(?:all|much|feeling|lots|loads|fully|completely|finally) better\b|\bvoice(?:['’]s| is)? back\b|\bon the mend\b|\bright as rain\b|\bback on (?:my|her|his|their) feet\b|\bshaken (?:it|the \w+) off\b|\bshook (?:it|the \w+) off\b|\bcleared up\b|\bover (?:the|that|my|his|her) (?:flu|cold|cough|bug|worst)\b|\bfit as a fiddle\b|\b(?:got|came|come|is|back) home\b|\bdischarged\b|\bout of hospital\b|\brecovered\b|\bgot the all[- ]clear\b"
        r"|好利索|(?:病|感冒|咳嗽|烧|嗓子|肚子|身体|总算|终于|已经|都|全)(?:也|总算|终于|就)?好了|痊愈|退烧|出院了?|回家了|回家养|不咳了|不烧了|不疼了|活蹦乱跳|缓过来|康复|转阴|好多了",
    ),
    (
        "injury", Tie.MATTER, True,
        rf"\bin (?:plaster|a cast|a sling|a boot|a brace|traction)\b|\bon crutches\b|\b(?:plaster|stitches|crutches|sling)\b|\b(?:broken|broke|sprained|fractured|twisted|dislocated|dodgy|bad) (?:\w+ )?(?:{_LIMB})\b|\b{_LIMB}(?:['’]s| is) (?:broken|sprained|bad|playing up|knackered|in plaster)\b|\bcan(?:not|['’]?t|n['’]?t)? (?:barely|hardly|hardly even)? ?walk\b|\bin a bad way\b"
        r"|石膏|拐杖|骨折|崴了?脚|脚崴|扭[伤了]|韧带|打着绑带|缝了.{0,3}针|腰[间椎闪不]|腰疼|走不了路|下不了床|瘸",
        rf"\b(?:cast|plaster|stitches|sling|boot|brace|bandages?)(?: is| are|['’]s| came| come| have| has)? (?:come |came |is |are |been )?(?:off|out)\b|\b(?:ditched|binned|off|without) (?:the )?crutches\b|\bnew (?:hip|knee)\b|\b{_LIMB}(?:['’]s| is) (?:as good as new|sorted|mended|fixed|cured|healed|better|fine again|mended|good as new)\b|\bhealed\b|\b(?:walking|running|dancing|danced|walks|ran|back running) (?:again|at|without)\b|\bback on (?:my|his|her|their) feet\b"
        r"|石膏.{0,4}(?:拆|卸|摘)|拆(?:了)?(?:石膏|线|绷带)|(?:能|可以)(?:走|跑|下地|下床)(?:路|步)?了|(?:腿|脚|腰|手|膝盖|胳膊|骨头)(?:也|总算|都|终于)?(?:好了|不疼了|长好|恢复|利索)|扔了拐|甩开拐杖",
    ),
    (
        "expecting", Tie.MATTER, False,
        r"\b(?:pregnant|expecting|having a baby|due in|due on|with child|having twins)\b|\bbaby(?:['’]s| is) due\b|怀孕|怀着|预产期|快生了|要生了|有喜",
        r"\bgave birth\b|\b(?:had|has had) (?:the|her|a|their) (?:baby|boy|girl|little (?:boy|girl))\b|\b(?:it['’]?s|had) a (?:boy|girl)\b|\b(?:she|he|baby)(?:['’]s| is) here\b|\b(?:six|seven|eight|nine|ten|five|\d) (?:pounds?|lbs?)\b|\bwas born\b|\bborn (?:on|last|this|at|in the)\b|\bmiscarried\b|\blost the baby\b|生了|出生了|大胖小子|母[子女]平安|(?:当|做)(?:妈|爸|舅|姑|姨|爷爷|奶奶|姥姥)了|千金|流产|孩子没保住",
    ),
    (
        "home office", Tie.MATTER, False,
        r"\bwork(?:s|ing)? (?:from home|remotely)\b|\bfully remote\b|居家办公|在家办公|远程办公",
        r"\bin the office (?:\w+ ){1,2}(?:days?|times?)\b|\bback (?:in|to|at) the office\b|\bhave to (?:go|come) in(?:to the office)? (?:every|\w+ days)\b|\breturn to (?:the )?office\b|返岗|坐班|全员到岗|回公司上班|取消居家|天天挤地铁",
    ),
    (
        "hair", Tie.MATTER, False,
        r"\b(?:my|her|his) hair(?:['’]s| is| comes| goes)? (?:\w+ ){0,3}?(?:long|waist|shoulders?|short|blonde|blond|brown|red|dyed|pink|blue|black|down|curly)\b|\b(?:long|short|blonde|brown|pink|blue|red) hair\b|头发.{0,4}(?:长|短|黑|黄|染|到)|长发|短发|马尾",
        r"\b(?:chopped|cut|hacked|lopped) (?:it |my hair |her hair |his hair )?(?:all )?off\b|\b(?:it['’]s|got|had|have) a (?:bob|pixie(?: cut)?|buzz ?cut|crop)\b|\bshaved (?:it|my head|her head|his head)\b|\bdyed (?:it|my hair|her hair)\b|\b(?:gone|went) (?:blonde|brunette|ginger|grey|pink|blue|red)\b|剪(?:了|成)(?:个)?(?:短|寸|板寸|齐耳)|一剪刀下去|剃(?:了|光)|染(?:成|了|回)|烫(?:了|成)",
    ),
    (
        "eyesight", Tie.MATTER, False,
        r"\bwear(?:s|ing)? (?:glasses|contacts|contact lenses|specs)\b|戴(?:着)?眼镜|近视.{0,4}度|戴隐形",
        r"\blaser (?:eye )?(?:surgery|done)\b|\beyes (?:done|lasered)\b|\bdon['’]?t need (?:my )?(?:glasses|specs|contacts)\b|\b(?:switched|gone over|moved) to (?:contacts|glasses|lenses)\b|做了激光|眼镜.{0,3}(?:摘|扔|不戴)|不用戴眼镜|改戴隐形",
    ),
    (
        "schooling", Tie.MATTER, False,
        r"\b(?:in|at) (?:year|grade) \w+\b|\b(?:in|at) (?:nursery|preschool|reception|kindergarten|primary|middle school|high school|sixth form)\b|\bgoes to (?:[\w'’]+ ){1,3}(?:nursery|primary|school|preschool|academy|kindergarten|college)\b|(?:上|读|念)(?:小学|初中|高中|中学|幼儿园|小班|中班|大班|托班|.{0,4}年级|高[一二三]|初[一二三])|在.{1,10}(?:幼儿园|小学|中学|托儿所)",
        r"\b(?:started|starts|starting|begun|moved up to|gone up to|off to|began) (?:big school|secondary|secondary school|high school|primary|primary school|reception|uni|university|college|year \w+|nursery|school)\b|\b(?:took|taken|pulled|moved) \w+ out of\b|\bchanged (?:schools?|nurser(?:y|ies))\b|\bat a new (?:school|nursery)\b|上(?:初中|高中|大学|小学|幼儿园)了|升(?:初|高|到|入|上|大班|中班|小班|[一二三四五六]年级)|\b(?:gone|moved) up to\b|(?:转|换|挪)(?:到|去|进)?了?.{1,10}(?:幼儿园|小学|中学|学校|托儿所|附小|附中)|转(?:学|园|校)了?|考(?:上|进)了?.{1,10}(?:中|大学|学院|高)",
    ),
    (
        "age", Tie.MATTER, False,
        r"(?:\b(?:is|are|am)|['’](?:s|m)) (?:only |just |nearly |still )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen)(?: and a half)?(?: years old)?$|[\d一二两三四五六七八九十半]+岁半?$",
        r"\b(?:had|celebrated|for) (?:her|his|my|their) (?:\w+th|first|second|third|\d+(?:st|nd|rd)|\w+-(?:first|second|third)) birthday\b(?! (?:party )?(?:is|on))|过完?了?.{1,5}岁生日",
    ),
    (
        "fear", Tie.SHARED, True,
        r"\b(?:terrified|scared|afraid|frightened|petrified|phobia|nervous) (?:of|about)\b|怕|恐|不敢",
        r"\bwithout (?:so much as )?a (?:wobble|panic|fuss|qualm|flinch)\b|\bdoesn['’]?t (?:bother|scare|frighten|faze) me\b|\bnot (?:scared|afraid|bothered|frightened) (?:of|by|any)|\bgot over (?:my|the) (?:fear|phobia)\b|\bno (?:bother|problem) (?:with|now)\b|\bfine (?:around|with|about|on|in)\b|\bcured of\b|不怵|不怕|不慌|敢(?:了|坐|走|上|下|摸|碰|开)|没那么怕|克服",
    ),
)  # fmt: skip

_SEEK = {
    "home": "live living flat house apartment place studio room rent halls 住 租 宿舍 家", "work": "work job teach driver nurse office shop 工作 上班 实习 老师 公司",
    "trial": "temp intern trainee 实习 试用", "couple": "seeing dating married girlfriend boyfriend husband wife partner 对象 男友 女友 老公 老婆 结婚",
    "single": "single dating divorced 单身 离异 对象", "promised": "engaged fiance wedding 订婚 结婚", "quarrel": "speaking talking row 冷战 吵架 闹翻",
    "animal": "dog cat pet puppy kitten hen rabbit 狗 猫 宠物 鹦鹉 养", "travels": "work bus bike drive cycle walk tram 上班 骑车 坐 地铁",
    "vehicle": "drive car 车 开", "smoke": "smoke cigarettes fags vape 抽烟 烟", "drink": "wine beer drink glass 喝酒 酒 两盅", "coffee": "coffee caffeine 咖啡",
    "eating": "vegetarian vegan meat dairy gluten free 吃素 素食 牛奶 肉", "eats all": "meat steak 肉", "unwell": "ill sick cold flu cough fever 感冒 咳嗽 发烧 生病",
    "injury": "plaster cast broken wrist ankle knee hip leg back 石膏 骨折 脚 腰", "expecting": "pregnant expecting baby due 怀孕 预产 生",
    "home office": "work home remotely 居家 办公", "hair": "hair 头发", "eyesight": "glasses contacts 眼镜 近视",
    "schooling": "school nursery year primary 学校 幼儿 小学 年级 初中", "age": "old years 岁", "fear": "afraid scared terrified 怕",
}  # fmt: skip
_RULES = frozenset({"travels", "drink", "coffee", "eating", "eats all", "smoke", "home office"})
_BETWEEN = frozenset({"couple", "promised", "quarrel", "animal"})
MATTERS: tuple[Matter, ...] = tuple(
    Matter(
        name,
        LazyPattern(holds, re.IGNORECASE),
        LazyPattern(turns, re.IGNORECASE),
        tie,
        lasting,
        name in _BETWEEN,
        _SEEK[name],
        name in _RULES,
    )
    for name, tie, lasting, holds, turns in _ROWS
)
