"""Answer kind: what kind of thing a question asks for, or of whom, and whether a text speaks of such a one.

Read by `answer_type`. "What car do I drive" is answered by a car or by driving, 我女儿叫什么 by what is said of a daughter,
"my favourite colour" by a colour that somebody likes; a text that shares another word with the question answers none of
them. Only kinds are listed whose members can be told by their words. Pure. Invariant: a question that names no such kind
is met by every text.
"""

# A kind stands on long lines, as a table: what asks for it, and what an answer has.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.questions.concept_cases import CASES
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.wordlists.important_events import KIN_ZH
from soulmem.text_memo import text_memo


def _cases(head: str, *, without: str = "") -> tuple[str, str]:
    """The members of a kind in the table of cases: English alternatives, Chinese ones."""
    words: dict[str, None] = {}
    for line in CASES.strip().splitlines():
        heads, _, members = line.partition(">")
        if head in heads.split():
            words.update(dict.fromkeys((*heads.split(), *members.split())))
    kept = [word for word in words if word not in without.split()]
    return "|".join(re.escape(w) for w in kept if w.isascii()), "|".join(w for w in kept if not w.isascii())


def _answers(english: str, chinese: str) -> LazyPattern:
    return LazyPattern(rf"\b(?:{english})(?:e?s|['’]s)?\b|{chinese}", re.IGNORECASE)


_ANIMALS, _ANIMALS_ZH = _cases("animal", without="animal pet creature 动物 宠物")
_FRUIT, _FRUIT_ZH = _cases("fruit")
_COLOURS, _COLOURS_ZH = _cases("colour")
_VEHICLES, _VEHICLES_ZH = _cases("vehicle", without="golf drive bus taxi tractor 车 开车 公交 出租 三轮")
_TOOLS, _TOOLS_ZH = _cases("instrument", without="horn bass 小号 长号")
_MEDICINES, _MEDICINES_ZH = _cases("medicine", without="iron")
_TONGUES, _TONGUES_ZH = _cases("language")
_DOGS, _DOGS_ZH = _cases("dog", without="dog 狗")
_COUNTRIES, _COUNTRIES_ZH = _cases("country")
_JOBS, _JOBS_ZH = _cases("occupation", without="job work living 工作")
_NUMBER = (
    r"\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|\w+teen"
)

# What stands behind "what", "which", "my favourite": 什么…, 哪种…, 最喜欢的….
_WHAT = r"(?:(?:what|which)(?:['’]?s)?(?: (?:kind|sort|type|make|model|colou?r) of)?(?: (?:my|our|your|the|is my|favou?rite))*|favou?rite) "
_WHAT_ZH = r"(?:什么样?|啥|哪[一种个款支本部首]{0,2}|最?喜欢的|最爱的)"


_WHICH = r"what(?:['’]?s| is| was| were) (?:my|our|your|his|her|their) (?:very )?(?:first|last|old|new|current) "


def _asked(english: str, chinese: str) -> LazyPattern:
    return LazyPattern(
        rf"\b(?:{_WHAT}|{_WHICH})(?:{english})\b|(?:{_WHAT_ZH}|第一[辆个份任台部本首])(?:{chinese})", re.IGNORECASE
    )


_TABLE: tuple[tuple[LazyPattern, LazyPattern], ...] = (
    (
        LazyPattern(rf"\b(?:{_WHAT}|{_WHICH})(?:car|vehicle|truck|van|lorry)\b|(?<!骑)(?<!骑的)(?<!骑的是)(?<!骑着)(?:{_WHAT_ZH}|第一[辆个台部])(?:车(?!票|站)|汽车|牌子的车)", re.IGNORECASE),
        _answers(rf"{_VEHICLES}|(?:my|our|his|her|the|new|old) (?:\w+ )?car(?:['’]s| is| was) (?:an?|called|the)|(?:red|blue|green|black|white|silver|gr[ea]y|yellow|electric|hybrid|little|company|old|new|used|family) (?:\w+ )?car|truck|wheels|suv|hatchback|(?:driv(?:e|es|ing|in['’]?)|drove|own|bought|lease[ds]?) (?:an?|my|our|the|this|her|his) (?!test|lesson|bus|school|house|flat|round|home)\w+|peterbilt|jeep|opel|seat|suzuki|subaru|lexus|kodiaq|chevy|chevrolet|škoda", rf"{_VEHICLES_ZH}|开(?:的是|[着了]?[一两]?[辆台])|车[是叫]|[红白黑蓝灰绿银]色?的?车|[买提换卖]了?(?:[一两]?[辆台部]|[^，。]{0,4}车)|[一两几]辆|[新旧二手的]车|[轿跑货]车|面包车|斯柯达|雪铁龙|标致|铃木|三菱|斯巴鲁|雷克萨斯|路虎|蔚来|小鹏|问界|领克|荣威|名爵|传祺|朗逸|帕萨特|途观|轩逸|卡罗拉|凯美瑞"),
    ),
    (
        _asked("instruments?", "乐器|琴"),
        _answers(rf"{_TOOLS}|play|played|playing|music|band|orchestra|bugle|sitar|lute|recorder|erhu|guzheng|pipa", rf"{_TOOLS_ZH}|[弹拉吹敲打]|琴|鼓|笛|箫|胡|笙|唢呐|埙|丝"),
    ),
    (
        LazyPattern(r"\bwhat (?:do|does|did|can) (?:[\w'’]+ ){1,3}?play(?: (?:in|at) (?:school|the band|the orchestra))?\s*[?.]*$", re.IGNORECASE),
        _answers(rf"{_TOOLS}|play(?:s|ed|ing)?|music|band|orchestra|teams?|games?|football|soccer|rugby|tennis|golf|cricket|hurling|camogie|basketball|netball|volleyball|hockey|squash|badminton|darts|snooker|chess|cards|bridge|poker|backgammon", rf"{_TOOLS_ZH}|[弹拉吹敲打下]"),
    ),
    (_asked("colou?rs?", "颜色|色"), _answers(rf"{_COLOURS}|lilac|crimson|indigo|khaki|blonde?", rf"{_COLOURS_ZH}|色|[红橙橘黄绿青蓝紫黑白灰棕粉金银]")),
    (_asked("fruits?", "水果"), _answers(_FRUIT, _FRUIT_ZH)),
    (_asked("(?:foreign )?languages?", "语言|外语"), _answers(rf"{_TONGUES}|learn|lessons?|speak|bilingual|duolingo|dialect|signs?", rf"{_TONGUES_ZH}|[^\s，。]语|文|话")),
    (
        _asked("(?:medicine|medication|drugs?|pills?|tablets?|meds)", "药"),
        _answers(rf"{_MEDICINES}|meds|take|takes|taking|dose|mg|prescri\w+|inject\w*|\w+(?:ine|in|ol|ide|one|ate|am|il|pril|statin)", rf"{_MEDICINES_ZH}|药|吃|服|粒|片|针|布|素|平|坦|林|灵|胶囊|丸"),
    ),
    (
        LazyPattern(r"\b(?:what|which) (?:\w+ )?pets?\b|\bhave (?:any |a )?pets?\b|(?:什么|啥|哪些?|有没有|养)(?:小)?(?:宠物|动物)", re.IGNORECASE),
        LazyPattern(
            rf"\bpets?\b|\badopt\w*|\bfoster\w*|\b(?:my|our|his|her|their|the|have|has|had|got|an?|we|two|three|old|named|called) (?:[\w-]+ ){{0,3}}(?:{_ANIMALS}|{_DOGS}|beagle|tabby|puppy|kitten)s?\b|宠物|(?:养|领养|收养|捡|买|家|我的|只|条|匹)[^，。！？]{{0,8}}(?:{_ANIMALS_ZH}|[猫狗兔鱼鸟龟鼠])",
            re.IGNORECASE,
        ),
    ),
    (
        LazyPattern(r"\b(?:what|which)(?:['’]s)?(?: (?:kind|make|brand|model) of)? (?:\w+ )?(?:phone|mobile|smartphone)\b(?! number)|(?:什么|啥|哪[款种个]?)(?:牌子的)?手机", re.IGNORECASE),
        LazyPattern(r"\b(?:my|new|old|the|a|this|bought|smart|mobile)[ -]?(?:\w+ )?phones?\b(?! call)|\b(?:mobile|smartphone|iphone|android|pixel|galaxy|samsung|nokia|huawei|xiaomi|oneplus|fairphone)\b|手机(?!号)|华为|小米|苹果|荣耀|三星", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:phone|mobile|telephone|cell) number\b|(?:手机|电话)号?码?(?:是)?(?:多少|几)|(?:手机|电话)号", re.IGNORECASE),
        LazyPattern(r"(?:\+?\d[\d ()-]{5,})|\b(?:phone|mobile|number)\b[^.!?]{0,20}\b(?:is|['’]s)\b|号码|[零一二三四五六七八九〇幺]{6,}"),
    ),
    (
        LazyPattern(r"(?:车牌|车位|身份证|护照|学|工|房间|门牌|座位|账|卡)号"),
        LazyPattern(r"[A-Za-z]+\d[\dA-Za-z-]{2,}|(?<!\d)\d{3,}(?!\d*[年.月/-])|车牌|车位|身份证|护照|学号|工号|房间|门牌|座位|账号|卡号|[零一二三四五六七八九〇幺]{3,}"),
    ),
    (
        LazyPattern(r"\b(?:birthday|bday|b-day|(?:was|were) (?:i|he|she|\w+) born)\b|生日|哪[一]?[年天]出生", re.IGNORECASE),
        LazyPattern(r"\b(?:birthday|bday|b-day|born|turn(?:s|ed|ing)? (?:\d+|\w+ty|\w+teen)|birth)\b|生日|出生|大寿|满[\d一二三四五六七八九十]+岁|生辰|[过满][\d一二三四五六七八九十]+(?:岁|寿)", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:which|what) (?:floor|storey)\b|几[楼层]|哪[一]?[楼层]", re.IGNORECASE),
        LazyPattern(r"\b(?:floors?|storeys?|bungalow|basement|attic|loft|lift|elevator|stairs|upstairs|downstairs|penthouse|(?:live|flat|apartment|up|are|['’]re|['’]m|am) (?:up )?on the (?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|top|ground))\b|[楼层]|阁楼|地下室", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bhow tall\b|\bheight\b|多高|身高", re.IGNORECASE),
        LazyPattern(r"\b(?:tall|height|cm|centimet\w+|met(?:re|er)s?|feet|foot|ft|inches|short)\b|\d['’′]\d|身高|公分|厘米|米|个子|高", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:how much do (?:i|you|we|he|she) weigh|my weight)\b|体重|多重", re.IGNORECASE),
        LazyPattern(r"\b(?:weigh\w*|kilos?|kg|stone|pounds|lbs?)\b|体重|公斤|斤|重|胖|瘦", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:shoe|dress|clothes|shirt|ring) size\b|(?:多[大少]|几|什么)码|尺码|鞋码", re.IGNORECASE),
        LazyPattern(r"\b(?:size|sizes|fits?)\b|[\d一二三四五六七八九十]+\s?码|尺码|号的?鞋", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bblood (?:type|group)\b|血型", re.IGNORECASE),
        LazyPattern(r"\bblood (?:type|group)\b|\b(?:AB|A|B|O)(?: ?[+-]| (?:positive|negative|neg|pos|rh))|血型|(?:A|B|O|AB)型", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:which|what) (?:university|college|uni|school)\b|\bgo to (?:university|college|uni|school)\b|(?:哪[所个一里儿]*|什么)(?:大学|学校|学院|高中|中学|小学)|(?:在哪[里儿]?|哪[里儿])[^，。]{0,2}(?:上|读|念)的?(?:大学|学|书)|(?:大学|高中|中学|小学)[^，。]{0,3}(?:在)?哪", re.IGNORECASE),
        LazyPattern(r"\b(?:universit\w+|college|uni|school|campus|degree|graduat\w+|academy|grammar|comprehensive|stud(?:y|ied|ying|ies)|master['’]?s?|phd|majored|kindergarten)\b|大学|学院|学校|中学|高中|初中|小学|校园|本科|研究生|硕士|博士|读博|读研|毕业|[考读上念][^，。]{0,4}(?:大|校|系)|上学|读书|念书|幼儿园", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bon (?:holiday|vacation)\b|\btravel\w*|\btrips?\b|旅游|旅行|度假", re.IGNORECASE),
        LazyPattern(r"\b(?:holidays?|vacation|trips?|travel\w*|(?:went|go|going|goes|gone) (?!well|fine|on about|mad|bad|wrong)|been to|fl(?:ew|y|ying|ies|ights?)|visit\w*|abroad|hik\w+|camp\w*|ferry|train|hotel|sail\w*|toured?|drove|stay\w*|weekend|beach|island|tickets?)\b|旅|度假|去|玩|飞[机到去往回]|机票|酒店|火车|高铁|爬|出国|海边|岛|自驾|回来|景", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:sur|last |family )name\b|姓(?:什么|啥)|贵姓|什么姓", re.IGNORECASE),
        LazyPattern(r"\b(?:sur|last |family |maiden |full )name\b|(?-i:\b[A-ZÀ-Þ][\w'’-]+ (?:(?:van|von|de|der|da|dos|di|bin|al|el|la|le|du|of) ?){0,2}[A-ZÀ-Þ][\w'’-]+)|姓|[\u4e00-\u9fff]{2,4}", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bfavou?rite\b|\b(?:do|does) \w+ (?:\w+ )?(?:like|love) (?:best|most)\b|最(?:喜欢|爱)|喜欢(?:什么|啥|哪|谁)", re.IGNORECASE),
        LazyPattern(r"\b(?:favou?rites?|lov(?:e|es|ed|ing)|lik(?:es|ed|ing)|(?:i|we|you|they|really|do|don['’]t|also|always|most|to|both) like|ador\w+|prefer\w*|best|enjoy\w*|fan|obsess\w*|into|fond|crazy about|addicted|always order|can['’]t get enough|support|root(?:ing|s)? for|craving|swear by|mad about|man\b|girl\b|person\b|hooked|beats?|nothing like)\b|喜欢|爱|最|迷|粉|偏爱|离不开|上瘾|好喝|好吃|百[吃看听]不|追|一般?只|就好这口|馋", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bwhat do(?:es)? (?:[\w'’]+ ){1,4}?do(?: for (?:a living|work))?\s*[?.]*$|\bfor a living\b|\b(?:job|occupation|profession)\b|\bwork as\b|\b(?:where|who) do(?:es)? (?:[\w'’]+ ){1,4}?work\b|[做干](?:的)?(?:是)?(?:什么|啥)(?:工作|职业|行业|的)|(?:什么|啥)(?:工作|职业)|(?:哪[里儿]?|哪家|哪个|什么)(?:公司|单位)?[^，。]{0,2}(?:上班|工作|任职)", re.IGNORECASE),
        _answers(rf"{_JOBS}|work(?:s|ed|ing|shop)?|jobs?|employ\w*|hired|fired|sacked|shifts?|office|compan(?:y|ies)|firm|boss|business|self-employed|freelanc\w*|retire\w*|stud(?:y|ies|ied|ying)|student|teach(?:es|ing)?|taught|train(?:s|ing|ee)|runs? (?:an?|the|his|her|my|our)|own(?:s|ed)? (?:an?|the)|drives? (?:an?|the) (?:\w+ )?(?:lorry|truck|bus|taxi|cab|van|tram|train|ambulance|tractor|digger)|repairs?|mend(?:s|ed|ing)?|weld(?:s|ed|ing)?|plasters|deliver(?:s|ed)|nurs(?:es|ed|ing)|depot|warehouse|factory|sells?|builds?|fix(?:es)?|makes|manages?|cleans?|does|promot\w*|apprentic\w*|intern\w*|qualif\w*|career|start(?:s|ed)? at|\w+(?:ologist|ographer|ician|smith|keeper|maker|worker)|midwife|vicar|carer|nanny|nurser?y|civil servant|in (?:it|hr|finance|marketing|sales|insurance|advertising|construction|the army|the navy)|an? (?:[\w-]+ ){{0,2}}?(?!sister|brother|other|mother|father|daughter|number|dinner|letter|shower|summer|winter|corner|drawer|computer|finger|shoulder|flower|lodger|stranger|partner|member|teenager|toddler|youngster|foreigner|quarter|cover|ladder|hammer|supper|super|printer|freezer|cooker|boiler|heater|charger|trailer|scooter|jumper|slipper|blazer|poster|folder|visitor|mirror|error|paper|tower|river|weather|list|twist|wrist|fist|plant|giant|elephant|restaurant|infant|tenant|german|roman|human)[\w-]{{3,}}(?:er|or|ist|ian|ant|eer|man|woman)", rf"{_JOBS_ZH}|上班|工作|(?<!下)班|公司|单位|厂|当[了过]?|(?<!没)做(?!了|饭)|干(?:的|活|这|了.{{0,3}}年)|调[到去]|办公室|调度|车间|岗|跑(?:滴滴|车|出租|外卖|船|货)|直播|摆摊|带(?:货|毕业班|班|课)|种(?:地|菜|田)|开.{{0,2}}车|开[的着]?(?:店|网约|出租|公司|车|民宿|饭)|[师员工警兵]|退休|实习|入职|教|卖|老板|经理|会计|店|局|院"),
    ),
    (
        LazyPattern(r"\bhow old\b|\bwhat age\b|\b(?:my|his|her|their|['’]s) age\b|多大(?!的|号|码|面积)(?:年纪|岁数|了)?|几岁|年龄|岁数|高寿", re.IGNORECASE),
        LazyPattern(rf"\b(?:years? (?:old|young)|year-old|aged?|turn(?:s|ed|ing)?|birthdays?|born|months? old|toddler|newborn|teenage\w*|in (?:my|his|her) \w+ties)\b|(?:\b(?:is|was|am|be|are|just|only|nearly|almost|about)|['’][sm]|re|,|^) (?:{_NUMBER})\b(?!:|(?: and a half)? (?:times|miles|pounds|quid|euros|dollars|hours|days|weeks|months|minutes|metres|meters|feet|km|percent|kilos|people|am|pm|of|o['’]clock)\b)|岁|年纪|生日|寿|出生|生人|生的|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|本命年|[一二三四五六七八九十]{{1,4}}(?:了|整)?(?:$|[，。！])|(?<!\d)\d{{1,3}}(?:了|整)(?=$|[，。！])|今年[\d一二三四五六七八九十]|个月大|满月|\d0后", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:what|which) breed\b|\bbreed (?:is|was|of)\b|品种", re.IGNORECASE),
        _answers(rf"{_DOGS}|breed|beagle|lab|labrador|\w*doodle|retriever|terrier|poodle|spaniel|corgi|hound|mutt|mongrel|cross|mix(?:ed)?|shepherd|collie|bulldog|chihuahua|tabby|siamese|persian|maine coon|ragdoll|shorthair|bengal|lurcher|schnauzer|shih tzu|rescue|westie|yorkie|cavapoo|springer|cocker|jack russell|pug|whippet|setter", rf"{_DOGS_ZH}|品种|犬|边牧|金毛|泰迪|柴犬|哈士奇|拉布拉多|博美|比熊|雪纳瑞|橘|布偶|[英美]短|狸花|暹罗|波斯|加菲|缅因|串|土狗|田园|德牧"),
    ),
    (
        LazyPattern(r"\bhow (?:do|does|did) (?:\w+ ){1,2}(?:get|go|come|travel|commute) (?:to|back|home|in)\b|(?:怎么|如何)(?:去|上|坐车去?)(?:上班|上学|公司|单位|学校|那[里边儿]?|的?[？?]|的$)|(?:怎么|如何)(?:上下班|通勤|回家的?)", re.IGNORECASE),
        LazyPattern(r"\b(?:walk\w*|dr(?:ive|ives|iving|ove)|cycl\w+|bikes?|bicycle|bus(?:es)?|tram|train|tube|metro|subway|ferry|lift|taxi|cab|uber|car|scooter|moped|motorbike|on foot|carpool|fl(?:y|ew|ight))\b|骑|开车|开着|地铁|公交|巴士|班车|打车|打的|滴滴|走路|走着|步行|电[动驴瓶]|单车|自行车|摩托|高铁|火车|飞|轻轨|坐[^，。]{0,4}车|[挤坐]|拼车|捎|顺风", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:who|how much|what) (?:do|did|does|am) (?:\w+ ){1,2}?(?:still )?owe|\b(?:owes? (?:me|us)|in debt)\b|欠(?:了|着)?(?:谁|哪|多少|几)|[欠该]谁|谁[欠该]|还(?:该|欠)|跟谁借|借了?谁", re.IGNORECASE),
        LazyPattern(r"\b(?:ow(?:e|es|ed|ing)|lent|lend\w*|borrow\w*|debts?|loans?|mortgage|pa(?:y|id|ying) (?:\w+ )?(?:back|off)|repa(?:y|id)\w*)\b|欠|借|债|饥荒|贷|还(?:了|完|清|给|钱|款|他|她|我)|[还就]该(?=.{0,4}[钱万千百块])|该(?:我|他|她|人家|.{0,4}[一二两三四五六七八九十\d百千]+[万千百块])|还(?:剩|差)|拉平", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:when|what (?:year|day|date))\b[^?]{0,24}\b(?:marr(?:y|ied)|wedding)\b|(?:哪[一]?[年天]|什么时候|几[月号年])[^，。？]{0,8}(?:结的?婚|领的?证|扯的?证|成的?家|办的?婚|嫁|娶|过门)|(?:结婚|领证|婚礼)[^，。？]{0,6}(?:哪[一]?[年天]|什么时候|几[月号年])", re.IGNORECASE),
        LazyPattern(r"\b(?:marr(?:y|ied|ying|iage)|wed(?:ding|s)?|anniversar\w+|tied the knot|honeymoon|engaged|divorc\w+)\b|结婚|结的婚|领了?的?证|扯了?证|婚礼|婚宴|喜酒|办(?:了|的)?(?:酒|事|婚)|嫁|娶|周年|成家|过门|金婚|银婚|登记", re.IGNORECASE),
    ),
    (
        _asked("films?|movies?|(?:tv )?(?:series|show)", "电影|片子?|(?:电视)?剧"),
        _answers(r"films?|movies?|watch\w*|cinema|saw|seen|series|shows?|episodes?|seasons?|netflix|documentar\w+|comed\w+|thriller", r"电影|片|看|剧|集|影|《"),
    ),
    (
        _asked("books?|novels?|authors?|writers?", "书|小说|作家|作者"),
        _answers(r"books?|read\w*|novels?|authors?|writers?|chapters?|stor(?:y|ies)|poe\w+|librar\w+|kindle|wrote", r"书|读|看|小说|作家|作者|写|《"),
    ),
    (
        _asked("songs?|bands?|singers?|music(?:ian)?|albums?", "歌手?|乐队|音乐|专辑|歌曲"),
        _answers(r"songs?|sing\w*|sang|bands?|albums?|music\w*|listen\w*|concerts?|gigs?|singers?|tracks?|playlist|play\w*|records?|tune|choir", r"歌|唱|听|乐队|音乐|演|专辑|《"),
    ),
    (
        LazyPattern(r"\b(?:what|which|favou?rite) (?:\w+ ){0,2}(?:team|club)\b|(?:什么|哪[个支]?)(?:球)?队|支持谁|球队", re.IGNORECASE),
        _answers(r"teams?|clubs?|support\w*|fans?|match(?:es)?|games?|football|season ticket|league|rangers|celtic|united|city|rovers|arsenal|liverpool|chelsea|spurs|everton", r"队|球|支持|迷|粉|俱乐部"),
    ),
    (
        LazyPattern(r"\b(?:salary|wages?|earn\w*|paid)\b|工资|薪水|月薪|年薪|收入|挣多少|赚多少", re.IGNORECASE),
        LazyPattern(r"\b(?:salar(?:y|ies)|earn\w*|wages?|paid|pays?|pay ?(?:rise|check|day)|raise|an? (?:month|year|hour|week)|grand|bonus|thousand|\d+k|on \d[\d,.]+)\b|[£€$]|工资|薪|挣|赚|收入|到手|奖金|[万千]|块|元|涨", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:what|which) (?:\w+ )?(?:subject|degree|course|major)\b|\bwhat (?:did|do|does|is|was|am|are) (?:[\w'’]+ ){1,3}?(?:study\w*|major\w*|reading)\b|(?:什么|哪个)(?:专业|系)|[学读念]的?(?:是)?(?:什么|啥)(?!时|歌|乐|手艺)", re.IGNORECASE),
        _answers(r"stud(?:y|ies|ied|ying)|students?|majors?|majored|majoring|degrees?|graduat\w+|courses?|subjects?|taught|teach\w*|learn\w*|reads?|reading|lectur\w+|phd|master['’]?s?|ba|bsc|law|medicine|physio\w*|engineering|\w+(?:ology|ics|istry|omics|ography)", r"专业|[学读]的?会计|[学读念教修](?:的|了|过|完|着)?(?![校生习会到期费院])|[系科]|研究|博士|硕士"),
    ),
    (
        LazyPattern(r"\bwhere (?:is|are|was|were|am|do|does) (?:[\w'’]+ ){1,4}?(?:come )?from\b|\bhome ?town\b|\bborn\b|哪[里儿]人|老家|家乡|籍贯|哪[里儿]出生", re.IGNORECASE),
        _answers(r"from|born|grew up|grown up|raised|originally|home ?town|native|came over|roots|[a-z]+(?:ish|ese|ian)", r"[\u4e00-\u9fff]{2}人(?![家民们员口物])|老家|来自|出生|长大|籍|家[乡在]|回.{1,4}[看过]"),
    ),
    (
        LazyPattern(r"\b(?:what|which) (?:street|road)\b|\b(?:my|our|his|her|their|['’]s) address\b|(?:什么|哪条)[路街]|住址|地址", re.IGNORECASE),
        _answers(r"liv(?:e|es|ed|ing)|move[ds]?|moving|address|home|flat|house|apartment|rent\w*|lease|stay(?:s|ing)?", r"住|家|搬|租|地址|小区|房"),
    ),
    (
        LazyPattern(r"\bpassport (?:number|no)\b|(?:护照|身份证)号", re.IGNORECASE),
        LazyPattern(r"\bpassport\b|\b[A-Z]{1,2}\d{6,}|\d{15,}|护照|身份证|证号", re.IGNORECASE),
    ),
    (
        _asked("countr(?:y|ies)", "国家?"),
        _answers(rf"{_COUNTRIES}|overseas|(?:in|to|from|of) (?-i:[A-Z])\w+", rf"{_COUNTRIES_ZH}|国|洲|[去到在飞][\u4e00-\u9fff]{{2}}"),
    ),
    (
        LazyPattern(r"\b(?:what|which) bank\b|(?:哪[家个]|什么)银行", re.IGNORECASE),
        _answers(r"bank\w*|accounts?|monzo|hsbc|barclays|lloyds|natwest|santander|revolut|chase|halifax|nationwide|savings|mortgage|overdraft|credit union|aib", r"银行|[工建农招交中]行|信用社|开户|存款|存折"),
    ),
    (
        LazyPattern(r"\b(?:my|our|his|her|their|['’]s) (?:very )?first\b|第一(?:[份辆个任台只部家次]|任)", re.IGNORECASE),
        _answers(r"first|1st|used to|start(?:ed|ing)? (?:out|off|as|with|in|at)|began|originally|when (?:i|he|she|we) (?:was|were)|back then|years ago|proper|learn\w*|passed", r"第一|最早|刚(?:开始|毕业|工作|参加)|以前|当年|小时候|头一|最初|起先|那会儿|那时"),
    ),
)  # fmt: skip

# What may be told of anybody where it is asked of somebody: "he robbed me, two hundred pounds".
_ANYBODYS: tuple[tuple[LazyPattern, LazyPattern], ...] = (
    (
        LazyPattern(r"\bhow much (?:did|does|do|was|were|is|are|will|would) .{1,60}(?:\b(?:cost|pay|paid|charge|owe|spend|set (?:me|us) back|rob)\b|(?:was|were|is|are) (?:the|my|our) [\w' ]{1,30}\?)|\bhow much (?:was|were|is|are) (?:the|my|our|his|her|that|it)\b|多少钱|[花付欠](?:了|我|他|她)?多少", re.IGNORECASE),
        LazyPattern(r"[£€$]|\d{2}|\b(?:pounds?|quid|euros?|dollars?|pence|cents?|bucks|grand|fivers?|tenners?|free|nothing|price|cost|fee|ten|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|\w+ty[- ]\w+)\b|[块元毛钱十百千万两免白一二三四五六七八九]|\d", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\bwhat number (?:is|was|are) (?:my|our|his|her|their|the|\w+['’]s) (?:house|flat|door|place|home|room)\b|\b(?:house|flat|door|room) number\b", re.IGNORECASE),
        LazyPattern(r"\b(?:number|no\.?|flat|room|house|lives? at|living at) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)|\b\d+[a-d]? (?-i:[A-Z])\w+ (?:road|street|avenue|lane|close|drive|terrace|park|gardens|crescent|way|place|row|st|rd|ave)\b|\bhouse number\b|号", re.IGNORECASE),
    ),
    (
        LazyPattern(r"\b(?:pin|password|passcode|(?:door|gate|alarm|entry|unlock|wi-?fi|safe|padlock) code)\b|\bcode (?:of|for|to)\b", re.IGNORECASE),
        LazyPattern(r"\b(?:pin|pass ?word|pass ?code|code|padlock|combination|keypad|unlock\w*)s?\b|\d{4,}|\b(?:[a-z]+-){2,}[a-z]+\b|密码|口令", re.IGNORECASE),
    ),
)  # fmt: skip

# Of whom it is asked: each of one's family by the words for just this one, and by those that may mean it.
_KIN = (
    ("mothers?|mum|mom|mama|mommy|mummy|mam|ma", "妈妈?|母亲|老妈|老娘|阿妈|妈咪|娘", "parents|folks|爸妈|父母"),
    ("fathers?|dad|daddy|papa|pa|pop", "爸爸?|父亲|老爸|老汉|老豆|老爷子|老头|阿爸|爹", "parents|folks|爸妈|父母"),
    ("sisters?|sis", "姐妹|姊妹", "siblings?|twins?|姐|妹"),
    ("", "(?<!小)姐姐?", "sisters?|siblings?|twins?|姐妹|姊妹"),
    ("", "妹妹?", "sisters?|siblings?|twins?|姐妹|姊妹|双胞胎"),
    ("brothers?|bro", "兄弟", "siblings?|twins?|哥|弟"),
    ("", "哥哥?(?!们)", "brothers?|siblings?|twins?|兄弟"),
    ("", "弟弟?", "brothers?|siblings?|twins?|兄弟|双胞胎"),
    ("daughters?", "女儿|闺女|姑娘|丫头|囡囡|幺妹", "girls?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|little one|孩子|娃|宝宝|丫头|囡囡|双胞胎"),
    ("sons?", "儿子|崽|幺儿", "boys?|kids?|child(?:ren)?|bab(?:y|ies)|twins?|little one|孩子|娃|宝宝|小子|双胞胎"),
    ("husband|hubby", "老公|丈夫|先生|当家的", "spouse|partner|married|marry\\w*|marri\\w*|wedding|(?:other|better) half|wife|爱人|对象|老伴|结婚|嫁|两口子"),
    ("wife|missus", "老婆|妻子|太太|媳妇|老伴|堂客", "spouse|partner|married|marry\\w*|marri\\w*|wedding|(?:other|better) half|mama|husband|爱人|对象|老伴|结婚|娶|两口子"),
    ("boyfriend|bf", "男朋友|男友|男票", "dat(?:e|es|ed|ing)|seeing|partner|going out|fianc\\w+|boy|guy|ex|对象|谈恋爱|约会|在一起|处着|前任|男孩"),
    ("girlfriend|gf", "女朋友|女友|女票", "dat(?:e|es|ed|ing)|seeing|partner|going out|fianc\\w+|girl|ex|对象|谈恋爱|约会|在一起|处着|前任|女孩"),
    ("grand(?:mother|ma)|gran(?:ny)?|nana?|nan", "奶奶|外婆|姥姥|祖母|外祖母", "grandparents?"),
    ("grand(?:father|pa|dad)", "爷爷|外公|姥爷|祖父|外祖父", "grandparents?"),
    ("uncles?", "叔叔?|舅舅?|伯伯?|伯父|姑父|姨父", ""),
    ("aunt(?:s|y|ie)?", "阿姨|姨妈?|姑姑?|姑妈|舅妈|婶婶?|伯母", ""),
    ("cousins?", "表[哥姐弟妹]|堂[哥姐弟妹]", ""),
    ("nephews?|nieces?", "侄子|侄女|外甥女?", ""),
    ("kids?|child(?:ren)?", "孩子|娃|小孩", "sons?|daughters?|bab(?:y|ies)|twins?|toddler|boys?|girls?|little one|儿子|女儿|闺女|宝宝|双胞胎"),
    ("bride|groom", "新娘|新郎", "fianc\\w+|wife|husband|girlfriend|boyfriend|partner|marr\\w+|媳妇|老公|老婆|对象|未婚"),
    ("father-in-law", "老丈人|岳父|公公", "in-laws"),
    ("mother-in-law", "丈母娘|岳母|婆婆", "in-laws"),
    ("teacher|tutor", "老师|导师|班主任", "teach\\w*|taught|Mrs?|Ms|Miss|professor|教授|教练"),
    ("boss|manager|supervisor", "老板|领导|上司|经理|主管", "works? (?:for|under)|head of|[组部店队]长|主任|总"),
    ("landlord|landlady", "房东", ""),
    ("neighbou?rs?", "邻居", "next door|upstairs|downstairs|across|隔壁|对门|楼上|楼下"),
    ("doctor|gp|dentist", "医生|大夫", "Dr|surgeon|consultant|主任"),
    ("dogs?|puppy|pup", "狗狗?|小狗|犬", rf"{_DOGS}|beagle|lab|labrador|retriever|terrier|poodle|spaniel|corgi|husky|hound|mutt|walkies|{_DOGS_ZH}|边牧|金毛|泰迪|柴犬|哈士奇|拉布拉多"),
    ("cats?|kitten|kitty", "猫咪?|小猫|猫", "tabby|siamese|tom|moggy|meow\\w*|purr\\w*|橘猫|布偶|英短|喵"),
)  # fmt: skip


_ROLES = frozenset(("老师", "老板", "房东", "邻居", "医生", "老丈人", "丈母娘"))


def _parted(words: str) -> tuple[str, str]:
    parts = [part for part in words.split("|") if part]
    return "|".join(part for part in parts if part.isascii()), "|".join(part for part in parts if not part.isascii())


_FEMALE = ("mother", "sister", "daughter", "wife", "girl", "grand(?:mother", "aunt", "mother-in-law")
_MALE = ("father", "brother", "son", "husband", "boyfriend", "grand(?:father", "uncle", "father-in-law")
_PRONOUNS = {"female": ("she", "她"), "male": ("he", "他"), "": ("he|she", "他|她")}


def _gender(english: str, chinese: str) -> str:
    """Of one's family, where that is told by what they are called."""
    if english.startswith(_FEMALE) or "姐姐?" in chinese or "妹妹?" in chinese:
        return "female"
    return "male" if english.startswith(_MALE) or "哥哥?" in chinese or "弟弟?" in chinese else ""


def _kin_rows() -> tuple[tuple[LazyPattern, LazyPattern], ...]:
    rows = []
    for english, chinese, beside in _KIN:
        also, also_chinese = _parted(beside)
        is_animal = "狗" in chinese or "猫" in chinese
        he, he_chinese = _PRONOUNS[_gender(english, chinese)]  # it may be of him that is asked
        person = "" if is_animal else rf"{he}|name(?:['’]s| is)"
        said = "|".join(each for each in (english, also, person) if each)
        third = (
            rf"(?:{he_chinese})(?!们?家?的?(?:{KIN_ZH}))|^(?:名?叫|姓)" if person else ""
        )  # 叫小满: of whom was told before
        said_chinese = "|".join(each for each in (chinese, also_chinese, third) if each)
        asked_in = (
            rf"(?:\b(?:my|our|his|her|their|a|any)|\w['’]s|s['’]) (?:{english})\b" if english else "",
            rf"(?:我们?家?|他|她|的|养了?|有)(?:{chinese})|^[\u4e00-\u9fff]{{2,3}}(?:{chinese})(?!家|们)"
            + (rf"|^(?:{chinese})" if chinese.split("|")[0] in _ROLES else ""),
        )
        asked = LazyPattern("|".join(filter(None, asked_in)), re.IGNORECASE)
        rows.append((asked, LazyPattern(rf"\b(?:{said})\b|{said_chinese}", re.IGNORECASE)))
    return tuple(rows)


_KIN_ROWS = _kin_rows()


@text_memo(64)
def kinds_of(question: str) -> tuple[LazyPattern, ...]:
    """What an answer to a question must speak of, each as a pattern; nothing where that cannot be told."""
    return tuple(said for asked, said in (*_TABLE, *_ANYBODYS, *_KIN_ROWS) if asked.search(question))


@text_memo(64)
def things_of(question: str) -> tuple[LazyPattern, ...]:
    """The same without whom it is asked of."""
    return tuple(said for asked, said in _TABLE if asked.search(question))


def is_of_kinds(kinds: tuple[LazyPattern, ...], text: str) -> bool:
    """Whether a text speaks of everything of these kinds."""
    return all(kind.search(text) for kind in kinds)


_UNITS = {
    each: LazyPattern(rf"(?:(?<!\d)\d{{1,3}}(?:\.\d)?|[一二两三四五六七八九十百千半几])多?个?半?{said}")
    for each, said in (
        ("年", "[年载]"), ("天", "[天日]"), ("个月", "月"), ("斤", "(?:斤|公斤|kg|千克)"), ("公里", "(?:公里|里地|千米|km)"),
        ("次", "[次回趟遍]"), ("回", "[次回趟遍]"), ("页", "页"),
    )
}  # fmt: skip
_UNIT_ASKED = LazyPattern(rf"(?:多少|几)({'|'.join(_UNITS)})(?![号级代次])")


def asked_unit(question: str) -> LazyPattern | None:
    """How a number is said that a question asks for in a unit: 多少年, 几公里; None where it names none."""
    found = _UNIT_ASKED.search(question)
    return _UNITS[found[1]] if found is not None else None
