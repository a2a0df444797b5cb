"""Places and organisations that are known by name or by what they end in, Chinese and English.

One list for everybody: the recogniser of names tells people from places by it, the gate asks for places that nobody
mentioned, and masks say "somewhere" for one. Data and two questions; pure.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern

_CHINESE = (
    "北京 上海 广州 深圳 杭州 南京 成都 重庆 武汉 西安 苏州 天津 长沙 青岛 厦门 大连 昆明 郑州 济南 合肥 福州 宁波 哈尔滨 沈阳 长春 石家庄 太原 南昌 南宁 贵阳 兰州 西宁 银川 乌鲁木齐 海口 无锡 温州 佛山 东莞 珠海 香港 澳门 台北 台湾 高雄 "
    "台中 嘉兴 绍兴 金华 台州 湖州 扬州 常州 徐州 南通 镇江 连云港 泉州 漳州 莆田 烟台 威海 潍坊 临沂 洛阳 开封 宜昌 襄阳 荆州 株洲 岳阳 桂林 北海 柳州 汕头 惠州 中山 江门 湛江 绵阳 乐山 遵义 曲靖 延安 咸阳 敦煌 吉林 大庆 保定 唐山 秦皇岛 "
    "云南 四川 广东 广西 浙江 江苏 山东 山西 湖南 湖北 河南 河北 海南 福建 安徽 江西 贵州 陕西 甘肃 青海 辽宁 黑龙江 内蒙古 宁夏 新疆 西藏 三亚 大理 丽江 拉萨 香格里拉 西双版纳 乌镇 周庄 鼓浪屿 九寨沟 张家界 黄山 泰山 华山 峨眉山 西湖 太湖 洱海 "
    "东京 大阪 京都 北海道 札幌 冲绳 名古屋 奈良 首尔 釜山 济州岛 曼谷 清迈 普吉岛 巴厘岛 河内 胡志明 伦敦 爱丁堡 曼彻斯特 巴黎 里昂 尼斯 纽约 洛杉矶 旧金山 西雅图 波士顿 芝加哥 华盛顿 休斯顿 拉斯维加斯 夏威夷 多伦多 温哥华 蒙特利尔 悉尼 墨尔本 奥克兰 "
    "柏林 慕尼黑 汉堡 法兰克福 罗马 米兰 威尼斯 佛罗伦萨 马德里 巴塞罗那 里斯本 阿姆斯特丹 布鲁塞尔 维也纳 布拉格 莫斯科 圣彼得堡 伊斯坦布尔 雅典 苏黎世 日内瓦 斯德哥尔摩 哥本哈根 奥斯陆 赫尔辛基 都柏林 新加坡 吉隆坡 槟城 迪拜 开罗 孟买 德里 "
    "中国 日本 韩国 朝鲜 美国 英国 法国 德国 意大利 西班牙 葡萄牙 荷兰 比利时 瑞士 瑞典 挪威 丹麦 芬兰 冰岛 俄罗斯 乌克兰 波兰 捷克 奥地利 希腊 土耳其 泰国 越南 老挝 柬埔寨 缅甸 马来西亚 印尼 菲律宾 印度 尼泊尔 巴基斯坦 伊朗 伊拉克 以色列 加拿大 澳大利亚 澳洲 新西兰 "
    "巴西 阿根廷 智利 秘鲁 墨西哥 古巴 埃及 摩洛哥 南非 肯尼亚 非洲 欧洲 亚洲 美洲 北美 南美"
).split()
_COMPANIES = (
    "谷歌 百度 腾讯 阿里巴巴 字节跳动 字节 华为 小米 微软 亚马逊 京东 美团 拼多多 网易 滴滴 特斯拉 比亚迪 蔚来 索尼 三星 英特尔 苹果公司 淘宝 天猫 抖音 快手 小红书 知乎 豆瓣 哔哩哔哩 星巴克 瑞幸 麦当劳 肯德基 必胜客 海底捞 宜家 优衣库 沃尔玛 "
    "清华 北大 复旦 交大 浙大 南大 武大 中大 人大 同济 哈佛 斯坦福 耶鲁 牛津 剑桥 麻省理工"
).split()
CHINESE_PLACES = frozenset(_CHINESE)
CHINESE_ORGANISATIONS = frozenset(_COMPANIES)
LONGEST_CHINESE = max(map(len, (*_CHINESE, *_COMPANIES)))
# What the names of places and houses end in.
CHINESE_ENDS = (
    "大学 学院 中学 小学 幼儿园 医院 诊所 公司 集团 银行 机场 车站 火车站 地铁站 博物馆 美术馆 图书馆 体育馆 省 市 县 区 镇 村 路 街 巷 胡同 寺 庙 山 湖 河 江 岛 海滩 古镇 公园 广场 酒店 宾馆 民宿 餐厅 饭店 咖啡馆 咖啡店 书店 商场 超市 菜市场 健身房 工厂 研究所 事务所 "
    "出版社 律所 小区 花园 新村"
).split()

ENGLISH_PLACES = CaselessPattern(
    r"\b(?:london|paris|berlin|rome|madrid|lisbon|porto|vienna|prague|dublin|amsterdam|stockholm|oslo|helsinki|copenhagen|zurich|geneva|athens|istanbul|moscow|cairo|dubai|mumbai|delhi|bangkok|singapore|hanoi|seoul|tokyo|kyoto|osaka|beijing|shanghai|hangzhou|shenzhen|guangzhou|chengdu|hong kong|taipei|"
    r"sydney|melbourne|auckland|toronto|vancouver|montreal|new york|boston|chicago|denver|seattle|portland|austin|los angeles|san francisco|san diego|miami|las vegas|hawaii|california|texas|florida|"
    r"manchester|liverpool|leeds|bristol|birmingham|sheffield|newcastle|nottingham|oxford|cambridge|brighton|york|edinburgh|glasgow|cardiff|belfast|cork|galway|lyon|marseille|nice|bordeaux|toulouse|munich|hamburg|frankfurt|cologne|leipzig|dresden|milan|naples|florence|venice|turin|barcelona|seville|valencia|granada|"
    r"brussels|antwerp|rotterdam|utrecht|budapest|warsaw|krakow|bucharest|sofia|belgrade|zagreb|ljubljana|riga|vilnius|tallinn|reykjavik|bergen|gothenburg|malm[oö]|aarhus|jaipur|bangalore|chennai|kolkata|hyderabad|pune|goa|lagos|nairobi|accra|johannesburg|cape town|casablanca|marrakech|tehran|baghdad|beirut|amman|jerusalem|tel aviv|"
    r"manila|jakarta|bali|kuala lumpur|lima|bogot[aá]|santiago|buenos aires|rio(?: de janeiro)?|s[aã]o paulo|mexico city|havana|philadelphia|houston|dallas|atlanta|phoenix|detroit|minneapolis|nashville|new orleans|washington|pittsburgh|cleveland|ottawa|calgary|quebec|brisbane|perth|adelaide|wellington|"
    r"england|scotland|ireland|wales|britain|the uk|france|germany|italy|spain|portugal|greece|sweden|norway|finland|denmark|iceland|poland|hungary|romania|bulgaria|serbia|croatia|slovenia|czechia|switzerland|austria|belgium|netherlands|holland|turkey|russia|ukraine|egypt|kenya|nigeria|ghana|ethiopia|morocco|tunisia|algeria|south africa|"
    r"india|china|japan|korea|thailand|vietnam|indonesia|malaysia|philippines|pakistan|bangladesh|nepal|iran|iraq|israel|lebanon|syria|australia|new zealand|canada|mexico|cuba|brazil|argentina|chile|peru|colombia|america|europe|asia|africa)\b"
)
_OF_PLACES = (
    r"street|road|avenue|lane|park|gardens?|museum|gallery|library|hospital|clinic|station|airport|bridge|beach|bay|lake|river|islands?|mountains?|hill|valley|canyon|caf[eé]"
    r"|bakery|restaurant|hotel|inn|pub|church|temple|cathedral|castle|square|market|mall|theat(?:er|re)|cinema|warehouse|stadium|city|town|village|county|school|college|university"
)
ENGLISH_ENDS = CaselessPattern(
    rf"\b(?:{_OF_PLACES}|academy|inc|ltd|llc|gmbh|co|corp|company|club|league|team|group|band|cent(?:er|re)|association|project|foundation|festival|award|cup|studio|studios|bank|press|records|games|orchestra|choir|society|agency|council|union|quartet|competition|marathon|olympics|triathlon|parade)$"
)

ENGLISH_EVENTS = CaselessPattern(
    r"\b(?:marathon|festival|cup|awards?|parade|olympics|games|race|half|triathlon|carnival|fair|conference|competition)$"
)
_BUILDINGS = CaselessPattern(rf"\b(?:{_OF_PLACES})$")


def is_building(words: str) -> bool:
    """Whether an English name ends as a street, a house or a landscape does: one is there rather than in it."""
    return _BUILDINGS.search(words) is not None


def is_chinese_place(word: str) -> bool:
    return word in CHINESE_PLACES or word in CHINESE_ORGANISATIONS


def is_english_place(words: str) -> bool:
    """Whether this is a known place, or ends as a place or an organisation does."""
    return ENGLISH_PLACES.fullmatch(words) is not None or ENGLISH_ENDS.search(words) is not None
