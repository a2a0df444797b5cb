"""Names in Chinese wording: which people, places, houses and titles of a note must have been said by somebody.

Data and one function, used by the gate through `core/names`. Chinese marks no names, so only forms that surely are
names are looked at: what is called so (名叫…), surnames with a title, nicknames and full names where a person acts or
is addressed, places and organisations by what they end in or by a list, foreign names by their dot. In doubt a word is
common: paraphrase must not be refused.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.patterns import LazyPattern

_H = "\u4e00-\u9fff"
_SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金"
    "贾韦夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向汤"
)
_TITLE = (
    r"(?:先生|女士|小姐|老师|医生|大夫|护士|师傅|经理|总监|总|叔叔?|阿姨|教授|律师|同学|老板|警官|局长|院长|校长|主任|教练|哥|姐|奶奶|爷爷|太太|"
    r"博士|队长|导演|师兄|师姐)"
)
# Before a name: a beginning, or a word that takes a person.
_BEFORE = r"(?:^|(?<=[。！？；，、：,.!?;:\s“”「」（(和跟与同叫给找陪约帮请问被让对向])|(?<=爱人|妻子|丈夫|女儿|儿子|妹妹|姐姐|哥哥|弟弟|同事|朋友|同学|室友|老板|邻居|闺蜜|老公|老婆|女友|男友|妈妈|爸爸|师父|徒弟))"
_ACTS = (
    r"(?=是|在|说|住|一起|一同|一块|都|喜欢|讨厌|养|今年|昨天|前天|明天|打算|告诉|想|来自|毕业|决定|觉得|认为|：|:|去了|去过|去[^年]|有[一两三个只]|也|很|不|叫|对|"
    r"和|跟|与|把|被|给|会|要|搬|买|做|生于|出生|爱|怕|刚|正|已|曾|的(?:妈|爸|哥|姐|弟|妹|生日|老[公婆家]|儿子|女儿|女友|男友|朋友|家|猫|狗|工作|"
    r"宠物|公司|父|母|爷|奶|孩子|职业|名字))"
)
# Common words that begin like a surname or a nickname.
_COMMON = tuple(
    """
    高兴 高中 高铁 高考 高一 高二 高三 高层 高速 高级 高个 高校 高温 高度 高大 周末 周一
    周二 周三 周四 周五 周六 周日 周天 周围 周年 周边 周到 马上 马路 马桶 马拉 马儿 黄色
    黄金 黄昏 黄瓜 黄豆 白天 白色 白菜 白酒 白人 方便 方面 方法 方式 方向 方案 方言 金钱
    金融 金额 金色 金牌 金鱼 金毛 夏天 夏季 夏日 夏令 万一 万圣 万里 石头 石油 雷雨 雷声
    毛病 毛衣 毛巾 毛笔 钱包 钱财 孔雀 江边 江湖 江南 江水 段时 许多 许愿 任何 任务 任性
    余下 余生 于是 于我 叶子 程序 程度 史上 史书 严重 严格 严肃 何时 何况 何必 林业 林子
    胡同 胡萝 胡子 胡乱 罗马 郑重 谢谢 谢意 宋朝 唐诗 唐朝 韩国 韩语 韩剧 韩餐 曾经 曾在
    肖像 杜绝 向来 向往 向上 向日 汤圆 汤里 武术 武器 武侠 熊猫 龙虾 龙舟 龙井 顾客 顾虑
    顾问 顾家 田里 田野 董事 石榴 花园 孟加 白领 白血 白事 王国 王子 王朝 王者 张嘴 张开
    张罗 李子 杨树 杨梅 刘海 陈旧 陈述 陈列 魏晋 苏打 苏州 丁点 丁香 沈阳 钟头 钟表 钟情
    姜汤 陆续 陆地 陆军 范围 范例 汪洋 付出 付款 付钱 付费 付了 秦朝 秦岭 邵阳 戴着 戴上
    戴了 戴眼 莫名 莫非 莫过 侯爵 贺卡 贺岁 陶瓷 陶艺 陶醉 黎明 龙卷 严父 严寒 江苏 江西
    许久 小孩 小学 小区 小说 小吃 小狗 小猫 小心 小声 小朋 小伙 小组 小腿 小气 小雨 小雪
    小事 小型 小提 小镇 小店 小鸟 小鱼 小偷 小费 小康 小众 小巧 小酌 小睡 小麦 小米 小巷
    小路 小岛 小院 小屋 小船 小河 小溪 小山 小物 小名 小病 小手 小脚 小看 小便 小号 小调
    小品 小丑 小兔 小仓 小动 小家 小两 小夫 小宝 小长 小假 小量 小部 小范 小规 老师 老板
    老家 老人 老婆 老公 老爸 老妈 老是 老实 老虎 老鼠 老年 老旧 老友 老朋 老同 老房 老太
    老头 老两 老夫 老外 老乡 老字 老街 老城 老式 老客 老伴 老大 老二 老三 老早 阿姨 阿里
    阿拉 阿根 阿富 小时 石家
    """.split()  # noqa: SIM905 (a list of words reads best as words)
)
_NOBODY = LazyPattern(
    r"^(?:朋友|同事|同学|家人|外卖|救护|出租|警察|大家|自己|什么|别人|孩子|医生|老师|师傅|快递|代驾|保安|物业|司机|专车|网约|滴滴|名字|我|你|他|她|它|了|醒|做|作|苦|好|停|板|座|喊|声|嚷|"
    r"氏|名)"
)
_CALLED = LazyPattern(
    rf"(?:名叫|名字叫|名字是|名为|取名|起名|名曰)(?:做|作|叫|为)?([{_H}·]{{1,4}}?)(?=[，。！？、；,.!?;\s的了”」）)]|和|跟|$)"
)
_HEARS = LazyPattern(
    rf"(?<![名字大])叫(?:做|作)?([{_H}]{{2,3}})(?=[，。！？、；,.!?;\s”」）)]|的(?:猫|狗|人|朋友|同事|男|女|孩|地方|店|餐|公司|小)|$)"
)
_BY_SURNAME = LazyPattern(rf"姓([{_H}])(?![{_H}]?名)")
_TITLED = LazyPattern(rf"{_BEFORE}([{_SURNAMES}]{_TITLE})(?![{_H}]?(?:办|室|处|水平))")
_NICKNAME = LazyPattern(rf"{_BEFORE}([小老阿][{_H}]){_ACTS}")
_FULL = LazyPattern(rf"{_BEFORE}((?:欧阳|司马|上官|诸葛|慕容|皇甫|[{_SURNAMES}])(?:[{_H}]{{2}}{_ACTS}|[{_H}]{_ACTS}))")
_DOTTED = LazyPattern(rf"[{_H}]{{1,6}}(?:[·•][{_H}A-Za-z]{{1,8}})+")
_FOREIGN = LazyPattern(
    "约翰|玛丽|大卫|汤姆|杰克|露西|安娜|艾米|爱丽丝|迈克|彼得|保罗|史密斯|杰瑞|丽莎|莉莉|凯特|托马斯|威廉|詹姆斯|罗伯特|鲍勃|艾伦|海伦|索菲|亚历山大|马丁|卡尔|艾玛|珍妮"
)
_SUFFIX = r"(?:大学|学院|中学|小学|医院|公司|集团|银行|机场|车站|博物馆|美术馆|图书馆|省|市|县|镇|村|路|街|寺|山|湖|岛|古镇|公园|广场|酒店|餐厅|咖啡馆|研究所|事务所|出版社|律所)"
_PLACE = LazyPattern(
    rf"(?:在|去|到|从|往|回|离开|来自|毕业于|就职于|任职于|考上|考进|加入|进入|搬到|住在)了?([{_H}]{{2,7}}?{_SUFFIX})"
)
_GENERIC = LazyPattern(
    r"[一两三几某那这该本各]|[家所间座个条片处块]|附近|当地|自己|公司|医院|大学|学校|医|大型|小型|新|旧|老|郊区|郊外|市区|城里|外|里|"
    r"的|他|她|它|我|你|们|工作|上班|了|去|来|回|到|在|住|儿童|人民|中心|第|国|名|公|私|立|海边|家乡|老家|隔壁|同|别|上海|爬|逛|看|游|互联网|科技|"
    r"软件|广告|设计|食品|外贸|建筑|律师|会计|研究|出版|音乐|动物|植物|森林|湿地|主题|游乐|火|汽|高铁|地铁|公交|国际|深|夜|乡|山|大|小"
)
_LISTED = LazyPattern(
    "北京|上海|广州|深圳|杭州|南京|成都|重庆|武汉|西安|苏州|天津|长沙|青岛|厦门|大连|昆明|郑州|济南|合肥|福州|宁波|哈尔滨|沈阳|长春|石家庄|太原|南昌|南宁|贵阳|兰州|"
    "西宁|银川|乌鲁木齐|海口|无锡|温州|佛山|东莞|珠海|香港|澳门|台北|台湾|高雄|云南|四川|广东|广西|浙江|江苏|山东|山西|湖南|湖北|河南|河北|海南|福建|安徽|江西|"
    "贵州|陕西|甘肃|青海|辽宁|吉林|黑龙江|内蒙古|宁夏|新疆|西藏|三亚|大理|丽江|桂林|拉萨|东京|大阪|京都|北海道|首尔|釜山|曼谷|伦敦|巴黎|纽约|洛杉矶|旧金山|西雅图|"
    "波士顿|芝加哥|多伦多|温哥华|悉尼|墨尔本|柏林|慕尼黑|罗马|米兰|马德里|巴塞罗那|里斯本|阿姆斯特丹|维也纳|莫斯科|新加坡|吉隆坡|迪拜|日本|韩国|美国|英国|法国|德国|"
    "意大利|西班牙|葡萄牙|荷兰|瑞士|瑞典|挪威|丹麦|芬兰|俄罗斯|泰国|越南|印度|加拿大|澳大利亚|新西兰|巴西|阿根廷|墨西哥|埃及|"
    "谷歌|百度|腾讯|阿里巴巴|字节跳动|华为|微软|亚马逊|京东|美团|拼多多|网易|滴滴|特斯拉|比亚迪|索尼|三星|英特尔|清华|北大|复旦|交大|浙大|哈佛|斯坦福|牛津|剑桥"
)


def names_in(text: str) -> Iterator[tuple[str, bool]]:
    """Names a Chinese note states, each with whether a part of it is enough to have been said.

    Of a place or house with a telling word in it (成都第一医院) any two characters of its name may have been said.
    """
    for pattern in (_CALLED, _HEARS, _BY_SURNAME):
        for match in pattern.finditer(text):
            if not _NOBODY.match(match[1]):
                yield match[1], False
    for match in _TITLED.finditer(text):
        yield match[1][0], False
    for pattern in (_NICKNAME, _FULL):
        for match in pattern.finditer(text):
            if not match[1].startswith(_COMMON):
                yield match[1], False
    for pattern in (_DOTTED, _FOREIGN, _LISTED):
        for match in pattern.finditer(text):
            yield match[0], False
    for match in _PLACE.finditer(text):
        stem = re.sub(f"{_SUFFIX}$", "", match[1].rpartition("的")[2])
        if any(len(piece) >= 2 for piece in _GENERIC.split(stem)):
            yield stem, True
