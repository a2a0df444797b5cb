"""Words of what nobody is expected to remember, and of what lends a plain statement weight, Chinese and English.

Read by `importance_rating` alone, beside `important_events`. What is trifling is about the weather, a meal, a chore, a way to work,
an evening on the sofa, a passing state of the body or a thing that does not work. Patterns are flat.
"""

# A row stands on long lines, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.wordlists.important_events import Reason


def _words(english: str, chinese: str) -> LazyPattern:
    return LazyPattern(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


TRIFLES: tuple[tuple[Reason, LazyPattern], ...] = (
    (
        Reason.WEATHER,
        _words(
            r"weather|rain(?:s|y|ing|ed|drops)?|drizzl\w+|snow(?:s|y|ing|ed)|sleet\w*|hail(?:ing|ed)?|sunny|sun['’]?s (?:out|finally)|the sun|sunshine|cloudy|clouds|overcast|foggy|mist(?:y)?|wind(?:y|s)?|gust\w*|breez\w+|humid|muggy|heatwave|frost(?:y)?|icy|storm(?:y|s)?|thunder\w*|forecast|freezing|chilly|boiling|roasting|degrees|umbrella|puddles?|(?:so|too|really|bit|very|pretty) (?:hot|cold|warm)|gr[ea]y (?:day|out|sky)|sky",
            r"天气|下雨|下雪|雨(?:停|大|小|下)|毛毛雨|暴雨|阵雨|刮风|风(?:好|真|很|太|挺)?大|大风|太阳|晴|阴天|多云|雾霾|雾(?:好|很|太)大|起雾|闷热|(?:好|真|太|有点|挺|超)(?:热|冷|凉|闷|晒)|降温|升温|气温|台风|打雷|雷阵雨|雨伞|零下|\d+度|晒(?:了|的)?(?:被子|衣服)|回南天|返潮",
        ),
    ),
    (
        Reason.MEAL,
        _words(
            r"(?:for|had|having|made|ate|eat|cooked|skipped|grabbed|ordered|heated|microwaved)(?: (?:some|a|an|my|the|another|up|leftover|too much|more|myself|us))* (?:breakfast|brunch|lunch|dinner|tea|supper|snacks?|leftovers|soup|\w+ soup|toast|beans on toast|sandwich(?:es)?|salad|pasta|pizza|noodles|ramen|curry|rice|cereal|porridge|eggs?|omelet\w*|burger|chips|crisps|biscuits?|cookies|cake|banana|apple|yog\w+|takeaway|sushi|tacos?|stir.?fry|jacket potato|coffee|latte|cappuccino|flat white|espresso|cup of tea|cuppa|brew|juice|beer|pint)|"
            r"(?:lentil|tomato|chicken|onion|pea|leek|vegetable|mushroom|pumpkin) soup|flat white|latte|cappuccino|cuppa|takeaway|leftovers|microwave\w*|(?:my|the) (?:tea|coffee|toast|soup|lunch|dinner|noodles?)(?:['’]?s| is| was| has| went| got|,)|(?:bit|too|so) (?:salty|bland|spicy|greasy)|burnt the toast|peckish|starving|hungry|full up|stuffed|thirsty|snack\w*|coffee (?:machine|number)|second coffee|chips for|sandwich",
            r"早饭|早餐|午饭|午餐|中饭|晚饭|晚餐|夜宵|宵夜|外卖|点了(?:个|份)|(?:吃|喝|煮|炒|泡|买|点|啃|嚼|蒸|炸)(?:了|过|的|着|完)?(?:一?个|一?碗|一?杯|一?份|一?盘|两个|两碗|两杯|半个|点|些|口|根|袋|包|瓶|罐|顿)?[^，。！？\s]{0,4}(?:面(?![试对前子积膜])|饭|粥|汤|饺子|馄饨|包子|馒头|油条|煎饼|豆浆|牛奶|咖啡|奶茶|可乐|茶|水|米线|粉|火锅|烧烤|麻辣烫|沙拉|汉堡|披萨|三明治|鸡蛋|蛋炒饭|青菜|西瓜|苹果|香蕉|橘子|面包|蛋糕|泡面|零食|薯片|酸奶|冰棍|雪糕)|(?:太|有点|好|真|挺)(?:咸|淡|油|辣|腻|甜)|好饿|饿了|饿死|吃撑|撑死|吃饱|口渴|嘴馋",
        ),
    ),
    (
        Reason.CHORE,
        _words(
            r"(?:put|putting|hung|hanging|doing|did|done|do) (?:a|the|another|some|my|out|up) ?(?:\w+ )?(?:wash(?:ing)?|laundry|dishes|washing.?up|ironing|hoovering|vacuuming|bins?|recycling|shopping|groceries)|laundry|hoover\w*|vacuum\w*|mopp(?:ed|ing)|swept|dust(?:ed|ing)|ironing|iron(?:ed)? (?:a|my|the|some)|washing.?up|dishwasher|bins?(?: go| are| out| day)|take the bins|recycling|tid(?:y|ied|ying)|cleaned (?:the|my|out)|folded|descal\w+|changed the (?:sheets|bulb|bed)|made (?:the|my) bed|"
            r"brush(?:ed|ing) (?:my|his|her) teeth|(?:took|had|having|need) a (?:shower|bath|nap|lie.?down)|got dressed|shaved|washed my hair|watered the|mowed|charged? my|unpacked|packed (?:away|up)|fed the (?:cat|dog)|walked the dog|groceries|supermarket|food shop|corner shop|errands?|(?:was|were|is) out of (?:\w+ )?\w+|sold out|ran out of",
            r"洗(?:完|了|个|好)?(?:碗|衣服|澡|头|脸|床单|鞋|锅|杯子)|拖(?:了|完|个)?地|扫(?:了|完|个)?地|擦(?:了|完)?(?:桌子|窗|地)|打扫|收拾|整理(?:了|一下)?(?:房间|桌面|衣柜)|做家务|晾(?:衣服|不干|干)|叠(?:了)?(?:衣服|被子)|倒(?:了)?垃圾|丢垃圾|刷牙|起床|洗漱|铺床|换(?:了)?(?:床单|灯泡)|浇(?:了)?花|喂(?:了)?(?:猫|狗)|遛(?:了)?狗|买菜|超市|逛菜市场|便利店|卖完了|缺货|快递|取件|充电",
        ),
    ),
    (
        Reason.TRANSIT,
        _words(
            r"(?:the |my )?(?:bus|train|tram|tube|metro|lift|elevator)(?:['’]?s| is| was| got| came| smelled| stank| broke)? (?:\w+ ){0,4}(?:late|packed|full|delayed|early|cancelled|stuck|smell\w*|smelled|broken|rammed|slow|crisps)|(?:stuck|sat) in (?:traffic|a jam)|traffic|ring road|rush hour|parking|couldn['’]?t park|red lights?|roadworks|commut\w+|missed (?:the|my) (?:bus|train|tram)|(?:waiting|wait|waited|queue\w*|queuing|line|queue)(?: \w+){0,2} (?:for|at|in|was)|queues?|petrol|filled up the car|got off (?:a|one) stop|escalator|the lift",
            r"地铁|公交|(?:车|路上?)(?:好|真|太|很)?(?:堵|挤)|堵车|堵了|等(?:了)?(?:半天)?(?:公交|地铁|车|红灯|电梯)|排队|排了|停车|红绿灯|红灯|晚点|打(?:了)?(?:个)?车|骑(?:了)?(?:个)?共享单车|坐过站|电梯|赶(?:上|不上)?(?:地铁|公交|车)|加(?:了)?油|高峰|通勤|扫码",
        ),
    ),
    (
        Reason.PASTIME,
        _words(
            r"nothing (?:good |much |decent )?on (?:telly|tv|netflix)|(?:on|watch\w*|watching) (?:the )?(?:telly|tv|youtube|netflix|reels|tiktok|cat videos|reruns|something on)|scroll(?:ed|ing)?|doomscroll\w*|insta(?:gram)?|memes?|podcast on|on the sofa|couch|lounging|pottering|chilling|lazy (?:day|morning|evening|sunday)|killing time|bored|boring|nothing (?:much|new|special|exciting)|same old|not (?:much|a lot) (?:going on|happening|today)|half.?watching|played a (?:bit|round)|crossword|wordle|solitaire",
            r"刷(?:了|着|会儿|一会儿|了会儿|了一会儿)?[^，。！？\s]{0,3}(?:视频|抖音|微博|手机|剧|朋友圈|小红书|b站|B站)|看电视|看(?:了)?(?:会儿|一会儿)(?:电视|综艺|直播|手机)|躺(?:着|平|了|沙发)|发呆|闲着|没事(?:做|干)|无聊|没啥意思|没什么(?:特别|事|好)|老样子|随便(?:看|逛|玩)|打了(?:两|几)?把|瘫(?:着|在)|摸鱼|划水",
        ),
    ),
    (
        Reason.MOMENT,
        _words(
            r"yawn\w*|sleepy|tired|knackered|shattered|exhausted|slept|woke up|overslept|nap(?:ped)?|can['’]?t sleep|hiccups?|sneez\w+|itch(?:y|es)|stub(?:bed)? my|sore (?:legs|feet|back|throat)|(?:bit of|slight|got|giving me|have) a (?:headache|cold|cramp)|headache|runny nose|off to (?:bed|sleep)|going to (?:bed|sleep)|hair (?:is|was|looks)|odd socks|my socks|socks|jumper|feel(?:ing)? (?:meh|ok|okay|fine|lazy|virtuous|rough)|brb|afk|back in a|five more minutes|late for|on hold",
            r"好困|困死|困了|犯困|打哈欠|(?:好|真|太|有点|挺)累|累死|累瘫|睡(?:觉|了|不着|得|过头|着)|没睡好|熬夜|午睡|补觉|起晚|赖床|打喷嚏|打嗝|鼻塞|流鼻涕|头(?:有点|好)?[疼晕]|腰(?:有点|好)?酸|腿(?:有点|好)?酸|脖子(?:有点)?酸|嗓子(?:有点)?干|眼睛(?:有点)?(?:干|酸)|有点(?:累|困|晕|烦|闷|痒)|袜子|穿反|发型乱|等一下|马上回来|先去忙",
        ),
    ),
    (
        Reason.THING,
        _words(
            r"(?:phone|laptop|battery|tablet|headphones?|earbuds?|mouse)(?:['’]?s| is| was| at| died| ran)? (?:\w+ ){0,3}(?:\d+(?= ?%)|low|dead|died|charging|flat|frozen|out of charge)|\d+(?= ?%)|printer|jammed|wi-?fi|router|signal|buffering|update (?:again|took)|password reset|(?:left|forgot) (?:the|my) (?:window|umbrella|keys|lunch|charger|bottle|bag|scarf|gloves|lights?) (?:open|on|at|in|behind)|(?:left|forgot) my (?:umbrella|charger|lunch|water bottle|headphones)|drilling|next door|car alarm|pigeons?|wasp in|fly in|spilled|spilt|dropped (?:my|a|the)|cracked|squeaky|light ?bulb|draught|noisy|loud music|\d+p\b|pen ran out|post(?:man)? (?:came|late)|parcel|delivery",
            r"快?没电|卡纸|打印机|充电(?:器|线|宝)|(?:网|信号|wifi|WiFi)(?:好|太|有点|又|很|真)?(?:卡|慢|差|断)|断网|死机|重启|卡(?:了|死|住)|蓝屏|落在(?:家|公司|车)|忘(?:了)?带(?:伞|钥匙|耳机|工牌|水杯)|洒了|打翻|坏了|楼上(?:又)?(?:在)?(?:装修|吵|跺|拖)|装修|吵死|好吵|太吵|有(?:股|点)?味|空调|灯泡|蚊子|苍蝇|闹钟|包裹",
        ),
    ),
)
# A plain statement weighs more with some of these.
WEIGHTS: tuple[tuple[Reason, float, LazyPattern], ...] = (
    (
        Reason.LASTING,
        0.08,
        _words(
            r"always|usually|every (?:day|morning|evening|night|week|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|month|year|summer|winter)|most (?:mornings|days|weekends|nights)|(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:evenings|mornings|nights)|since|used to|grew up|favou?rite|prefer|love|loves|into|passion|for (?:\w+ )?years|i work|works? (?:at|as|for|in)|job|studying|learn(?:ing|t)|play(?:s)? (?:the|in)|collect|member of|volunteer\w*|dream of",
            r"一直|今年[\d一二三四五六七八九十]+|[\d一二三四五六七八九十]岁|每(?:天|周|月|年|次|个)|平时|经常|总是|从小|以前|曾经|最喜欢|喜欢|最爱|习惯|上班|工作|职业|专业|学(?:习|了|着|过)|在学|在读|老家|家乡|住在|擅长|收藏|迷上|追了|坚持|多年|好几年|梦想",
        ),
    ),
    (
        Reason.PEOPLE,
        0.05,
        _words(
            r"friends?|mates?|colleagues?|cowork\w+|flatmates?|roommates?|housemates?|neighbou?rs?|boss|teacher|team|choir|band|club|class|girls from|lads|uncle|aunt\w*|cousins?|sisters?|brothers?|mum|mom|dad|mother|father|parents|wife|husband|girlfriend|boyfriend|son|daughter|kids",
            r"朋友|同事|室友|舍友|同学|同桌|老师|领导|老板|邻居|闺蜜|发小|表[哥姐弟妹]|堂[哥姐弟妹]|战友|队友|家人|爸|妈|老公|老婆|儿子|女儿|哥|姐|弟|妹",
        ),
    ),
    (
        Reason.EVENT,
        0.05,
        _words(
            r"knit\w*|sew\w*|crochet\w*|plant(?:ed|ing)|grow(?:s|ing)?|grew|built|building|adopted|foster\w*|taught|teach\w*|learn(?:t|ed)|open(?:ed|ing) (?:a|his|her|their|my)|i drive|i support|i own|decorat\w*|repaired|fixed|organis\w+|organiz\w+|hosting|rescued|invited|(?-i:[A-Z][a-z]+) (?:reckons|says|thinks|told|wants|works|lives|plays|plans|got|gave|bought|made|is)|won|lost (?:the|a|to|my)|passed|failed|finished|started|began|built|made a|wrote|painted|repainted|bought|sold|booked|visited|went to|hiked|climbed|travel\w*|trip|holiday|concert|gig|festival|exhibition|museum|party|match|game|race|marathon|exam|test|interview|project|course|met (?:up|a|my|\w+)|saw|joined|signed up|planning|plan(?:s)? to|going to|thinking of|hoping to|want to|first time|finally|gave me|got (?:a|an|my|second)",
            r"种(?:了|着|上)|织(?:了|着|一)|在织|刷成|唱[^歌]|(?:网购|淘|买)(?:了|到|的)?(?:一|两|个|台|辆|本|条)|拍(?:了|完|到)|修(?:好|完)|学会|养了|开(?:了家|了一家|着?一辆)|读的是|支持|在追|追[着完《]|帮[^，。]{1,8}(?:修|搬|做)|发了|拿了|结束|赢了|输了|通过|考(?:了|完|个)|完成|写(?:了|完)|画(?:了|完)|做了|买了|卖(?:了|给)|订了|去(?:了|过|看|听|玩|爬)|参加|旅(?:行|游)|演唱会|音乐节|展|博物馆|聚会|聚餐|比赛|半决赛|决赛|考试|面试|项目|课|认识|报名|打算|计划|准备|想(?:去|学|考|换|买)|第一次|终于|送了|约了|爬(?:了)?|看完|读完|开始",
        ),
    ),
    (
        Reason.FEELING,
        0.05,
        _words(
            r"happy|sad|proud|angry|lonely|excited|nervous|anxious|worried|scared|upset|cried|crying|heartbroken|grateful|ashamed|guilty|jealous|overjoyed|thrilled|devastated|stressed|miss(?:es|ing)? (?:him|her|them|my|you|home)|homesick|in tears",
            r"开心|高兴|难过|伤心|骄傲|自豪|生气|孤独|激动|紧张|焦虑|担心|害怕|委屈|崩溃|哭|感动|感激|愧疚|嫉妒|压力|想念|想家|后悔|失望|绝望",
        ),
    ),
)
# What holds for now only.
PASSING = _words(
    r"just|right now|at the moment|currently|this (?:morning|afternoon|evening)|tonight|today|later|in a (?:bit|minute|sec)|again|typical|lol|ugh|meh|for once|as usual|on the way|since lunch|all day|by accident",
    r"刚刚?|刚才|现在|待会|一会儿?|今天|今晚|今早|昨晚|早上|中午|下午|又|随便|顺便|先|服了|哈哈|唉|啊$|呀$|正在|马上|路上|歇会",
)
# A plan of weight: whoever forgets its day lets somebody down.
COMMITMENT = _words(
    r"wedding|married|marrying|funeral|memorial|christening|baptism|graduat\w+|exams?|finals|driving test|test results|results|(?:hospital|dentist|doctor['’]?s?|gp|scan|clinic|therapy|vet)(?:['’]s)? ?(?:appointment)?|appointment|surgery|operation|scan|court|hearing|trial|interview|deadline|due|flight|fly(?:ing)? (?:to|home|out|back)|leav(?:e|ing) for|moving|move (?:in|out|to)|visa|passport|anniversary|birthday|reunion|performance|recital|audition|premiere|marathon|start(?:s|ing)? (?:at|my|school|work|uni\w*|the new)|first day|contract|lease|rent|tax|anniversary|baby|visit(?:s|ing)? me|come(?:s)? home|comes? out of|gets? out|released|deploy\w*",
    r"婚礼|结婚|葬礼|追悼|毕业|考试|高考|考研|中考|期末|答辩|驾照|体检|复查|手术|预约|挂号|看医生|牙医|开庭|面试|截止|到期|交稿|航班|飞机|出发|搬家|签证|护照|纪念日|生日|聚会|演出|登台|马拉松|比赛|开学|入职|第一天|报到|预产期|出院|出狱|合同|房租|回国|回家|来看我|周年|忌日|祭",
)
# How somebody always does what is done daily, without aspect and day: 我喝咖啡不加糖. In English the tense tells it.
_HABIT_ZH = LazyPattern(r"(?:吃|喝|睡觉?).*(?:不(?!错|饿)|只|都|从来|要|必须|得)|(?:只|都|从来|从不|不)(?:吃|喝)")
_ONCE_ZH = LazyPattern(r"[了过着完]|正在|[今昨明刚][天晚早才]?|中午|下午|晚上(?!都)|一会|待会|想|太|好(?:吃|喝)")


def is_habit_zh(plain: str) -> bool:
    """Whether a Chinese sentence says how somebody always eats, drinks or sleeps."""
    return _HABIT_ZH.search(plain) is not None and _ONCE_ZH.search(plain) is None
