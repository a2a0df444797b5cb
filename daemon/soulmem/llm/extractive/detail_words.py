"""What tells of which kind a detail is, and that it struck or was learnt on purpose; English and Chinese.

Tables for `details`. Patterns match whole words in English, anywhere in Chinese.
"""

# A kind and all its words stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.gists import Kind


def _english(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


# Nouns whose kind is plain from the word.
ENGLISH_NOUNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.RELATIVE, _english(r"(?:step|grand|half-)?(?:mother|father|brother|sister|son|daughter)s?|mom|mum|dad|grandma|grandpa|wife|husband|aunts?|uncles?|cousins?|nieces?|nephews?|twins?|fianc[eé]e?")),
    (Kind.ANIMAL, _english(r"(?:[a-z]+ )?(?:dogs?|pupp(?:y|ies)|cats?|kittens?|hamsters?|rabbits?|bunn(?:y|ies)|parrots?|turtles?|tortoises?|snakes?|horses?|pon(?:y|ies)|goldfish|guinea pigs?|lizards?|ferrets?|foxes|fox|owls?|corg(?:i|is)|husk(?:y|ies)|poodles?|beagles?|labradors?|retrievers?)")),
    (Kind.FOOD, _english(r"pizzas?|pasta|spaghetti|noodles?|sushi|ramen|dumplings?|curry|soup|salad|steak|burgers?|sandwich(?:es)?|cakes?|cupcakes?|cookies?|pies?|bread|chocolate|ice cream|pancakes?|waffles?|croissants?|coffee|espresso|latte|tea|matcha|wine|beer|whisky|whiskey|cocktails?|juice|lemonade|peanuts?|hazelnuts?|strawberr(?:y|ies)|mango(?:es)?|cinnamon|cheese|tofu|lasagna|tacos?")),
    (Kind.ART, _english(r"guitars?|pianos?|violins?|cellos?|drums?|ukuleles?|pottery|ceramics|watercolou?rs?|oil paintings?|sculptures?|photography|poetry|poems?|novels?|ballet|operas?|concerts?|musicals?|jazz|calligraphy")),
    (Kind.SPORT, _english(r"marathons?|half-marathons?|yoga|pilates|football|soccer|basketball|baseball|tennis|badminton|volleyball|swimming|surfing|skiing|snowboarding|climbing|bouldering|boxing|karate|judo|cycling|hiking|jogging")),
    (Kind.GAME, _english(r"chess|poker|mahjong|board games?|video games?|puzzles?|dungeons and dragons|minecraft|monopoly")),
    (Kind.WORK, _english(r"nurses?|doctors?|teachers?|engineers?|developers?|programmers?|designers?|lawyers?|chefs?|pilots?|accountants?|scientists?|professors?|photographers?|journalists?|editors?|therapists?|dentists?|vets?|architects?|carpenters?|electricians?|plumbers?|mechanics?|farmers?|librarians?|baristas?|waiters?|waitress(?:es)?|translators?|pharmacists?|surgeons?|social workers?|internships?")),
    (Kind.STUDY, _english(r"(?:ph\.?d|master's|bachelor's|degree|diploma|scholarship|thesis|dissertation|algebra|calculus|physics|chemistry|biology|philosophy|linguistics)")),
    (Kind.HEALTH, _english(r"cancer|diabetes|asthma|migraines?|insomnia|allerg(?:y|ies)|surgery|fever|flu|concussion|depression|chemotherapy|appendicitis|pneumonia|(?:broken|sprained) (?:arm|leg|wrist|ankle|foot|finger)")),
    (Kind.THING, _english(r"bicycles?|bikes?|motorcycles?|cars?|necklaces?|bracelets?|earrings?|wedding rings?|umbrellas?|lanterns?|telescopes?|cameras?|laptops?|suitcases?|backpacks?|teddy bears?|typewriters?|keys?|diar(?:y|ies)|letters?")),
)  # fmt: skip

# Chinese key terms by what they hold.
CHINESE_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.RELATIVE, re.compile(r"妈|爸|父|母亲|姐|妹|哥|弟|爷|奶奶|外婆|外公|姥|舅|姑|姨|叔|老公|老婆|丈夫|妻子|儿子|女儿|侄|表[姐妹哥弟]|男友|女友|闺蜜")),
    (Kind.ANIMAL, re.compile(r"猫|狗|犬|兔|仓鼠|鹦鹉|乌龟|金鱼|柯基|金毛|布偶|哈士奇|龙猫|刺猬|鸟$|马$|狐|蛇")),
    (Kind.HEALTH, re.compile(r"手术|癌|发烧|感冒|过敏|骨折|失眠|抑郁|焦虑症|头疼|胃疼|糖尿病|高血压|扭伤|拉伤|住院|化疗|肺炎")),
    (Kind.WORK, re.compile(r"师$|医生|护士|律师|程序员|演员|作家|经理|司机|警察|公务员|会计|教授|记者|编辑|店长|老板|实习|项目|公司")),
    (Kind.FOOD, re.compile(r"火锅|面条|拉面|饺子|包子|米饭|奶茶|咖啡|蛋糕|烧烤|寿司|披萨|汤|粥|酒|茶|芒果|草莓|榛子|花生|榴莲|蟹|虾|鱼|鸡|鸭|牛肉|羊肉|糖|巧克力|月饼|粽子|豆腐")),
    (Kind.ART, re.compile(r"吉他|钢琴|小提琴|二胡|古筝|陶艺|摄影|书法|水彩|油画|素描|诗|小说|话剧|演唱会|音乐节|舞|乐队|合唱")),
    (Kind.SPORT, re.compile(r"马拉松|瑜伽|足球|篮球|羽毛球|网球|乒乓|游泳|骑行|攀岩|拳击|滑雪|跑步|晨跑|健身|徒步|太极")),
    (Kind.GAME, re.compile(r"麻将|象棋|围棋|桌游|拼图|剧本杀|游戏|原神|扑克|电竞")),
    (Kind.STUDY, re.compile(r"考研|论文|毕业|高考|硕士|博士|专业|证书|奖学金|数学|物理|化学|英语|日语|法语")),
    (Kind.PLACE, re.compile(r"(?:楼上|楼下|天台|海边|河边|湖边|山顶|巷子|胡同|操场|阳台|店|馆|院|园|桥|塔|庙|寺|街|路)$")),
    (Kind.FEELING, re.compile(r"难过|伤心|高兴|紧张|害怕|孤独|激动|感动|委屈|愤怒|骄傲|失落")),
)  # fmt: skip

# Cities and countries that need no preposition to be known for places.
PLACES = _english(
    r"london|paris|berlin|rome|madrid|lisbon|porto|vienna|prague|dublin|amsterdam|stockholm|oslo|helsinki|copenhagen|zurich|geneva|athens|istanbul|moscow|cairo|dubai|mumbai|delhi|bangkok|singapore|hanoi|seoul|tokyo|kyoto|osaka|beijing|shanghai|hong kong|taipei|sydney|melbourne|auckland|toronto|vancouver|montreal|new york|boston|chicago|denver|seattle|portland|austin|los angeles|san francisco|san diego|miami|las vegas|hawaii|california|texas|florida|"
    r"england|scotland|ireland|wales|france|germany|italy|spain|portugal|greece|sweden|norway|finland|denmark|iceland|poland|switzerland|austria|turkey|russia|ukraine|egypt|kenya|india|china|japan|korea|thailand|vietnam|indonesia|bali|australia|new zealand|canada|mexico|brazil|argentina|chile|peru|america|europe|asia|africa"
)
PLACE_END = re.compile(
    r"\b(?:street|road|avenue|park|gardens?|university|college|school|museum|gallery|library|hospital|clinic|station|airport|bridge|beach|bay|lake|river|island|mountains?|valley|canyon|caf[eé]|bakery|restaurant|hotel|inn|church|temple|cathedral|castle|square|market|mall|theat(?:er|re)|stadium|city|town|village|county)$"
    r"|(?:省|市|县|区|镇|村|路|街|巷|公园|大学|学院|医院|学校|中学|小学|博物馆|美术馆|商场|餐厅|咖啡馆|咖啡店|书店|酒店|机场|车站|火车站|寺|庙|山|湖|河|岛|海滩|古镇|广场|图书馆|健身房|公司|工厂|饭店|超市|菜市场)$",
    re.IGNORECASE,
)
CHINESE_PLACES = re.compile(
    "北京|上海|广州|深圳|杭州|南京|成都|重庆|武汉|西安|苏州|天津|长沙|青岛|厦门|大连|昆明|郑州|济南|合肥|福州|宁波|哈尔滨|沈阳|香港|澳门|台北|东京|大阪|京都|首尔|伦敦|巴黎|纽约|云南|四川|广东|浙江|江苏|山东|湖南|湖北|海南|新疆|西藏|三亚|大理|丽江|桂林|拉萨|"
    "日本|韩国|美国|英国|法国|德国|泰国|新加坡|加拿大|澳大利亚|意大利|西班牙|瑞士"
)
PLACE_AHEAD = re.compile(
    r"\b(?:in|at|near|around|visit(?:ed|ing)?|outside|towards?|via)(?: the)? $|\b(?:go|goes|going|went|gone|moved?|moving|trip|travel(?:led|ed|ling|ing)?|flew|fly|flying|drove|back|returned) (?:back )?to(?: the)? $|\b(?:is|are|was|comes?|came) from $",
    re.IGNORECASE,
)
PERSON_AHEAD = re.compile(
    r"\b(?:with|and|met|told|asked|called|named|friend|sister|brother|mom|mum|dad|mother|father|aunt|uncle|cousin|son|daughter|wife|husband|boss|teacher|dr\.?|mrs?\.?|ms\.?) $",
    re.IGNORECASE,
)
NO_PERSON = re.compile(
    r"\d|(?-i:^[A-Z&]{2,}$)|\b(?:inc|ltd|llc|co|corp|company|club|league|team|group|band|center|centre|association|project|foundation|festival|award|cup|program|studio|games?|day|parade|march)\b",
    re.IGNORECASE,
)

SPEECH_AHEAD = re.compile(
    r"\b(?:sa(?:id|ys?|ying)|told|tells?|ask(?:ed|s)?|whisper\w*|shout\w*|yell\w*|repl(?:y|ies|ied)|answer\w*|wrote|promis\w+|words?|line|repeat\w*|add(?:ed|s)|murmur\w*|cried|mutter\w*)\b[^.!?。！？\"“”]{0,40}$"
    r"|(?:说道?|问|道|喊|回答|告诉|写道|答应|念叨|那句|一句|这句)[^。！？“”]{0,8}$",
    re.IGNORECASE,
)
QUESTION_AHEAD = re.compile(r"\b(?:asked|asks)\b[^.!?。！？\"“”]{0,20}$|被?问[^。！？“”]{0,4}$", re.IGNORECASE)
PRONOUN = re.compile(r"\b(she|her|he|his|him|they|their|them)\b|([她他])", re.IGNORECASE)
PRONOUNS = {"she": "she", "her": "she", "he": "he", "his": "he", "him": "he", "她": "she", "他": "he"}

CODE_AHEAD = re.compile(
    r"\b(?:codes?|pins?|pass(?:word|code)s?|combination|number|no\.|room|gate|flight|locker|account|phone|licen[cs]e plate|id)\b[^.!?,;]{0,16}$"
    r"|(?:密码|号码|电话|手机号?|房间号?|编号|验证码|账号|帐号|门牌|航班|车牌|暗号|口令)[^。！？，；]{0,6}$",
    re.IGNORECASE,
)

# Signs that something struck: surprise, strong emotion, words kept exactly.
STRIKING = re.compile(
    r"\b(?:suddenly|out of nowhere|could(?:n['’]t| not) believe|can['’]t believe|never expected|to (?:my|his|her|their) surprise|unbelievabl[ey]|shocked|stunned|blew (?:my|his|her) mind|speechless|"
    r"burst into tears|in tears|cried|sobb(?:ed|ing)|heartbroken|heart (?:stopped|broke|skipped)|terrified|devastated|overjoyed|furious|trembl\w+|goosebumps|(?:never|won['’]t|not) (?:ever )?forget(?!ting to)|always remember|changed (?:my|his|her|their) life|died|passed away|struck (?:me|him|her)|"
    r"exact words|word for word|verbatim|and i quote|(?:his|her|their|last) words)\b"
    r"|突然|没想到|居然|竟然|不敢相信|难以置信|震惊|惊呆|吓坏|哭了|泪|崩溃|心碎|忘不了|忘不掉|难忘|一辈子|永远记得|刻骨铭心|醍醐灌顶|愣住|颤抖|狂喜|去世|绝望|原话|一字一句|一字不差|亲口",
    re.IGNORECASE,
)
LOUD = re.compile(r"[!！]{2,}|[?？][!！]|[!！][?？]")
# Signs of deliberate repetition.
LEARNT = re.compile(
    r"\b(?:repeat(?:ed|ing|s)? (?:it|them|after|to (?:him|her|my)self|over|the)|memori[sz]\w*|(?:learn\w*|know|knew) (?:it |them |.{1,20} )?by heart|over and over|again and again|(?:must|please|always|do) remember|remember (?:this|that)\b|don['’]t (?:you )?(?:ever )?forget|note to self|rehears\w+|drill(?:ed|ing)|cramm?(?:ed|ing))\b"
    r"|背下来|背诵|背熟|背了|背过|背单词|记住|牢记|默念|重复了?|反复|一遍又一遍|一遍遍|别忘了|死记|熟记|念了.遍|临时抱佛脚|突击复习",
    re.IGNORECASE,
)
# The same once more and once more: learnt by heart in front of us.
REPEATED = re.compile(r"(?<![\w])([^\s,，、。!！?？;；]{2,24})(?:[,，、;；\s]{1,3}\1){1,8}(?![\w])")

# Characters of verbs and adverbs: a Chinese run that holds one is hardly the name of a thing.
VERBAL = frozenset(
    "听见看说哭笑跑走打拿给送回到起出进开关吃喝做买卖学写读想爱恨怕突然当场特别非常结离考试请带住搬找叫问答等变成用帮陪接约聊玩忘记背念觉感知准备参加完始终继续一"
)
FOREIGN = re.compile(r"(?<=[\u4e00-\u9fff])[A-Z][a-zA-Z'’-]{1,24}(?: [A-Z][a-zA-Z'’-]{1,24})*")

MEASURES = "个只条次岁天块元斤公里米人位本张套家号点分倍层杯碗件瓶封首场遍名棵座部辆口双对根朵颗句页年月日周"
CLAUSE_CUT = re.compile(
    r"(?<!\d)[,;:](?=\s)|[.!?](?=\s)|[，；：。！？](?=.)|\s(?=(?:because|but|while|when|which|who|where|although|though|since|after|before|so that|and (?:i|it|he|she|they|we|then|the|her|his|\w+ed))\b)",
    re.IGNORECASE,
)
