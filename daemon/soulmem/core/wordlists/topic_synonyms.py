"""Synonyms of topics: words of talk that are about the same matter of somebody's life, each matter under one mark.

Called by `topic_terms`, which puts the mark in the place of the words, so that a raise is about the salary and 租金 about
房租. Narrower than the table of concepts by which questions are answered: there a job goes with a hospital, and nothing
may end because of that. Pure.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import LazyPattern

MARK = "="
_CARS = "corolla|polo|golf|yaris|mazda|toyota|honda|volvo|clio|corsa|civic|astra|jetta|passat|prius|micra|qashqai|octavia|fabia|megane|duster|dacia|vauxhall|citroen|mercedes|subaru|suzuki|mitsubishi|lexus|opel|jeep|ford|fiesta|fiat|bmw|audi|skoda|kia|hyundai|tesla|renault|peugeot|nissan|捷达|朗逸|卡罗拉|思域|雅阁|凯美瑞|帕萨特|速腾|宝来|高尔夫|轩逸|蔚来|小鹏|理想汽车|哈弗|长安汽车|奇瑞|日产|起亚|斯柯达|马自达|雷克萨斯|沃尔沃|保时捷|路虎|雪佛兰|标致|比亚迪|大众|丰田|本田|宝马|奥迪|特斯拉|五菱|吉利|奔驰|别克|桑塔纳"
_PHONES = "iphone|nokia|oneplus|motorola|pixel|samsung|galaxy|android|huawei|xiaomi|华为|红米|诺基亚|一加|魅族|荣耀|小米|苹果手机|三星"
# What a matter is called; in Chinese the longest word first.
_MATTERS = {
    "rent": "(?:a|per) month for (?:this|the) (?:place|flat|room|house)|rent|rents|rental|房租|租金|续租|租的房子|房子租",
    "pay": "salary|salaries|wages?|pay ?(?:rise|check|slip)|paycheck|earn(?:s|ing)?|making(?= \\d)|income|(?:a|my|the) raise|(?:grand|pound|percent|pay) rise|pay review|pay ?rise|调薪|工资|月薪|年薪|薪水|薪资|底薪|收入|涨薪|涨工资|老板给我加了|加薪|调薪|到手",
    "weight": "weigh(?:s|ed|ing)?|weight|scales?|体重|一称|称了|上秤|秤上",
    "size": "size \\d+|shoe size|feet measured|shoes?|[\\d一二三四五六七八九十]+码|鞋码|尺码|码的鞋",
    "height": "height|tall|身高|个头",
    "dose": "pills?|tablets?|dose|dosage|capsules?|药量|剂量|药片",
    "phone": f"phones?|mobile|handset|{_PHONES}|手机",
    "car": f"(?<!in the )(?<!by )(?<!the company )cars?|{_CARS}|轿车|汽车|[破新旧老]车|(?<=辆)车|这车|那车|车子|开车",
    "therapy": "therapists?|therapy|counsell?or|counsell?ing|心理咨询师?|咨询师?",
    "loan": "mortgaged?|remortgaged?|房贷|按揭",
    "screen": "tv|tvs|telly|television|电视机?",
    "show": "shows?|programmes?|programs?|series|节目|综艺",
    "wifi": "wi-?fi|wireless|无线网?|网络密码",
    "coriander": "cilantro|coriander|香菜|芫荽",
    "meat": "vegetarian|vegan|veggie|meat|meatless|吃素|素食|吃肉|肉食|荤",
    "smoke": "smok(?:e|es|ed|ing|er)|cigarettes?|fags?|戒烟|抽烟|吸烟|香烟|抽上|戒了烟",
    "drink": "alcohol|booze|sober|teetotal|戒酒|喝酒",
    "plane": "planes?|flying|坐飞机|飞机",
    "wall": "walls?|paint(?:ed|ing)?|刷墙|墙面|墙漆|刷成",
    "boiler": "boiler|radiators?|heating|central heating|暖气|锅炉|热水器",
    "cooler": "air ?con(?:ditioner|ditioning)?|空调|冷气|凉风",
    "glasses": "glasses|specs|contact lenses|contacts|眼镜|隐形",
    "debt": "owes?|owed|debt|欠|债|还钱|还清",
    "blood": "blood (?:type|group)|血型|[AB]型|AB型|O型|[abo]{1,2} (?:positive|negative)",
    "mail": "e-?mail|gmail|inbox|邮箱|邮件",
    "hair": "haircut|hair|fringe|头发|发型",
    "braces": "braces|牙套|牙箍",
    "exercise": "gym|健身房|健身",
    "captain": "captain|captaincy|队长",
    "fare": "fares?|ticket price|票价",
    "chess": "chess|下棋|棋社|象棋|围棋",
    "fee": "membership|subscription|会员|会费|订阅",
    "plan": "phone plan|话费|套餐|流量",
    "flu": "shingles|rash|flu|fever|cold|带状疱疹|疹子|发烧|感冒|退烧",
}
_MATTER = LazyPattern(
    "|".join(
        rf"(?P<{name}>\b(?:{'|'.join(w for w in words.split('|') if w.isascii()) or '$^'})\b|(?:{'|'.join(w for w in words.split('|') if not w.isascii()) or '$^'}))"
        for name, words in _MATTERS.items()
    ),
    re.IGNORECASE | re.ASCII,
)


def marked(text: str) -> tuple[str, frozenset[str]]:
    """The text without the words of the matters it is about, and the marks of these."""
    found: set[str] = set()

    def mark(match: re.Match[str]) -> str:
        found.add(f"{MARK}{match.lastgroup}")
        return " "

    return _MATTER.sub(mark, text), frozenset(found)


def said_as(term: str) -> str:
    """The plain words for a mark, to seek by; of any other term, itself."""
    if not term.startswith(MARK):
        return term
    words = re.sub(r"\(\?[^()]*\)|[\[\]()?\\]", " ", _MATTERS[term[1:]])
    return " ".join(word for word in words.split("|") if word.strip())
