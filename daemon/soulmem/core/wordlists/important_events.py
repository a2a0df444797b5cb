"""Words of what a friend does not forget, by reason, Chinese and English (algorithms.md §8.2).

Read by `importance_rating` alone. Each row is a reason, how much what it tells of matters (0..1), English words and Chinese
ones; a row whose words are undone by a "not" before them says so. Patterns are flat: no repetition within another, so a
search is linear in the sentence.
"""

# A row stands on long lines, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from soulmem.core.regex.lazy_regex import LazyPattern


class Reason(StrEnum):
    """What makes a text matter, or not."""

    EMPHASIS = "emphasis"
    ALLERGY = "allergy"
    MEDICINE = "medicine"
    HEALTH = "health"
    DEATH = "death"
    BIRTH = "birth"
    PARTNERSHIP = "partnership"
    FAMILY = "family"
    NAME = "name"
    BIRTHDAY = "birthday"
    PROMISE = "promise"
    FEAR = "fear"
    DISLIKE = "dislike"
    DIET = "diet"
    SECRET = "secret"  # noqa: S105 (a kind of matter)
    DANGER = "danger"
    IDENTITY = "identity"
    DATE_AHEAD = "date_ahead"
    TURN = "turn_of_life"
    MONEY = "money"
    LASTING = "lasting"
    PEOPLE = "people"
    FEELING = "feeling"
    EVENT = "event"
    PLAIN = "plain"
    WEATHER = "weather"
    MEAL = "meal"
    CHORE = "chore"
    TRANSIT = "transit"
    PASTIME = "pastime"
    MOMENT = "moment"
    THING = "small_thing"
    QUESTION = "question"
    UNREAL = "unreal"
    COURTESY = "courtesy"


class Row(NamedTuple):
    reason: Reason
    value: float
    pattern: LazyPattern
    undone: bool  # by a negation before it


def _row(reason: Reason, value: float, english: str, chinese: str, *, undone: bool = False) -> Row:
    return Row(reason, value, LazyPattern(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE), undone)


KIN = (
    r"(?:mum|mom|mama|mother|dad|papa|father|parents|sister|brother|twin|son|daughter|wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|"
    r"bf|gf|ex|kids?|child|children|baby|little (?:girl|boy|one)|grand\w+|nan|nana|gran|granny|grandma|grandpa|aunt\w*|uncle|cousin|niece|nephew|"
    r"step\w+|(?:mother|father|sister|brother|son|daughter)-in-law|god(?:son|daughter|child|mother|father)|kiddos?|hubby|missus|best friend|in-laws)"
)
KIN_ZH = (
    r"(?:妈妈?|爸爸?|母亲|父亲|老母|老豆|细佬|家姐|阿婆|阿公|爸妈|父母|姐姐?|妹妹?|哥哥?|弟弟?|老公|老婆|丈夫|妻子|爱人|对象|媳妇|男朋友|女朋友|男友|女友|未婚夫|未婚妻|前夫|前妻|前任|"
    r"儿子|女儿|闺女|孩子们?|宝宝|娃|双胞胎|外孙女|外孙|孙子|孙女|重孙|继子|继女|养子|养女|干儿子|干女儿|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔?|姑姑?|舅舅?|姨妈?|婆婆|公公|岳父|岳母|丈母娘|嫂子|侄子|侄女|外甥女?|表[哥姐弟妹]|堂[哥姐弟妹]|闺蜜|发小)"
)
CARED = rf"(?:{KIN}|dog|cat|puppy|kitten|rabbit|parrot|horse|tortoise|hamster)"
CARED_ZH = rf"(?:{KIN_ZH}|狗|猫|兔子|鹦鹉|乌龟|仓鼠)"

VITAL: tuple[Row, ...] = (
    _row(
        Reason.ALLERGY, 0.95,
        r"(?<!not )(?<!n['’]t )allerg(?:y|ies|ic)|anaphyla\w+|intoleran(?:t|ce)|c(?:o?)eliac|(?:makes|make|made) (?:my|me) (?:throat|face|tongue|lips) \w+|puts? me in (?:the )?hospital|break out in hives|could kill me|(?:=|call|called|need) (?:an )?ambulance|straight to (?:a&e|the er|hospital)|throat (?:closes|swells)",
        r"过敏|乳糖不耐|麸质|(?:喉咙|嗓子|嘴|脸|舌头|嘴唇)(?:会|就|全)?肿|起疹子|休克", undone=True,
    ),
    _row(
        Reason.MEDICINE, 0.92,
        r"insulin|epi-?pens?|inhalers?|adrenaline pen|warfarin|blood thinners?|statins?|beta.?blockers?|anti-?depressants?|antipsychotics?|lithium|methotrexate|steroids|prednis\w+|levothyroxine|metformin|chemo\w*|radiotherapy|dialysis|pacemaker|stents?|insulin pump|"
        r"(?:on|take|takes|taking|prescribed|my|his|her) (?:\w+ ){0,3}(?:medication|meds|pills|tablets|medicine|injections|antibiotics)|\d+ ?mg|\w{3,}(?:olol|pril|sartan|oxetine|traline|lopram|azepam|cillin|mycin|statin|gliptin|tinib|lukast)",
        r"胰岛素|肾上腺素笔|急救针|吸入器|喷雾|降压药|降糖药|抗抑郁|抗凝|华法林|他汀|(?:[吃打用]|服用)(?:点|着|了)?(?:激素|抗生素|消炎药|止痛药|中药)|激素药|化疗|放疗|透析|起搏器|支架|靶向药|二甲双胍|优甲乐|医生[^，。！？\s]{0,4}(?:[开加换停]了(?!刀|会|个?玩笑)|[加换](?=[一两]?[种个]药))|[一两三半\d][粒片颗](?=[，。！]|$)|(?:[吃服]|在吃)(?:着|了)?(?:维生素|氨糖|钙片|鱼油)|一[天日][^，。！？\s]{0,2}[一两三\d][粒片颗]|安眠药|速效救心丸|硝酸甘油|(?:每天|一直|长期|天天|按时|正在|在|得|要)(?:都|得|要)?[吃打服][^，。！？\s]{0,8}(?:药|针)|随身带(?:着)?[^，。]{0,4}药",
    ),
    _row(
        Reason.HEALTH, 0.88,
        r"diabet\w+|type (?:1|2|one|two)(?! error)|asthma\w*|epilep\w+|seizures?|parkinson\w*|alzheimer\w*|dementia|cancer|lymphoma|leuk\w+|melanoma|carcinoma|tumou?rs?|stroke|heart (?:attack|condition|disease|failure|murmur|trouble|problem|surgery)|murmur|bypass|arrhythmia|hiv|hepatitis|cirrhosis|"
        r"lupus|crohn\w*|colitis|arthritis|fibromyalgia|endometriosis|multiple sclerosis|cystic fibrosis|sclerosis|osteoporosis|tuberculosis|psoriasis|eczema|anaemi[ac]|anemi[ac]|haemophili\w+|hemophili\w+|sickle.?cell|thyroid|migraines?|vertigo|sleep apn\w+|narcolep\w+|"
        r"autis\w+|adhd|dyslexi\w+|bipolar|schizo\w+|ptsd|ocd|anorexi\w+|bulimi\w+|eating disorder|panic (?:attacks?|disorder)|anxiety (?:disorder|attacks?)|(?:clinical|postnatal|severe|chronic) \w+|depression|self.?harm\w*|suicid\w+|overdos\w+|"
        r"sober|sobriety|alcoholics?|in recovery|rehab|relaps\w+|blind|deaf|hard of hearing|hearing aids?|colou?r.?blind|stammer|stutter|wheelchair|prosthe\w+|amput\w+|paraly\w+|disabled|disability|carer|transplant|kidney (?:disease|failure|stones?)|one kidney|"
        r"diagnos\w+|surgery|operated|(?:want|wants|need|needs|have|has|going) to operate|torn (?:\w+ )?(?:meniscus|ligaments?|tendon|cartilage|muscle|acl|cruciate)|kidney (?:problems?|trouble)|(?:knee|hip|heart|back|eye|brain|shoulder|hernia) (?:operation|replacement)|(?:my|his|her|an?) operation|intensive care|coma|hospice|terminal(?:ly)?|all clear|remission|biopsy|blood type|miscarr\w+|ivf|blood pressure|memory['’]?s (?:gone|going|failing)|(?:can['’]?t|cannot) be left alone|bedridden|housebound|(?:broke|broken|fractured|dislocated) (?:my|his|her|their|an?) (?:arm|leg|ankle|wrist|hip|back|neck|foot|hand|finger|toe|shoulder|collarbone|rib|knee|nose)|sugar tabs|hearing loss",
        r"哮喘|血[糖压脂][^，。！？]{0,6}(?:高|低|[\d一二三四五六七八九十]点?)|医生(?:说|讲|话)(?:就?是|我?得了|我?有)|软化|半月板|糖尿病|癫痫|帕金森|阿尔茨海默|老年痴呆|痴呆|癌|肿瘤|白血病|淋巴瘤|中风|脑梗|脑出血|心梗|心脏病|心脏[^，。]{0,3}(?:搭桥|搭过桥|支架|杂音|手术|不好|问题)|搭过?桥|早搏|高血压|低血糖|高血糖|冠心病|肝硬化|肝炎|乙肝|脂肪肝|(?:肝|肾|胃|肺|心脏)(?:不行|不好|坏了|衰竭)|肾衰|肾病|结石|尿毒症|甲亢|甲减|甲状腺|红斑狼疮|类风湿|强直|痛风|"
        r"抑郁|焦虑症|双相|躁郁|精神分裂|自闭|孤独症|多动症|强迫症|惊恐|厌食|暴食|自残|自杀|失明|色盲|色弱|失聪|骨折|摔断|耳朵?背|[看听]不(?:太|大)?(?:清|见|到)|耳聋|助听器|聋了?|轮椅|截肢|残疾|义肢|瘫|血友病|贫血|血型|偏头痛|腰椎间盘|椎间盘|戒酒|忌酒|戒毒|酗酒|流产|试管婴儿|早产|手术|开刀|住院|确诊|移植|病危|抢救|ICU|乳腺|囊肿|绝症|化验结果|康复|复发",
        undone=True,
    ),
    _row(
        Reason.DEATH, 0.95,
        r"died|dies|passed away|death of|funeral|killed|murdered|stillb\w+|widow\w*|orphan\w*|lost (?:my|his|her|their|our|\w+['’]s) (?:\w+ )?" + CARED + r"|(?:his|her|nan['’]?s|mum['’]?s|dad['’]?s|grand\w+['’]?s) ashes|scatter\w* (?:the|his|her) ashes|grave",
        r"去世|过世|离世|病逝|逝世|葬礼|遗物|骨灰|牺牲了|扫墓|(?:走|没)了[^，。]{0,2}[，,]?[^，。]{0,3}(?:癌|病|车祸)|没了[…，,！!\s]{1,4}[^。！？]{0,8}走的|睡着走的|走得(?:很|挺|还算)?(?:安详|平静|安静|突然)|" + CARED_ZH + r"[^，。！？]{0,6}(?:走了|没了|死了)",
        undone=True,
    ),
    _row(
        Reason.BIRTH, 0.9,
        r"pregnan\w+|gave birth|newborn|was born|were born|expecting(?: (?:a|our|their|twins)|!|\.|$)|due date|baby is due|due (?:in|on) (?:early |mid |late )?[a-z]+|adopted (?:a |our |their )?(?:son|daughter|child|baby|boy|girl|little|him|her)|i['’]?m adopted|was adopted",
        r"怀孕|怀上|有喜|预产期|出生|生了(?:个|一个|一对|孩子|宝宝|女儿|儿子|二胎|双胞胎)|领养的|收养|被抱养",
        undone=True,
    ),
    _row(
        Reason.PARTNERSHIP, 0.88,
        r"(?:got|getting|get|were|was|are|is|be|been) married|marr(?:y|ies|ied|ying) (?:me|him|her|them|\w+)|wedding|engaged(?! in)|proposed|divorc\w+|separated from|anniversary|broke up|breakup|split up|custody|restraining order|(?:been|are|were) together (?:for |since |\w+ (?:and a half )?(?:years|months|weeks))|going out (?:with \w+ )?(?:for|since)|we(?:['’]| a)?re (?:now |finally )?(?:together(?: now)|a couple)|(?:he|she|\w+) (?:kissed me|asked me out)",
        r"结婚|婚礼|在一起(?:都|已经|快|有|才)?(?:[\d一二两三四五六七八九十几半]+(?:个)?(?:年|月|星期|周)|很多年|好几年)|领证|订婚|求婚|离(?:过|了)?(?:一次|两次|几次)?婚|分居|分手|失恋|纪念日|再婚|判给|抚养权",
        undone=True,
    ),
    _row(
        Reason.NAME, 0.85,
        r"my (?:full |real |first |middle |last |maiden |nick)?name(?:['’]?s| is| was)|(?:call|calls|called) me (?!back|later|when|if|at|on|tomorrow|tonight|today|again|over|out|in\b|asap|names|crazy|maybe)|to be called|being called|goes by|pronouns|"
        + KIN + r"(?:['’]s|s['’])? (?:\w+ )?name(?:s)?(?:['’]?s| is| are| was)|\w+['’]s (?:\w+ ){0,2}" + CARED + r" (?:is|are) (?:called|named)|(?:my|our|the) (?:\w+ ){0,2}" + CARED + r"(?:['’]s| is| are|,)? (?:called|named)|(?:his|her|their) name(?:['’]?s| is| was)|named (?:him|her|them|after)",
        r"我(?:的)?(?:名字|大名|小名|网名|英文名|全名)?(?:叫|是叫)(?![你他她我了个人醒外好])|(?:小名|大名|名字|学名)(?:就)?(?:叫|是)|叫我(?!去|来|回|别|不|赶|快|帮|给|起|吃|过)|" + CARED_ZH + r"[^，。！？\s]{0,4}叫(?![我你他她了])|名叫|改名",
    ),
    _row(
        Reason.BIRTHDAY, 0.87,
        r"(?:my|his|her|their|our|\w+['’]s) (?:\d+(?:st|nd|rd|th) )?(?:birthday|bday|b-day)|(?:birthday|bday)(?:['’]s| is| falls)|i was born|turn(?:s|ing|ed)? (?:\d{1,3}|thirty|forty|fifty|sixty|seventy|eighty|ninety)",
        r"(?:我|他|她|妈妈?|爸爸?|老公|老婆|女儿|儿子|奶奶|爷爷|\S的)[^，。！？]{0,4}生日|生日(?:是|在)|(?:过|满)\d*[一二三四五六七八九十]*大?寿|过生日",
    ),
    _row(
        Reason.PROMISE, 0.82,
        r"promis(?:e|ed|es|ing)|swear(?: to| that|,| i)|swore|vow(?:ed|s)?|(?:gave|give|given) (?:my|him|her|them|you) (?:my )?word|i owe",
        r"答应|保证|发誓|承诺|约定|约好了?(?!时间)|说好了|一言为定|拉钩|欠(?:了|着|他|她|我|你)",
    ),
    _row(
        Reason.FEAR, 0.82,
        r"(?:terrified|afraid|scared|frightened|petrified) of (?!being late|missing)|(?:my )?(?:biggest|worst|greatest) fear|fear of|phobi[ac]s?|\w+phobi[ac]|freak(?:s|ed)? (?:me )?out|(?:gives?|gave) me (?:the creeps|nightmares|panic)|(?:scares?|terrif(?:y|ies)) me|can['’]?t (?:even )?(?:look at|be near|be around|be in)",
        r"(?:特别|最|很|好|超|超级|非常|一直|从小就?|真的|有点|挺|都|也)怕(?!是|不|麻烦|热|冷)|我怕(?!是|不)|(?<!恐)怕(?:黑|蛇|狗|高|水|鬼|虫|打针|打雷|血|蜘蛛|老鼠|密|坐飞机|孤独|失去)|害怕|恐高|恐惧|恐\S症|幽闭|晕血|晕针|吓得[^，。]{0,6}不敢|不敢[一坐看进去开靠碰走]|心理阴影|阴影",
        undone=True,
    ),
    _row(
        Reason.DISLIKE, 0.8,
        r"hates?|hated|can(?:no|['’]?)t (?:stand|bear|abide)|couldn['’]?t (?:stand|bear)|detests?|loathes?|despises?|(?:do|does)(?:n['’]?t| not) (?:really )?(?:like|care for|enjoy)|dislikes?|not a fan of|not keen on|(?:puts|put) me off|(?:disgusts?|grosses) me|winds me up|pet hate|(?:never|don['’]?t)(?: ever)? (?:call|touch|mention|hug|surprise|phone) (?:me|my|it|that|him|her)",
        r"讨厌|最烦|很烦(?=别人|人家|有人)|烦死(?=别人|人家|那种)|(?:最|真|很)?受不了(?!了|啦|啊$)|(?<!是)(?:很|最|一直|真的|从来|都)?不(?:太|怎么|大)?喜欢(?!吗)|不爱[吃喝听看穿去]|反感|忍不了|跟谁急|最恨|嫌弃|恶心(?=[^，。]{0,6}(?:味|吃|东西))|别(?:叫|喊|碰|摸|问)我",
    ),
    _row(
        Reason.DIET, 0.82,
        r"vegans?|vegetarian|pescatarian|halal|kosher|gluten.?free|lactose|(?:do|does)(?:n['’]?t| not) (?:eat|drink) (?:any )?(?:meat|pork|beef|fish|eggs?|dairy|milk|nuts?|gluten|alcohol|sugar|seafood|\w+)|(?:never|can['’]?t|cannot|not allowed to|mustn['’]?t|must not) (?:eat|drink|have|touch) \w+|teetotal\w*|no (?:caffeine|coffee|espresso|alcohol|salt|sugar|peanuts?|nuts|dairy|gluten) for (?:me|him|her)",
        r"吃素|素食|信佛[^，。]{0,6}(?:素|荤)|清真|忌口|忌(?:辣|酒|海鲜|生冷|糖|盐)|不(?:能|可以|敢)(?:吃|喝|碰|沾)|(?:从来|一直|从小|一口|一点|都|我)[^，。]{0,6}不(?:吃|喝|碰|沾)(?!了|完|下|饱|惯)|(?:不|没法)(?:吃|喝)(?:辣|香菜|葱|蒜|猪肉|牛肉|羊肉|鱼|海鲜|内脏|酒|咖啡|牛奶|甜)",
    ),
    _row(
        Reason.SECRET, 0.85,
        r"(?:never|don['’]?t|do not|please don['’]?t)(?: ever)? (?:tell|mention|bring (?:\w+ )?up|say|talk about|repeat)|nobody (?:else )?knows|no one (?:else )?knows|(?:a|my|our|his|her) secret|between (?:us|you and me|ourselves)|keep (?:it|this|that) (?:quiet|secret|to yourself|between)|never told (?:anyone|anybody|a soul)|in confidence",
        r"(?:千万)?别(?:跟|和|对|告诉|在)[^，。！？]{0,12}(?:说|提|讲|知道|面前|前提)|别说出去|别(?:让|告诉)[^，。！？]{1,12}|不许告诉|先别告诉|保密|秘密|(?:谁|没人|没有人|没跟人|从没跟)[^，。]{0,6}(?:都不|知道|说过)|瞒着|只(?:跟|和|对|告诉)你(?:说|一个)",
    ),
    _row(
        Reason.DANGER, 0.9,
        r"abus(?:ed|ive|er|es)|assault\w*|rap(?:ed|ist)|stalk\w+|restraining order|violent|beat (?:me|him|her|us)(?! (?:by|at|to|in|on|with|hands down|fair|easily|again (?:by|at|in)|\d))|hits? me(?! (?:up|back|with))|bull(?:y|ied|ying)|arrested|prison|jail(?:ed)?|on probation|suicid\w+|kill myself|in debt|bankrupt\w*|evict\w*|homeless",
        r"家暴|打我(?!电话|手机|的?(?:电话|手机))|被打(?![断扰动开听])|性侵|强奸|跟踪狂|跟踪我|霸凌|欺负|坐牢|判刑|被捕|不想活|轻生|负债|破产|催债|被骗",
    ),
    _row(
        Reason.IDENTITY, 0.82,
        r"blood (?:type|group)|(?:my|the|our) (?:\w+ )?(?:password|passcode|pin|pin code|code|combination)(?:['’]?s| is| for)|(?:gate|door|alarm|locker|safe|wifi|wi-fi|entry|bike lock|house) (?:code|password|combination|pin)|passport number|national insurance|social security|(?:my|his|her|mum['’]?s|dad['’]?s) (?:new )?(?:phone number|number|address)(?:['’]?s| is)|emergency contact|spare keys?|next of kin|(?:i['’]?m|i am) (?:gay|bi|bisexual|a? ?lesbian|trans|non-?binary|asexual|queer)|came out|my (?:faith|religion)|i['’]?m (?:a )?(?:muslim|jewish|christian|catholic|buddhist|hindu|sikh|quaker)",
        r"血型|密码|身份证|护照号|社保号|紧急联系人|备用钥匙|(?:电话|手机号|地址|住址|门牌|车牌)(?:号码?)?(?:是|改成|换成|换了|变了)|出柜|我是(?:同性恋|gay|双性恋|跨性别)|我(?:是|信)(?:基督|天主|伊斯兰|回族|穆斯林|佛教|佛)",
    ),
    _row(
        Reason.IDENTITY, 0.8,
        r"(?<!if )(?<!when )(?<!where )i work (?:as|at|for|in(?! the (?:garden|kitchen|mornings?|evenings?))|nights)|i(?:['’]ve| have) worked (?:as|at|for|in) (?:[\w'’-]+ ){1,6}(?:for|since)|i teach|i(?:['’]m| am) (?:now |still )?an? (?:[\w-]+ ){0,3}(?!(?:pessim|optim|real|tour|femin|perfection|minimal|rac|sex|art)ist)"
        r"(?:\w{3,}(?:ists?|eer|smith|wright|maker|keeper|binder|mason|driver|worker|cleaner|monger|grapher|ician)|nurse|midwife|doctor|teacher|tutor|lecturer|professor|lawyer|solicitor|barrister|chef|cook|baker|butcher|pilot|plumber|carpenter|joiner|gardener|farmer|vet|architect|accountant|designer|developer|programmer|editor|writer|translator|librarian|paramedic|postman|soldier|sailor|actor|dancer|musician|artist|student|carer|cleaner|welder|tailor)|for a living|by (?:trade|profession)|my (?:job|profession) is",
        r"(?<!今天)(?<!昨天)(?<!明天)我(?:现在|目前|一直|平时)?在(?!家)[^，。！？\s]{1,14}(?:上班|工作|任职|教书|执教)|我(?:现在|目前|一直)?在[^，。！？\s]{1,12}[当做][^，。！？\s了过]{0,6}[师员工匠医警兵手家生士](?=[，。！；、]|$)"
        r"|我(?:现在|目前)?(?:是|当)(?:一?[名个位])?[^，。！？\s了过]{0,8}(?:[教律厨医药技设工会]师|医生|护士|警察|司机|会计|编辑|记者|木匠|铁匠|教授|翻译|程序员|老师|工人|农民|演员|作家|保安|店员|销售|学生|公务员|研究员|飞行员|消防员)(?=[，。！；、]|$)|我(?:的)?(?:职业|工作)是",
    ),
    _row(
        Reason.FAMILY, 0.78,
        rf"\w+(?:['’]s| is) my {KIN}|(?:my|our) (?:\w+ ){{0,2}}{KIN}(?: (?!and\b)\w+)?(?:['’]s| is| was| has| have| lives?| works?| are)(?! \w+ing\b)(?! (?:coming|here|on the phone|asleep|late|back|out|away|round|watching))|(?:^|[,;:] ?|and |but )(?:mum|mom|dad|nan|gran|grandma|grandpa)(?:['’]s| is| has| lives?| works?)(?! \w+ing\b)(?! (?:here|asleep|late|back|out))|"
        rf"(?:(?:i|we)(?:['’]ve got| have| had| got)|(?:^|[,;:.] ?|and )(?:got|have)) (?:a|an|one|two|three|four|five|\d+|no) (?:\w+ )?(?:girls|boys|kids?|children|sons?|daughters?|sisters?|brothers?|siblings|step\w+|wife|husband|girlfriend|boyfriend|twins?)|only child|single (?:mum|mom|dad|parent)|(?:haven['’]?t|hasn['’]?t|don['’]?t|won['’]?t|not) (?:spoken|talked|speak|speaking|talk) (?:to|with)?|estranged|foster(?:ed)?|raised (?:me|by)|brought me up",
        rf"(?:我|俺|咱)(?:的|家|们)?{KIN_ZH}(?:[^，。！？\s]{{0,4}})?(?:是(?!不是)|有(?!没有)|住在|今年|还在|在[^，。]{{1,10}}(?:上班|工作|教书|当|读书|上学|上大学|念))|{KIN_ZH}[^，。！？]{{0,4}}(?:一个人|独自)住|我(?:家)?有(?:一|两|三|四|1|2|3)个?(?:孩子|儿子|女儿|姐姐?|妹妹?|哥哥?|弟弟?|娃)|{KIN_ZH}[^，。！？]{{0,10}}(?:没|不)(?:再|怎么)?(?:说过?话|联系|来往)|独生|单亲|相依为命|断绝|不来往|带大的?|养大",
    ),
    _row(
        Reason.MONEY, 0.62,
        r"(?:my|our|his|her|their|the|pay(?:ing)?|in|\w+['’]s) (?:new |monthly )?(?:rent|mortgage|salary|wages?|pay|pension|debts?|loan|savings|overdraft|tuition|deposit)(?! day)|i(?:['’]m| am) on (?:[£$€]\d|[\w-]+(?: and a half)?[ -](?:thousand|grand|k)\b|\d[\d,.]*(?:k\b| ?(?:thousand|grand|a year|a month|a week|an hour)))|(?:earn|owe)(?:s|d|ed)? (?:[£$€]?\d|the bank|me|him|her|them|us|\w+ (?:thousand|grand|hundred))|\w+ (?:thousand|grand|k) a (?:year|month)",
        r"房租|租金|房贷|车贷|按揭|工资|月薪|年薪|薪水|退休金|养老金|学费|押金|存款|贷款|欠(?:着|了|我|他|她|人|[^，。]{0,4}钱)|(?:一个?月|每月|一年|每年)(?:给|挣|赚|拿|发|才)[^，。]{0,6}[\d一二三四五六七八九十百千万]",
    ),
    _row(
        Reason.TURN, 0.7,
        r"(?:lost|quit|left|leaving|quitting) (?:my|his|her|their|the) job|laid off|(?:got|was|been) (?:fired|sacked|promoted|hired|made redundant)|made redundant|new job|start(?:ed|ing)? (?:at|a new job|my own)|retir(?:ed|es|ing)|graduat\w+|moved (?:to|in with|into|out|here|away|from|back to)|moving (?:to|in with|out|house|away|back)|bought (?:a|our|my) (?:first )?(?:house|flat|apartment|home)|emigrat\w+|visa|citizenship|in love|betray\w+|cheat(?:ed|ing) on|ran away|changed my life|turning point",
        r"换(?:了|过)?(?:一?[份个])?新?工作(?!服|证|日|室|台|餐)|辞职|离职|失业|被裁|裁员|被?开除|炒鱿鱼|升职|跳槽|入职|录取|考上|毕业|退休|搬家|搬到|搬去|搬来|买房|买了(?:一?套)?房|移民|签证|留学|绿卡|恋爱|在一起了|爱上了|背叛|出轨|离家出走|改变了我|创业",
    ),
)  # fmt: skip
EMPHASIS = LazyPattern(
    r"\b(?:(?:please|pls|plz|do|you must|make sure (?:you|to)|try to)(?: please| to)? remember|remember(?: this\b| that (?:i|my)\b|(?= ?[:,]))|(?:please )?(?:don['’]?t|do not|never)(?: (?:you|ever|let me))? forget|(?<!not )(?<!n['’]t )(?:really|very|so|super|extremely|most|quite|vitally) important|(?<!not )(?<!that )(?<!how )important(?:ly)?(?= ?[:!,—–-])|keep (?:this |that |it )?in mind|"
    r"(?:take|make a) note(?: of)?|note (?:this|that|it) down|write (?:this|it|that) down|mark my words|i need you to (?:know|remember)|you (?:need|have|ought) to (?:know|remember)|this matters|matters (?:a lot|so much)|just so you know|fyi|seriously,? (?:do|never|please)|crucial|vital(?:ly)?|this is no joke|i['’]?m serious)\b"
    r"|一定(?:要|得)?(?:给我)?(?:记|知道)|千万(?:要|得|别|不要|不能|记)|(?:别|不要|可别|不许|不能)(?:给我)?忘|(?:请|帮我|给我|你要|你得|你)(?:一定)?记(?:住|好|牢|着|一下|得)|记住(?:啊|了|哦|：|，|,|:|！|!|$)|牢记|切记|务必|(?:很|非常|特别|真的|超|超级|最|极其|相当)(?:的)?重要|重要的(?:是|事)|重点(?:是|来了)|划重点|认真(?:的|说)|记(?:下来|一下|到小本本)",
    re.IGNORECASE,
)
# A promise to keep something in mind is a manner of speaking.
TO_REMEMBER = LazyPattern(
    r"\b(?:promise|swear|vow|promised)(?: (?:you|that|to|i['’]?ll|i will|i['’]?d|never|always|not|it)){0,4} (?:remember|forget|keep (?:it|that|this) in mind)|\bi(?:['’]ll| will)(?: always| never| not)? (?:remember|forget|keep (?:it|that|this) in mind)"
    r"|(?:保证|答应|发誓|承诺)(?:你)?[，,]?(?:我)?(?:一定|会|绝对|肯定|以后|绝|永远){0,3}(?:都)?(?:记|不会忘|不忘|忘不了)|我(?:会|一定|一定会|肯定会)(?:好好)?(?:记|不会忘)",
    re.IGNORECASE,
)
DENIED_AHEAD = LazyPattern(
    r"(?:\b(?:not|never|no|nobody|without|no one|isn['’]?t|aren['’]?t|wasn['’]?t|don['’]?t|doesn['’]?t|haven['’]?t|hasn['’]?t)|n['’]t)(?: [\w'’]+){0,2} ?$|(?:不|没|没有|未|别|不会|没人|不是|并不)(?:对[^，。]{0,6})?$",
    re.IGNORECASE,
)
