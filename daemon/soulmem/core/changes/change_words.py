"""Words that tell of a change: that a value is another now, that something ended, that a state turned into its opposite.

One table for both languages, read by `change_detection`. None of it names what people talk of: these are the verbs and particles
of change itself. Patterns are bounded: no quantifier within another.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern
from soulmem.core.text.word_file import read_rows
from soulmem.core.wordlists.life_matters import HOLDS_NOT

_O = r"(?P<o>(?:(?:my|the|our|his|her|their|its|an?|that|this|those|these|all) )?[\w'’-]+(?: (?!(?:and|but|so|because|cause|since|for|in|on|at|last|this|yesterday|today|to|too|now|after|before|when|it|as|with|over|by|they|he|she|we|i|then|instead)\b)[\w'’-]+){0,3})"

# A value is another than it was.
VALUE = KeptCaseless(
    r"\b(?:brought|moved|pushed|put|shifted|shoved|shunted) (?:\w+ ){1,4}(?:forward|back|up|out|down)\b|\b(?:moved|moving|move it|pushed|shifted|shoved|shunted|nudged|rescheduled|re-scheduled|rebooked|re-booked|make it|can['’]?t (?:do|make)|postponed|delayed|brought forward|bumped|put (?:off|back)|been put|changed|change of plan|small change|switched|swapped|rearranged|"
    r"went (?:up|down)|gone (?:up|down)|going (?:up|down)|(?:came|comes|is|are|was|'s|went) down to|(?:is|are|'s|went) up to|up to|down to|rose|risen|raised|rais(?:e|ing)|lowered|dropped|fell|cut|increased|reduced|doubled|halved|upped|put .{2,30} up to|wants? (?:\w+ ){1,3}(?=an? |per |each )|gone to (?=[£$€]?\d)|"
    r"now|instead|from now on|these days|new|update|updated|extension|extended|earlier than|later than|a (?:week|day|month|bit|little) (?:later|earlier)|not until|agreed to|turned out to be|turns out|"
    r"actually|sorry|correction|misquoted|mistyped|misspoke|misread|transposed|knocked .{0,12}down|bumped|shot up|jumped|crept up|got (?:it|that) wrong|(?:said|told you|had) (?:it|that) wrong|leaves? .{0,24}(?:i|we) owe|that leaves|so it['’]?s|rather than|back to|anymore|any more|no longer|only get(?:s|ting)?|since (?:monday|january|the))\b"
    r"|\bleft$|\bto go$|变卦|不好意思|[看听弄]错|便宜(?:了|到|成)|砍到|改|挪|往后|往前|推了|推迟|提前|延期|延到|延后|顺延|推到|调到|调成|调整|移到|并到|换|变成|变了|涨|降|[瘦胖长]到|只能|升到|升了|减到|减为|减成|增到|加到|加了钱|现在|如今|目前|新的|其实|更新|更正|说错|打错|记错|搞错|报错|写错|口误|只要|只剩|还剩|还欠|剩下|不是|从.{1,6}起|(?:下个?月|下周|下学期|明年|年后|开春|开学|过完年|[\d一二三四五六七八九十]{1,3}[月号])(?:起|开始)|(?:过完年|年后|开学)(?:要|收)|又调|再(?:交|去|说)|了[。！!\s]*$"
)
# Of these the value of a statement about the same needs no more: they say that it is another.
STRONG = KeptCaseless(
    r"\b(?:brought|moved|pushed|put|shifted|shoved|shunted) (?:\w+ ){1,4}(?:forward|back|up|out|down)\b|\b(?:moved|pushed|shifted|shoved|shunted|nudged|rescheduled|rebooked|re-booked|postponed|delayed|brought forward|bumped|put (?:off|back)|been put|changed|change of plan|switched|swapped|(?:went|gone|going|came|comes) (?:up|down)|(?:up|down) to|raised|lowered|dropped to|cut to|"
    r"bumped|knocked .{0,12}down|shot up|jumped|changed (?:my|his|her|their) minds?|had to push|increased|reduced|upped|doubled|halved|gone to (?=[£$€]?\d)|new|update|updated|instead|from now on|correction|misquoted|mistyped|misspoke|misread|transposed|not until|agreed to|owe)\b|\bnow\b|\bleft$|\bto go$|变卦|便宜(?:了|到|成)|砍到|改|挪|往后|往前|推了|推迟|提前|延|顺延|推到|调到|移到|并到|换|变成|涨|降|[瘦胖长]到|升到|减|增到|加到|现在|如今|新的|更正|说错|打错|报错|写错|口误|还欠|还剩|又调"
)
# The day of something is another, and it is not said of what.
DAY_MOVED = KeptCaseless(
    r"\b(?:moved|changed|shifted|put back) (?:the|her|his|their) (?:date|day)\b|\b(?:date|day) (?:has |is |was |got |been )*(?:moved|changed|shifted)\b"
    r"|(?:日子|日期|婚期|时间|那天)[^，。]{0,3}[改变换挪推]"
)
# What is left of something, and of what anything is left.
REST = KeptCaseless(r"\bleft$|\bto go$|\bleaves? .{0,24}(?:i|we) owe|\bthat leaves\b|还[剩欠]|剩下|只剩")
OWED = KeptCaseless(
    r"\b(?:owe[sd]?|loan|debt|borrow\w*|lent|lend\w*|mortgage|left|have|has|had|got|saved|savings)\b|欠|借|贷|债|剩|存|攒|还有|一共|总共"
)
# What stands before it is the value that was, what stands behind it the one that is: "the one on Monday moved to Friday".
MOVED = re.compile(
    r"\b(?:moved|pushed|shifted|shoved|shunted|nudged|rescheduled|postponed|delayed|brought|bumped|put back|changed|switched|swapped|up|down|instead of)\b|改|挪|并到|推迟|提前|延|顺延|换|变成|涨|降|减",
    re.IGNORECASE,
)
LEAST = 0.7  # weight of the words of what ended, from which they name something
# "not the 16th", 不是五月: the value that is meant no more.
NOT_VALUE = KeptCaseless(
    r"(?:(?:\bnot |n['’]t )(?:do |make |due |on |at |in |the |until |for ){0,3}|\binstead of (?:on |at |in |the ){0,2}|\brather than |\bfrom (?:the )?|不是(?:在)?|从|本来(?:是|在)?|原来(?:是|在)?|原定(?:在|于)?)$"
)
# It is told beside what there is, or of one time alone: nothing is another for it.
BESIDE = KeptCaseless(
    r"\b(?:also|too|as well|another|second|third one|besides|in addition|on the side|on weekends|sometimes|extra|more than one)\b|又(?:养|买|有|多|添|报)|还(?:在|有|养|买|报)|也(?:在|有|喜欢|养|买|学|爱)|另外|兼职|再(?:养|买)|第二"
)
UNREAL = KeptCaseless(
    r"\b(?:if(?! you (?:please|must know|ask me|like|believe it)\b)|wish|hope|hoping|might|maybe|perhaps|would|could|should|almost|nearly|imagine|suppose|supposing|thinking (?:of|about)|considering|dream(?:t|ed)|what if|as if|i bet|probably)\b|\btold .{1,15} (?:i|we)['’]d\b"
    r"|要是|如果|假如|假设|万一|但愿|希望|真想|可能|也许|说不定|大概|会不会|是不是|有没有|要不要|考虑|梦见|梦到|差点|恨不得|就好了|想把|想换|算不算|好不好|打算(?!.*了)"
)
# Behind it stands what has not come yet.
STILL_TO_COME = KeptCaseless(r"\b(?:before|until|till|by the time|unless)\s*$")
# What is told behind it is of strangers.
HEARSAY = KeptCaseless(
    r"\b(?:in the papers?|(?:in|on) the news|an? (?:article|documentary|programme|podcast) (?:about|on|of))\b"
    r"|新闻|电视[里上]|网上[说看有]|刷到"
)
ENDED = tuple(KeptCaseless(row[0]) for row in read_rows("core/changes/ended.txt", {"O": _O, "HOLDS_NOT": HOLDS_NOT}))
# What was taken or broke is had no more; whoever plays it or likes it still does.
TAKEN = KeptCaseless(r"\b(?:nicked|stolen|smashed|shattered|robbed)\b|被偷|碎了|弄丢|(?<!走)丢了")
HAS = KeptCaseless(
    r"\b(?:have|has|had|got|owns?|bought|keeps?|(?:driv|rid|us|runn|wear|own|keep)ing|drives?|rides?|runs?|uses?|wears?|new|my|our|gave|given|lend|lent)\b|有|买|开|骑|用|戴|穿|养|送|新"
)
# 五十了还跑, 说不跑了: one verb that is done still, and no more.
DOES_STILL = KeptPattern(
    r"(?:还在?|一直在?|天天|每天都?)(?P<verb>[跑干教唱练学种卖开做打跳画写织养])(?![\u4e00-\u9fff]*[完成好])"
)
DOES_NO_MORE = KeptPattern(r"不(?:再)?(?P<verb>[跑干教唱练学种卖开做打跳画写织养])了(?!解)")
# 不找建国了: whom somebody deals with no more is still who he is.
DEALS_NO_MORE = KeptPattern(r"不(?P<verb>[找跟和等理问约求])[^，。]{1,10}了")
# 时间不多了: there is little of it.
HARDLY = KeptPattern(r"不(?:多|早|少|远|错|大|小|够)了")
# "I won't quit": what is denied is not over.
NOT_ENDED = KeptCaseless(
    r"(?:\b(?:not|never|without|won['’]?t|don['’]?t|didn['’]?t|can['’]?t|haven['’]?t)(?: \w+)?\s*|[没未别])$"
)
# What is said of a plan that somebody gave up, where it is not said which.
REVERSED = KeptCaseless(
    r"\bchanged (?:my|his|her|their|our|its) minds?\b|\b(?:stay(?:s|ing)? put|backed (?:down|out)|decided (?:against|not to)|got cold feet|called it off|pulled out|after all|isn['’]?t going anywhere|(?:is|are|'s|'re|am|'m) (?:staying|keeping)\b|(?:it |tree |house )?stays\b)"
    r"|改主意|改变主意|变卦|反悔|打消.{0,6}念头|又不.{1,8}了|还是不.{1,8}了|不走了|不搬了|不去了|不辞了|不卖了|留下来?了"
)
AHEAD = KeptCaseless(
    r"\b(?:going to|gonna|will|'ll|moving|leaving|selling|buying|getting|flying|plan(?:s|ning)?|wants?\b|trying to|booked|wanna|about to|off to|expecting|coming|starting|next (?:week|month|year)|tomorrow|in (?:january|february|march|april|may|june|july|august|september|october|november|december))\b"
    r"|要(?!求|是|不|命)|打算|准备|想|计划|决定|让|闹|订了|订好|买好|排了|报了|在卖|下周|下个?月|明年|明天|后天|将"
)
# What may be done and what may not.
MAY = KeptCaseless(
    r"\b(?:can|may|(?:is|are|am|'m|'s|'re|was|been) allowed(?: to)?|allowed to|able to|free to|cleared to|lets? (?:me|him|her|us|them)|ok to)\b|能|可以|准(?![备时确点则考])"
)
AGAIN = KeptCaseless(r"\b(?:now|again|finally|at last|all .{1,20} (?:likes?|wants?)|fine|said so)\b|了|又|重新|终于")
MAY_NOT = KeptCaseless(
    r"\b(?:mustn['’]?t|must not|can['’]?t|cannot|can not|(?:is|are|am|'m|'s)? ?not allowed|isn['’]?t allowed|shouldn['’]?t|not supposed to|has to avoid|have to avoid|no more|unable to|forbidden|banned|allergic|intolerant)\b|过敏|不能|不可以|不许|不准|不让|忌|禁|(?<![特分区个性级])别|少吃"
)

PERSONAL, THING, SHIFT = "personal", "thing", "shift"
# States that exclude each other: of a person, told by whose they are; of a thing, told by what it is.
OPPOSITES: tuple[tuple[str, KeptPattern, KeptPattern], ...] = tuple(
    (kind, KeptCaseless(one), KeptCaseless(other))
    for kind, one, other in (
        (THING, r"\b(?:passed|aced|got through|made it through|sailed through)\b|一把过|[证照].{0,3}到手|拿到.{0,2}[证照]|(?:考|通)?过了|考上了?|通过了", r"\b(?:failed|flunked|didn['’]?t pass)\b|挂了|没过|没考[上过]|不及格|没通过"),
        (THING, r"\b(?:passed|aced|failed|flunked|sailed through)\b|一把过|(?:证|本).{0,3}(?:到手|拿到)|考?过了|没过|挂了", r"\b(?:doing|taking|sitting|resitting|retaking|having|got|have) (?:my|the|her|his|a) (?:[\w]+ ){0,2}(?:test|exam|theory)\b(?!s? tube)|备考|(?:定在|要|准备|下周|下个?月|明天|后天).{0,8}考"),
        (THING, r"\b(?:found|turned up|got .{1,20} back|recovered|(?:was|were) (?:in|under|behind|down|on top of|inside) (?:the|my|his|her|our))\b|找到了|找回来|找着了?|在.{1,8}[里下后]找", r"\b(?:lost|missing|stolen|can['’]?t find|misplaced|disappeared|ran away)\b|丢了|不见了|找不到|弄丢|被偷|走丢"),
        (THING, r"\b(?:picked|collected|fetched) (?:up )?(?:the|my|our) .{1,20}|\b(?:picked|got) (?:the|my|our) \w+ (?:up|back)\b|取(?:回来?|了)|开回来|提回来|拿回来", r"\b(?:at|in) (?:the|a) (?:garage|menders|workshop|repair shop|body ?shop|dealers?)\b|\bin for (?:a |an )?(?:repairs?|service)\b|在.{0,4}(?:修理厂|修车|4S店|维修|返修)|送修|送去修"),
        (THING, r"\b(?:fixed|repaired|mended|works? again|working again|running again|sorted)\b|[修弄搞]好了?|好了|能用了", r"\b(?:broken|broke down|broke|doesn['’]?t work|not working|leaking|leaks|out of order|dead|cracked)\b|坏了|漏水|不能用|用不了|出毛病"),
        (THING, r"\b(?:open again|reopened|reopens|opened again)\b|又开了|重新开|开门了", r"\b(?:closed|shut)\b|关门|停业|关了"),
        (PERSONAL, r"\b(?:better|recovered|healed|all clear|all gone|i['’]m clear|(?:come|came|is|back|now) home|home (?:again|from hospital)|out of (?:the )?hospital|back on (?:his|her|my|their) feet|well again|gone|cleared up|over (?:the|his|her|my))\b|['’]s (?:back )?home\b|到家了|回家了|下地了|好了|好多了|出院了?|退烧|活过来|不疼了|康复|痊愈|没事了|好转", r"\b(?:sick|ill|in (?:the )?hospital|pneumonia|flu|fever|shingles|(?:a|the|this) (?:nasty |bad |terrible )?(?:cough|cold|rash|bug)|off work|hospitali[sz]ed|coughing|broken|sprained|poorly|unwell)\b|住院|感冒|发烧|生病|肺炎|骨折|扭伤|伤了|发着烧|咳嗽|摔"),
        (PERSONAL, r"\b(?:(?:has|have|got|found|'s got) (?:a )?(?:new )?(?:girlfriend|boyfriend|partner|man|woman|someone)|is seeing|engaged|got married|dating)\b|有(?:男朋友|女朋友|对象|男友|女友|伴)|脱单|谈恋爱|结婚了|订婚了", r"\b(?:single|nobody at the moment|no girlfriend|no boyfriend|hasn['’]?t got anyone)\b|没(?:有)?(?:男朋友|女朋友|对象|男友|女友)|单身"),
        (PERSONAL, r"\b(?:made (?:it )?up|made peace|friends again|(?:speak|talk)ing again|back together|reconciled)\b|和好|复合|不离了|讲和", r"\b(?:(?:isn['’]?t|aren['’]?t|not|stopped) (?:speaking|talking)|fell out|fallen out|had a fight|separated)\b|冷战|吵架|吵翻|闹别扭|闹离婚|闹掰|分居|绝交"),
        (THING, r"\b(?:got(?! to| a cold)|found|got in(?:to)?|was accepted|was offered|bought|landed|gave (?:me|us|him|her) (?:an?|the|my|our)|(?:was|were|been) (?:offered|allocated|given)|came (?:through|up))\b|找[到着]了?|考上了?|买(?:到|下|了)|拿到了?|拿下了?|批(?:下来)?了|轮到|摇到|中签|申请到|抢到|录取", r"\binterview (?:at|with|for)\b|面试|\b(?:on (?:the|a) waiting list|looking for|applying|applied for|searching for|hunting for|waiting for|saving (?:up )?for|hoping for|trying to (?:get|find|buy))\b|在找|正找|备考|准备考|申请|排队|等着|想找|想考|还没买|在抢|攒钱"),
        (THING, r"\b(?:love|adore|grown on me|(?:come|came|coming) (?:a)?round to|got a taste for|acquired the taste|converted to|(?:actually|really|quite|rather) like|put it on everything|can['’]?t get enough of|don['’]?t mind|(?:don['’]?t|doesn['’]?t) (?:bother|scare|frighten)|not (?:scared|afraid)|no longer (?:scared|afraid))\b|不怕|爱上|喜欢上|离不开|顿顿|真香|吃不够|上瘾|(?:还|挺|现在|居然).{0,3}(?:喜欢|爱)|(?<!不)吃.{1,6}了$", r"\b(?:hate|can['’]?t stand|can['’]?t bear|detest|loathe|scared|afraid|terrified|frightened)\b|讨厌|受不了|最烦|怕"),
        (PERSONAL, r"\b(?:gave birth|had (?:the|her|a) baby|(?:baby|girl|boy) (?:is|was) born|is here)\b|生了|出生了", r"\b(?:pregnant|expecting|due in|due on)\b|怀孕|预产期|怀着"),
        (PERSONAL, r"\b(?:(?:has|have|got|found|'s got|landed) (?:an? |the )?(?:\w+ )?job|(?:starts?|starting|started) (?:work )?(?:at|with|for) (?:the |an? )?[a-z]\w+|back (?:at|in) work)\b|找到(?:了)?工作|上班了|入职|[去到在].{1,8}(?:上班|报到)|有活(?:干|儿)?了", r"\b(?:unemployed|out of work|no job|without a job|hasn['’]?t (?:got|found) a job|still (?:hasn['’]?t|looking))\b|没(?:有)?(?:找到)?工作|失业|待业|没找到"),
        (SHIFT, r"\b(?:on|does|do|doing|works?|working|to) (?:permanent |the )?(?:days|earlies|day shifts?|early shifts?)\b|^(?:permanent )?(?:earlies|early shifts?)$|[白早]班", r"\b(?:on|does|do|doing|works?|working|to) (?:permanent |the )?(?:nights|lates|night shifts?|late shifts?)\b|^(?:permanent )?(?:nights|lates|night shifts?)$|[夜晚]班"),
        (SHIFT, r"\b(?:on|does|do|doing|works?|working|to) (?:permanent |the )?(?:nights|lates|night shifts?|late shifts?)\b|^(?:permanent )?(?:nights|lates|night shifts?)$|[夜晚]班", r"\b(?:on|does|do|doing|works?|working|to) (?:permanent |the )?(?:days|earlies|day shifts?|early shifts?)\b|^(?:permanent )?(?:earlies|early shifts?)$|[白早]班"),
    )
)  # fmt: skip

# What happened once stays so, whatever came later.
PAST = KeptCaseless(
    r"\b(?:was|were|did|had|went|got|came|saw|took|made|ate|drank|bought|found|felt|thought|told|gave|ran|won|slept|spent|wrote|heard|forgot|swam|drove|flew|paid|cost|met|fell|knocked|used to|(?!hundred|indeed|united|biped|(?:called|named|married|engaged|based|scared|terrified|tired|interested)\b)[a-z]{3,}ed)\b|昨|前天|上周|上个?(?:月|星期|礼拜)|今[天早晚][^，。]{1,16}了$|去年|前年|刚才|小时候|以前|[\u4e00-\u9fff]过(?![去来节年])|(?:花|跑|吃|买|看|走|爬|喝|游|用|赚|打|摔|咬|抓|干|当|做)了|前在|(?<![欠涨降升改])了(?=[零一二两三四五六七八九十百千万半\\d几])"
)
PAST_VERB = KeptCaseless(r"\b(?:was|were|went|had|did|came|saw)\b|[去回在]了|[去回]过|昨|上周|上个|去年")
PRESENT = KeptCaseless(
    r"(?:['’]ve|\bhave|\bhas|['’]s) (?:had|been|got) [^.!?]{1,40} (?:for|since)\b|['’]ve (?:got )?(?:an?|the|two|three|my)\b|\b(?:am|is|are|['’]m|['’]re|['’]s|have|has|do|does|will|['’]ll|going to|gonna|every|always|usually|often|each|wants?|can|can['’]?t|must|mustn['’]?t|needs?|now|takes?|lives?|works?|plays?)\b|['’](?:s|m|re)\b|要|正|每|一直|现在|都|还|平时|准备|打算"
)
# Whose verb does not make its subject the owner of what is told: landlords, doctors, whoever decides for somebody.
AGENT = KeptCaseless(
    r"(?:['’]ve|['’]s|['’]re)?\s*(?:has |have |had |just |finally )?(?:agreed|said|says|told|let|gave(?! up| in\b| birth)|raised|lowered|cut|upped|doubled|halved|increased|reduced|swapped|rang|called|moved(?! (?:to|in|out|back|away)\b)|brought|pushed|made|put|offered|decided|wants? (?:me|us)|changed|switched|stopped(?! \w+ing\b)|took(?! up| early)|prescribed|reckons)\b|(?:说|让|给|把|同意|答应|通知|叫我|帮|将|要求|嫌)"
)

# Of today alone: what is so as a rule stays so.
TODAY = KeptCaseless(
    r"\b(?:today|tonight|this (?:time|morning|afternoon|evening|once)|for once|just once)\b|今天|今晚|今早|这次|待会|暂时|这一次|这顿"
)
CALLED_OFF = KeptCaseless(r"\b(?:cancel(?:l?ed|s)?|skipped|called off)\b|取消|没去")
RULE = KeptCaseless(
    r"\b(?:every|each|always|usually|mostly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b|每|平时|一直|经常|总"
)
# What somebody likes is over when it is said that it is liked no more, and not when it is left or sold.
TASTE = KeptCaseless(
    r"\b(?:like|likes|love|loves|enjoy|enjoys|hate|hates|adore|(?<!got )(?<!get )into|fan of|favou?rite)\b|喜欢|爱(?=[吃喝看听玩打])|讨厌|最爱"
)
TASTE_OVER = KeptCaseless(
    r"\b(?:(?:went|gone|gone right|went right|totally|right) off|no longer|any ?more|over|lost interest|sick of|fed up)\b|不再|腻|不(?:想吃|想喝|喜欢|爱)"
)
BOOKED = KeptCaseless(
    r"\b(?:booked|signed up|enrolled|reserved|ordered)\b|订了|订好|买好|报了|约了|约好"
)  # done, and ahead
# Nor is what somebody may not eat or do over because he goes without it: "no nuts for me" confirms an allergy.
MAY_AGAIN = KeptCaseless(
    r"\b(?:can|able to|allowed|again|grew out|grown out|outgrown|outgrew|no longer|any ?more|any longer|cured|lifted|all clear|tolerates?|safe now)\b"
    r"|(?<!不)能|可以|好了|治好|脱敏|不再|不过敏|解除|解禁|不忌"
)
OVER_ONLY_BY = ((TASTE, TASTE_OVER), (MAY_NOT, MAY_AGAIN))
# Two who are a couple, and no more.
COUPLE = KeptCaseless(
    r"\b(?:girlfriend|boyfriend|partner|husband|wife|fianc[eé]e?|gf|bf|dating|seeing (?:someone|somebody|him|her|(?:a|this|the) (?:guy|girl|man|woman|bloke|lad)|(?-i:[A-ZÀ-Þ]))|going out with|engaged|(?:is|are|['’]re|were|been|be|get|got|back|still) together|married)\b|男朋友|女朋友|男友|女友|对象|老公|老婆|谈恋爱|在一起|(?<!问别个)(?<!问人家)(?<!问我)结婚(?!没|了没)|订婚|相亲|处着"
)
# "Split" alone parts a couple only as what two people did: there are split sundaes, and bills that are split.
PARTED = KeptCaseless(
    r"\b(?:broke(?:n)? up|split(?: up| with)|(?:we|they|have|has|['’]ve|['’]s|just|finally|and \w+) split(?=[\s.,;!?]*$| in| last| after| for good)|over between|called it off|called it quits|broke it off|ended it|ended things|parted ways(?! with (?:my|our|the|his|her|their) (?:\w+ )?(?!partner|lover)\w*(?:or|er|ist|ant|ent|man|firm|company|agency|club|team|label|boss)\b)|dumped|not together|no longer together|(?<!^)divorced|(?<!^)separated|finished with|(?:we|it)['’]?(?:s|re| is| are) over)\b|分手|(?<![上加扣得涨掉减打])分了(?!(?:都|快|有|好)?[\d一二两三四五六七八九十几多半]{1,3}年)|掰了|吹了|散了|离婚(?!了?(?:都|快|有|好)?[\d一二两三四五六七八九十几多半]{1,3}年)|离了(?!(?:都|快|有|好)?[\d一二两三四五六七八九十几多半]{1,3}年)|(?<!不是人)(?<!不是)(?<!没)黄了|甩了|闹掰|不在一起"
)
ANOTHERS_PARTNER = KeptCaseless(
    r"\b(?:her|his|their) (?:husband|wife|partner|boyfriend|girlfriend|fianc[eé]e?)\b|[她他]的?(?:老[公婆]|丈夫|妻子|媳妇|对象|[男女]朋?友)"
)
# To another place: of people, who live, work and study somewhere, and of what is planned, which is held somewhere.
GOES_TO = KeptCaseless(
    r"\b(?:transferred|relocat(?:ed|ing|es)|posted|moved|moving|moves|sent|switched|seconded|emigrat(?:ed|ing)|been moved|going back|went back) (?:over |back |on |away |up |down )?to (?:the )?(?P<to>(?-i:[A-ZÀ-Þ])[\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]*){0,2})"
    r"|\b(?:keys to .{1,12}|settled in(?: \w+){0,2}|unpacked|new (?:flat|house|place|home)|bought an? (?:flat|house|place)) (?:in|at) (?P<in>(?-i:[A-ZÀ-Þ])[\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]*){0,2})"
    r"|\bmoved (?:the |our |my )?(?:\w+ ){1,2}?to (?:the )?(?P<over>(?-i:[A-ZÀ-Þ])[\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]*){0,2})"
    r"|(?:调(?:去|到|往)|搬(?:去|到|回)|转(?:去|到)|外派(?:去|到)|派(?:去|到)|跳槽(?:去|到)|回了?(?![来去家])|改去|改到|换到|改在|挪到)(?P<han>[\u4e00-\u9fff]{2,6}?)(?:去|来|工作|上班|那边|住|办|吃|读书)*(?:了|啦|$|[，。！])"
)
IS_AT = KeptCaseless(
    r"\b(?:in|at|near|outside|goes to|go to) (?:the )?(?P<to>(?-i:[A-ZÀ-Þ])[\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]*){0,2})"
    r"|(?:住在?|在)(?P<han>[\u4e00-\u9fff]{2,6}?)(?:工作|上班|上学|读书|念书|读研|当|做|开|住|打工|干|搞|教书|实习|生活|办|聚|那边|的一|$|[，。！])"
)
DWELLS = KeptCaseless(
    r"\b(?:live|lives|living|works?|working|stud(?:y|ies|ying)|based|stays?|job|flat|house|home|goes to|go to)\b|住|工作|上班|上学|读|当|做|开|打工|干|搞|教|实习|生活|念|部|科$|组"
)
LIVES = KeptCaseless(r"\b(?:live|lives|living|based|stays?|flat|house|home|is in)\b|住|家在|的一|生活")
SENT = KeptCaseless(r"\b(?:transferred|posted|sent|seconded|relocat|settled)|调|派|跳槽|转(?:去|到)|下个?月|工作|上班")
# "not Berta", 不是秀兰: a word that was wrong.
NOT_WORD = KeptCaseless(r"\bnot (?P<o>[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?)\s*$|不是(?P<z>[\u4e00-\u9fffA-Za-z]{1,8})$")
WRONG = KeptCaseless(
    r"\b(?:got (?:it|that) wrong|(?:said|told you|had) (?:it|that) wrong|correction|i meant|typo|actually|not)\b|说错|打错|记错|搞错|更正|其实|不是"
)

PAUSED = KeptCaseless(
    r"\b(?P<o>[\w-]+)(?:['’]s| is| are) (?:off(?= (?:till|until|for (?:now|a while|the (?:rest|time))|this|next)\b)|on hold|on pause|paused|suspended)\b"
    r"|(?P<z>[\u4e00-\u9fff]{2,5}?)(?:课|班)?(?:就|也|只好|得){0,2}(?:先|暂时|暂)(?:停|歇|取消|放一放|不[去练上学跳打跑做弹画])"
)
# "She wants to be called Max, not Milo": no word that was told was wrong.
WISHES_NAME = KeptCaseless(
    r"\b(?:(?:wants?|wanted|likes?|prefers?|asked|insists? on|going|decided) (?:to )?(?:be(?:ing)?|go(?:es|ing)? by|get(?:ting)?)\b[^.!?]{0,20}|goes by|going by"
    r"|call (?:him|her|them|me)|calls? (?:himself|herself))|(?:想让人|要人|让大家|要大家|都|改)叫"
)
SITS = KeptPattern(r"考(?![试虑察古验])[\u4e00-\u9fff]|[一二三][诊模](?![断所范特拟])|期[中末](?![前后])")
STILL = KeptCaseless(r"\bstill\b|还是|仍|照样|依旧")

NOT_GOING = KeptCaseless(
    r"不去[^，。]{1,8}了|去不[成了]|\b(?:not|isn['’]?t|aren['’]?t) going to\b.{1,30}after all"
)  # ends a plan alone

# Somebody lives where they lived no more, wherever they went.
MOVED_OUT = KeptCaseless(
    r"\b(?:moved|moving|moves|move) (?:out|in with|back home|in together)\b|搬走|搬出去|搬来(?:跟|和|与)?|搬回"
)
# 大鹏搬走了: somebody, by whatever name.
SOMEBODY_LEFT = KeptPattern(
    r"^(?![我俺咱自已刚终昨今上下全都一这那也要想快])(?P<who>[\u4e00-\u9fff]{2,3}?)(?:已经|也|昨天|上周|上个月)?搬(?:走|出去)"
)
LODGES = KeptCaseless(r"\b(?:lodgers?|(?:flat|house|room)mates?|tenants?|lives?|living|staying)\b|室友|租客|合租|住")
PAID = KeptCaseless(
    r"\bpaid (?:\w+ ){1,4}the (?:last|final|rest)\b|\b(?:debt[- ]free|all square)\b|\bsettled (?:up|the bill)\b|结清|付清|\bthe (?:last|final) (?:instalment|payment|bit)\b|\bpaid (?:\w+ ){0,4}?(?:back|off|up)\b|\b(?:debt|loan) is (?:paid|gone)\b|\bwe(?:['’]re| are) quits\b|还清|还完了|两清|最后一笔|无债|还上了"
)
OWES = KeptCaseless(r"\b(?:owe|owes|owed|debt|loan|borrowed)\b|欠|借了|贷款")
# 不来了: what was to be done is not done.
# "They aren't coming after all", told of the very day: of whom it was said that they come, or are brought.
NOT_COMING = KeptCaseless(
    r"\b(?:aren['’]?t|isn['’]?t|ain['’]?t|not|won['’]?t be|can['’]?t|won['’]?t|unable to) (?:come|visit|make it|fly|travel|stay|join|coming|visiting|flying|travelling|staying|joining)\b|[来回去过]不[了成来]|不(?:回|过)?来(?=[了，。]|$)"
)
COMES = KeptCaseless(
    r"\b(?:com(?:e|es|ing)|visit(?:s|ing)?|fly(?:ing)?|travel(?:s|ling)?|stay(?:s|ing)?|join(?:s|ing)?|bring(?:s|ing)?) |[来回]"
)
# What it was before: "once a month instead of every fortnight".
INSTEAD = KeptCaseless(
    r"\b(?:instead of|rather than|and not) (?P<was>(?:every|each|once an?|twice an?|daily|weekly|monthly|fortnightly|yearly)(?: (?:other |second )?\w+)?)"
)
NOT_DOING = KeptPattern(r"不(?P<v>[来去走搬买卖辞考回办生离结关]|开了?)了")
# One takes the place of another: "a different tutor", 换导师了, 手机换成….
REPLACED = KeptCaseless(
    r"\b(?:a |an )?(?:different|new) (?P<o>[\w'’-]+(?: [\w'’-]+)??)(?= now\b|[,:]|$| (?:from|since|starts?|starting|called)\b)|\b(?:changed|switched|swapped) (?:my |our |his |her |their )?(?P<p>[\w'’-]+)(?=,|$| last| this| now)"
    r"|(?P<q>[\u4e00-\u9fff]{1,6}?)(?:已经|也|又|都|给){0,3}(?:换成|改成|换为|升级成)|换了?(?P<r>[\u4e00-\u9fff]{1,4}?)了"
)
IS_ONE = KeptCaseless(
    r"\b(?:my|our|his|her|their|\w+['’]s) .{1,30}(?:is|are|['’]s|goes|called)\b|\b(?:use|drive|have|share)s?\b|是|叫|用|开|姓|一个办公室|搭班|同屋"
)
RATES = KeptCaseless(
    r"(?:每|一|1)个?(?P<zh>月|年|天|周|星期|礼拜|小时)|\b(?:a|per|each|every) (?P<en>month|year|week|day|night|hour)\b"
)
# News in passing: of a value told so it is another that is told.
NEWS = KeptCaseless(
    r"\b(?:so|finally|just|only|won['’]?t|can['’]?t|couldn['’]?t|got|went|came|goes|gets|wrote|rang|from|at last|turns out|these days|wants?|till|until)\b"
    r"|了|才|起(?=[^来]|$)|给|让|得"
)
# Whoever did something for us does it no more; whoever ran something runs it no more.
STEPS_DOWN = KeptCaseless(
    r"\bretiring\b|\bbeen (?:sacked|fired|let go|replaced|given the boot)\b|被(?:开除|辞退|炒|裁|撤|免|换掉|停职)|\b(?:has|have|['’]s|is|are) (?:gone|off|moving|going) (?:back )?to (?-i:[A-Z])\w+\b(?!['’])|\b(?:retired|left|quit|resigned|moved (?:away|on|back)|stepped down|is leaving|left for|went on leave|(?:on|taken|gone on) (?:maternity|paternity)|gone (?:travelling|abroad|back|home)|went (?:back|home|travelling|abroad)|(?:got|was|been|has) (?:moved|transferred|promoted)|(?:has|['’]s) moved|moved out|emigrated|let go)\b|退休|(?<![送带拿拉抱赶])[走离](?:了|啦)|离职|辞职|回老家|回国|不教了|不干了|调走|高升|搬走|另谋高就|不带我|调(?:去|到|往|回)|搬(?:到|去)?[^，。]{0,2}楼|升上去|移民|转走|出国|休[产病长]假"
)
SOLD_UP = KeptCaseless(
    r"\b(?:sold up|shut up shop|closed up|packed it in|retired|sold the (?:business|shop|place))\b|盘出去|盘给|转让|关店|退休|不开了|转出去"
)
# By how much a plan moved, and not to when: "a day early", 提前一天.
SHIFTED = KeptCaseless(
    r"\b(?:an?|one|two|three|four|five|six|\d+|a couple of|a few|half an?) (?:minutes?|hours?|days?|weeks?|months?) (?:early|earlier|late|later|sooner)\b(?! than usual)"
    r"|\b(?:put back|put off|brought forward|moved (?:back|forward)|delayed|postponed|pushed (?:back|forward)) (?:by )?(?:an?|one|two|three|four|five|six|\d+|a couple of|a few) (?:hours?|days?|weeks?|months?)\b"
    r"|(?:提前|提早|推迟|延后|推后|延迟|早|晚)了?(?:[一两二三四五六七八九十几半]|\d+)+个?(?:分钟|小时|钟头|天|周|星期|礼拜|月)"
)
# What it names is over: 周二我不跑了, before 改成周四.
NO_MORE = KeptCaseless(r"不[^，。]{1,6}了$|\b(?:dropped|quit|stopped|no longer|not .{1,20} any ?more)\b")
NEW_TOPIC = KeptCaseless(r"\bby the way\b|\bbtw\b|^(?:also|anyway|oh and)\b|对了|另外|话说|顺便")
# What happened on a day that is over; and what was long ago.
THEN = KeptCaseless(
    r"\blast (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\byesterday\b|\blast (?:night|week|weekend|month|year)\b"
    r"|上个?(?:周|星期|礼拜)[一二三四五六日天末]?|昨[天晚儿夜]|前[天儿晚]|那天"
)
LONG_AGO = KeptCaseless(
    r"\blast year\b|\byears ago\b|\bback in (?:the|19|20)|\bwhen i was\b|去年|前年|那年|当年|小时候|年轻(?:的)?时候"
)
LEAVER = KeptPattern(
    r"(?P<who>(?!(?:I|We|He|She|They|You|It|And|But|So|Then|Just|Only|Now|Also|Already|Even|Never|Today|Mum|Mom|Dad|Not)\b|[A-Z][a-z]+ly\b)[A-Z][\w&'’-]+)"
    r" (?:has |have |just |already )?(?:pulled out|dropped out|backed out|quit|left|withdrew|resigned|retired)\b"
)
ATTAINED = KeptCaseless(
    r"\b(?:got|have|has|found|finally|bought|there(?:'s| is))\b|有.{1,8}了|找到|买了|终于|到手|拿下|考下|领到"
)
NOT_YET = KeptCaseless(
    r"\b(?:hasn['’]?t|haven['’]?t|not|no|don['’]?t have|doesn['’]?t have|without)\b.{0,12}?(?P<o>[\w'’ -]{2,30}?)(?: yet|$)|(?:还没有?|没有?|尚未)(?P<z>[\u4e00-\u9fff]{1,6})"
)
# What is so now, and what was so until then; whether both must be told of the same person.
TURNS = tuple(
    (KeptCaseless(now), KeptCaseless(then), is_same)
    for now, then, is_same in (
        (
            r"(?:\b(?:am|is|went|works?)|['’][ms]) (?:\w+ )?full[- ]time\b|(?:转成?|做|是)全职了?(?:$|[（。，])",
            r"\bpart[- ]time\b|\bworks? (?:one|two|three|four|[1-4]) days\b|兼职|半天班|每周(?:工作|上班?)[一两三四1-4]天",
            True,
        ),
        (
            r"\b(?:got|getting|are|we['’]re) married\b(?! to)|['’]s my (?:wife|husband)\b|领证了|结婚了|是我(?:老[公婆]|妻子|丈夫|媳妇)",
            r"\b(?:girlfriend|boyfriend|fianc[eé]e?)\b|[男女](?:朋)?友|对象|未婚[夫妻]",
            False,
        ),
        (
            r"\bmoved in with me\b|\blives with me now\b|搬来(?:跟|和)我|跟我一起住了",
            r"\bi(?:['’]m)? liv(?:e|ing) (?:on my own|alone|by myself)\b|我.{0,4}(?:一个人住|独居|自己住)",
            False,
        ),
        (
            r"\b(?:been |got |was |['’]ve been )promoted\b|升职了|升(?:任|为|成)?[^，。]{1,8}了",
            r"\b(?:job title|position|rank)\b|\b(?:am|is|['’][ms]) an? (?:junior|assistant|trainee|deputy)\b|职位|岗位|职称|是.{0,6}(?:初级|助理|实习|副)",
            True,
        ),
    )
)
