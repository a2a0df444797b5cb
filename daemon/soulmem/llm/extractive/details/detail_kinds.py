"""Of which kind a thing is, told by its word: nouns of both languages for `detail_finding`.

English patterns match whole words; a Chinese word is looked up whole or by what it ends in. What is in neither is a
thing. Data and two questions.
"""

# A kind and all its words stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.details.gists import Kind
from soulmem.core.text.chinese_segmenter import cost, is_noun


def _english(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


# The first kind that fits is taken.
ENGLISH_NOUNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.MEDICINE, _english(r"epi-?pens?|insulin|metformin|inhalers?|ventolin|antihistamines?|antidepressants?|antibiotics?|painkillers?|ibuprofen|paracetamol|tylenol|aspirin|statins?|thyroxine|levothyroxine|warfarin|sertraline|prozac|zoloft|xanax|melatonin|adderall|ritalin|lithium|prednisone|steroids?|cortisone|morphine|codeine|blood thinners?|(?:hearing|walking) aids?|pacemakers?|wheelchairs?|crutch(?:es)?|contact lenses|cpap|dialysis|(?:sleeping |birth control |vitamin |iron )?pills?|tablets|vitamins?|vaccines?|ointments?|eye drops|patch(?:es)?|\w{3,}(?:cillin|mycin|statin|prazole|olol|pril|sartan|azepam|azolam|oxetine|triptan|caine|formin|zumab|limumab)|medications?|meds|medicines?")),
    (Kind.RELATIVE, _english(r"(?:step|grand|half-|great-grand)?(?:mother|father|brother|sister|son|daughter)s?(?:-in-law)?|mom|mum|dad|grandma|grandpa|nana|granny|wife|husband|aunts?|auntie|uncles?|cousins?|nieces?|nephews?|twins?|fianc[eé]e?")),
    (Kind.ANIMAL, _english(r"(?:german shepherds?|border collies?|guinea pigs?|golden retrievers?|great danes?|jack russells?)|(?:(?<!['’])\b[a-z]{2,} )?(?:dogs?|pupp(?:y|ies)|cats?|kittens?|hamsters?|rabbits?|bunn(?:y|ies)|parrots?|turtles?|tortoises?|sharks?|dolphins?|penguins?|squirrels?|snakes?|horses?|pon(?:y|ies)|goldfish|lizards?|ferrets?|foxes|fox|owls?|corg(?:i|is)|husk(?:y|ies)|poodles?|beagles?|labradors?|retrievers?|shepherds?|spiders?|wasps?|bees|octopus(?:es)?|whales?|crows?|pigeons?|hedgehogs?)")),
    (Kind.FOOD, _english(r"(?:lentil|tomato|chicken|pumpkin|vegetable|onion|miso|fish|apple|carrot|cheese|birthday|chocolate|banana|rice|fried|ice|peanut|almond|oat|soy|green|black|mint|olive|garlic|pea|mushroom|noodle|potato|lemon|orange) (?:soup|cake|pies?|bread|tea|milk|butter|noodles?|salad|curry|stew|cream|rice|juice|oil)|pizzas?|pasta|spaghetti|noodles?|sushi|ramen|dumplings?|curry|soup|stew|salad|steak|burgers?|sandwich(?:es)?|cakes?|cupcakes?|cookies?|pies?|bread|bagels?|chocolates?|ice cream|pancakes?|waffles?|croissants?|coffee|espresso|latte|tea|matcha|wine|beer|whisky|whiskey|gin|rum|vodka|cocktails?|juice|lemonade|milk|dairy|yog(?:h)?urt|butter|eggs?|gluten|wheat|soy|sesame|nuts?|peanuts?|hazelnuts?|almonds?|walnuts?|cashews?|pistachios?|pine nuts|"
                         r"shellfish|seafood|prawns?|shrimps?|crabs?|lobsters?|oysters?|mussels?|squid|fish|salmon|tuna|cod|anchov(?:y|ies)|meat|beef|pork|lamb|chicken|bacon|ham|sausages?|duck|turkey|coriander|cilantro|garlic|onions?|mushrooms?|tomato(?:es)?|potato(?:es)?|aubergines?|eggplants?|courgettes?|peppers?|olives?|spinach|broccoli|cabbage|beans?|lentils?|chickpeas?|tofu|rice|porridge|oats?|strawberr(?:y|ies)|raspberr(?:y|ies)|blueberr(?:y|ies)|mango(?:es)?|apples?|pears?|bananas?|kiwis?|peaches|plums?|cherries|grapes?|oranges?|lemons?|melons?|pineapples?|coconuts?|avocados?|cinnamon|vanilla|honey|cheese|lasagna|lasagne|tacos?|falafel|hummus|kebabs?|biryani|paella|risotto|jam|liquorice|licorice|caffeine|alcohol")),
    (Kind.HEALTH, _english(r"cancer|leukaemia|leukemia|tumou?rs?|diabetes|asthma|migraines?|insomnia|surgery|operation|fever|flu|covid|concussion|depression|anxiety|dementia|alzheimer['’]?s|parkinson['’]?s|epilepsy|seizures?|stroke|heart attack|chemotherapy|chemo|appendicitis|pneumonia|bronchitis|arthritis|eczema|psoriasis|an(?:a)?emia|coeliac|celiac|crohn['’]?s|endometriosis|adhd|autism|dyslexia|ptsd|anorexia|bulimia|miscarriage|ulcers?|kidney stones|high blood pressure|(?:broken|sprained|fractured) (?:arm|leg|wrist|ankle|foot|finger|collarbone|rib)")),
    (Kind.EVENT, _english(r"weddings?|funerals?|graduations?|festivals?|birthday part(?:y|ies)|baby showers?|conferences?|exhibitions?|auditions?|recitals?|parades?|reunions?|housewarming")),
    (Kind.ART, _english(r"guitars?|pianos?|violins?|cellos?|drums?|flutes?|saxophones?|ukuleles?|pottery|ceramics|watercolou?rs?|oil paintings?|sculptures?|photography|poetry|poems?|ballet|operas?|concerts?|musicals?|jazz|calligraphy|knitting|crochet|embroidery")),
    (Kind.SPORT, _english(r"marathons?|half-marathons?|triathlons?|yoga|pilates|football|soccer|basketball|baseball|cricket|rugby|hockey|tennis|badminton|squash|volleyball|swimming|surfing|skiing|snowboarding|climbing|bouldering|boxing|karate|judo|cycling|hiking|jogging|rowing|fencing|archery|parkrun")),
    (Kind.GAME, _english(r"chess|poker|mahjong|board games?|video games?|puzzles?|crosswords?|dungeons and dragons|minecraft|monopoly|scrabble|sudoku")),
    (Kind.WORK, _english(r"nurses?|doctors?|teachers?|engineers?|developers?|programmers?|designers?|lawyers?|chefs?|pilots?|accountants?|scientists?|professors?|photographers?|journalists?|editors?|therapists?|dentists?|vets?|architects?|carpenters?|electricians?|plumbers?|mechanics?|farmers?|librarians?|baristas?|waiters?|waitress(?:es)?|translators?|pharmacists?|surgeons?|midwi(?:fe|ves)|paramedics?|firefighters?|bakers?|gardeners?|social workers?|internships?|bookkeepers?|receptionists?|bus drivers?")),
    (Kind.STUDY, _english(r"ph\.?d|master's|bachelor's|degree|diploma|scholarship|thesis|dissertation|algebra|calculus|physics|chemistry|biology|philosophy|linguistics|geography|economics|law school|medical school|driving test|exams?")),
    (Kind.PROGRAM, re.compile(r"\b(?:YouTube|Netflix|Spotify|Instagram|Facebook|TikTok|Twitter|WhatsApp|Telegram|Discord|Reddit|Zoom|Slack|Teams|Notion|Dropbox|Duolingo|Strava|Goodreads|Tinder|Hinge|Bumble|ChatGPT|Photoshop|Excel|Word|PowerPoint|Gmail|iCloud|GitHub|LinkedIn|Etsy|eBay|Vinted|Uber|Airbnb)\b")),
    (Kind.COLOUR, _english(r"teal|turquoise|crimson|maroon|magenta|indigo|lavender|beige|burgundy|mustard yellow|navy blue|sky blue|emerald")),
    (Kind.VEHICLE, _english(r"bicycles?|bikes?|motorcycles?|motorbikes?|mopeds?|scooters?|cars?|vans?|trucks?|caravans?|campervans?|boats?|kayaks?|canoes?")),
    (Kind.PLACE, _english(r"(?:care|nursing) home|hometown|basement|attic|balcony|rooftop|cottage|lighthouse|cabin")),
    (Kind.THING, _english(r"necklaces?|bracelets?|earrings?|wedding rings?|engagement rings?|umbrellas?|lanterns?|telescopes?|cameras?|laptops?|suitcases?|backpacks?|teddy bears?|typewriters?|keys?|diar(?:y|ies)|letters?|wallets?|passports?|sewing machine|record player|headphones")),
)  # fmt: skip

# A Chinese word by what it is or ends in.
CHINESE_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.TIME, re.compile(r"^(?:周末|假期|寒假|暑假|长假|春节|中秋节?|国庆节?|端午节?|元旦|除夕|清明节?)$")),
    (Kind.PERSON, re.compile(r"^(?:室友|舍友|同事|同学|朋友|邻居|网友|客户|房东|老乡|战友|队友|同桌)$")),
    (Kind.MEDICINE, re.compile(r"胰岛素|二甲双胍|舍曲林|氟西汀|西汀$|唑仑$|西泮$|他韦$|清瘟|他定$|利嗪$|法林$|优甲乐|甲状腺素|喷雾|喷剂|肾上腺素笔?|激素$|抗生素|青霉素|头孢|褪黑素|维生素|布洛芬|阿司匹林|对乙酰氨基酚|他汀$|沙坦$|西林$|霉素$|洛尔$|药[片丸膏水物]?$|助听器|轮椅|拐杖|起搏器|呼吸机|吸入器|血糖仪|隐形眼镜|疫苗|针剂|益生菌")),
    (Kind.RELATIVE, re.compile(r"妈|爸|父[亲母]?$|母亲|姐|妹|哥$|哥哥|弟|爷|奶奶|外婆|外公|姥|舅|姑[姑父妈]|姨|叔|老公|老婆|丈夫|妻子|儿子|女儿|侄|外甥|表[姐妹哥弟]|男友|女友|男朋友|女朋友|闺蜜|未婚[夫妻]|双胞胎|嫂子|婆婆|岳[父母]")),
    (Kind.ANIMAL, re.compile(r"鲨鱼?$|鲸鱼?$|海豚|企鹅|白鹭|熊猫|大象|老虎|狮子|猴子|松鼠|猫咪?$|狗狗?$|犬$|兔子?$|仓鼠|鹦鹉|乌龟|金鱼|柯基|金毛$|布偶|哈士奇|泰迪|边牧|柴犬|龙猫|刺猬|鸟$|狐狸?$|蛇$|马$|章鱼$|蜘蛛|蟑螂|鸽子|乌鸦")),
    (Kind.HEALTH, re.compile(r"手术|癌症?$|肿瘤|白血病|发烧|感冒|骨折|失眠|抑郁症?|焦虑症|痴呆|帕金森|癫痫|中风|心脏病|头疼|偏头痛|胃疼|胃病|糖尿病|高血压|低血糖|哮喘|湿疹|贫血|扭伤|拉伤|住院|化疗|肺炎|肾结石|流产|[^毛]病$|炎$")),
    (Kind.WORK, re.compile(r"师$|^[夜白早晚]班$|医生|护士|律师|程序员|演员|作家|经理$|司机|警察|公务员|会计|教授|记者|编辑|店长|老板|实习生?|员工$|客服|保安|店员|服务员|飞行员|消防员|翻译$|导游|主播")),
    (Kind.FOOD, re.compile(r"^[早午中晚]饭$|[早午晚]餐$|夜宵|宵夜|火锅|面条|[拉汤炒拌凉阳刀削泡烩]面|面食|饺子|包子|馒头|米饭|饭团|奶茶|牛奶|咖啡|拿铁|蛋糕|面包$|饼干|烧烤|烤串|寿司|披萨|汤$|粥$|酒$|茶$|果汁|可乐|芒果|草莓|西瓜|苹果$|香蕉|橙子|葡萄|樱桃|车厘子|榛子|杏仁|核桃|腰果|花生酱?|坚果|芝麻|榴莲|火龙果|菠萝|桃子?$|螃蟹|蟹$|虾$|海鲜|贝类|鱼$|鸡[肉蛋翅]?$|鸭$|牛肉|羊肉|猪肉|肉$|香菜|大蒜|葱$|蘑菇|番茄|西红柿|土豆|茄子|豆腐|鸡蛋|糖$|巧克力|月饼|粽子|汤圆|年糕|辣条|螺蛳粉|麻辣烫|米线|乳糖|麸质|蜂蜜|酸奶|冰淇淋|冰激凌|麸质|酥$|酸汤")),
    (Kind.FILM, re.compile(r"电视剧|纪录片|动画片|连续剧|综艺")),
    (Kind.ART, re.compile(r"吉他|尤克里里|口琴|钢琴|小提琴|大提琴|琴$|二胡|古筝|笛子|架子鼓|陶艺|摄影|书法|水彩|油画|素描|国画|诗$|诗歌|小说|话剧|演唱会|音乐节|舞$|舞蹈|乐队|乐团|合唱|刺绣|编织|钩针|戏$|剪纸")),
    (Kind.SPORT, re.compile(r"马拉松|瑜伽|足球|篮球|排球|羽毛球|网球|乒乓球?|台球|游泳|骑行|攀岩|拳击|滑雪|滑冰|跑步|晨跑|健身|徒步|太极|跆拳道|潜水|冲浪|飞盘")),
    (Kind.GAME, re.compile(r"麻将|象棋|围棋|五子棋|桌游|拼图|剧本杀|密室|游戏|原神|王者荣耀|塞尔达|扑克|电竞|魔方|乐高")),
    (Kind.STUDY, re.compile(r"考研|论文|毕业|高考|中考|硕士|博士|专业$|证书|驾照|奖学金|数学|物理|化学|生物|历史|地理|雅思|托福")),
    (Kind.LANGUAGE, re.compile(r"(?:英|日|法|德|韩|俄|意|粤|西班牙|葡萄牙|意大利|阿拉伯|芬兰|瑞典|荷兰|泰|越南)语$|[日英法德韩俄]文$|方言$|上海话|四川话|普通话|(?:四川|广东|东北|闽南|客家|家乡|河南|山东|陕西|湖南|天津|北京)话|手语")),
    (Kind.EVENT, re.compile(r"婚礼|葬礼|典礼|毕业典礼|聚会|年会|派对|展览|画展|漫展|庙会|比赛|面试|答辩|运动会|音乐会|发布会|满月酒")),
    (Kind.PROGRAM, re.compile(r"笔记$|软件|网站|公众号|小程序|微信|微博|抖音|小红书|淘宝|支付宝|豆瓣|知乎|多邻国|网易云|爱奇艺|优酷|钉钉|飞书|饿了么|高德|携程|网盘|浏览器|App$")),
    (Kind.VEHICLE, re.compile(r"^公交车?$|地铁|高铁|火车$|动车$|出租车|自行车|摩托车?|电动车|电瓶车|汽车|轿车|卡车|面包车|房车|越野车|丰田|本田|大众|宝马|奔驰|奥迪|特斯拉|比亚迪|帆船|皮划艇")),
    (Kind.COLOUR, re.compile(r"[红橙黄绿青蓝紫黑白灰粉棕金银]色$|墨绿|天蓝|藏青|米白|酒红|卡其")),
    (Kind.PLACE, re.compile(r"(?:楼上|楼下|天台|海边|河边|湖边|山顶|巷子|胡同|操场|阳台|地下室|养老院|幼儿园|店|馆|院|公园|花园|园林|桥|塔|庙|寺|街|路|小区|机场|车站|工厂|公司|学校|职校|超市)$")),
    (Kind.FEELING, re.compile(r"难过|伤心|紧张|害怕|孤独|激动|感动|委屈|愤怒|骄傲|失落")),
)  # fmt: skip

# What a favourite, a type or a make is of: my favourite colour is teal, 最喜欢的乐队是痛仰.
OF_WHAT = {
    "colour": Kind.COLOUR, "color": Kind.COLOUR, "band": Kind.MUSIC, "singer": Kind.MUSIC, "song": Kind.MUSIC,
    "album": Kind.MUSIC, "music": Kind.MUSIC, "composer": Kind.MUSIC, "artist": Kind.MUSIC, "film": Kind.FILM,
    "movie": Kind.FILM, "show": Kind.FILM, "series": Kind.FILM, "actor": Kind.PERSON, "actress": Kind.PERSON,
    "book": Kind.BOOK, "novel": Kind.BOOK, "author": Kind.PERSON, "writer": Kind.PERSON, "poet": Kind.PERSON,
    "food": Kind.FOOD, "dish": Kind.FOOD, "fruit": Kind.FOOD, "drink": Kind.FOOD, "cake": Kind.FOOD,
    "snack": Kind.FOOD, "vegetable": Kind.FOOD, "game": Kind.GAME, "sport": Kind.SPORT, "team": Kind.ORGANISATION,
    "animal": Kind.ANIMAL, "city": Kind.PLACE, "place": Kind.PLACE, "country": Kind.PLACE, "language": Kind.LANGUAGE,
    "subject": Kind.STUDY, "season": Kind.TIME, "blood type": Kind.HEALTH, "blood group": Kind.HEALTH,
    "颜色": Kind.COLOUR, "乐队": Kind.MUSIC, "歌手": Kind.MUSIC, "歌": Kind.MUSIC, "音乐": Kind.MUSIC,
    "电影": Kind.FILM, "电视剧": Kind.FILM, "剧": Kind.FILM, "动画": Kind.FILM, "演员": Kind.PERSON, "书": Kind.BOOK,
    "小说": Kind.BOOK, "作家": Kind.PERSON, "菜": Kind.FOOD, "食物": Kind.FOOD, "水果": Kind.FOOD, "零食": Kind.FOOD,
    "饮料": Kind.FOOD, "甜品": Kind.FOOD, "游戏": Kind.GAME, "运动": Kind.SPORT, "球队": Kind.ORGANISATION,
    "动物": Kind.ANIMAL, "城市": Kind.PLACE, "地方": Kind.PLACE, "国家": Kind.PLACE, "科目": Kind.STUDY,
    "季节": Kind.TIME, "血型": Kind.HEALTH,
}  # fmt: skip

# Words that say of what kind something is, and are no detail themselves.
KIND_WORDS = frozenset(each for each in OF_WHAT if not each.isascii()) | frozenset(
    "密码 号码 电话 手机号 地址 生日 名字 姓名 职业 专业 年龄 身高 体重 爱好 工作 公司 学校 老家 家乡 口味 外号 昵称 星座 会儿 下子 乐意 汇报".split()
)


def chinese_kind(word: str) -> Kind | None:
    """The kind of a Chinese word; None for what is in no list."""
    named = is_noun(word) or cost(word) is None or len(word) == 1  # of a verb (住院) only the whole word counts
    return next(
        (kind for kind, pattern in CHINESE_KINDS if (pattern.search(word) if named else pattern.fullmatch(word))), None
    )


def english_kind(words: str) -> Kind | None:
    """The kind of an English noun; None for what is in no list."""
    return next((kind for kind, pattern in ENGLISH_NOUNS if pattern.fullmatch(words)), None)
