"""Words about the talk itself: leave-taking, being there, promising to remember, comforting; Chinese and English.

Asked by `omission_reasons`. A sentence says nothing about anybody's life where each of its clauses is such a form from end to
end; what a companion says to the one it listens to has more of these forms than what a person tells. Invariant: a
clause with a number in it is never a courtesy.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterable

from soulmem.core.grounding.small_talk import is_assent, is_courtesy
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern

_LONGEST_GREETING = 40
_GREETING = CaselessPattern(r"^\W*(?:hello|hi+|hey+|howdy|yo|good|morning|evening|night|gn|thanks?|thank|bye)\b")
_LONGEST = 120  # characters
_CLAUSES = LazyPattern(r"[,，;；!！?？.。~～…、:：]+|\s[-–—]\s|\s(?=(?:and|but|so|then) )")
_LEAD = r"(?:(?:and|but|so|oh|ok|okay|well|yeah|yes|no|aw+|ah|hey|then|honestly|anyway|right|alright|sorry|of course|lol|haha) )*"

# Whoever says it.
_ANYBODY = CaselessPattern(
    rf"{_LEAD}(?:(?:i )?(?:gotta|got to|have to|need to|must|should) (?:run|go|dash|head(?: off| out)?|leave|sleep)(?: now)?|g2g|brb|ttyl|be right back|back in a (?:sec|bit|minute|mo)|"
    r"(?:hang|hold) on(?: a (?:sec|second|minute|moment|mo))?|(?:just )?(?:one|a) (?:sec|second|minute|moment|mo)|(?:there['’]?s )?some(?:one|body)(?:['’]?s| is)? at the door|(?:i['’]?m )?back(?: now| again)?|where (?:were|was) (?:we|i)|"
    r"(?:speak|talk|chat|write)(?: to you)? (?:soon|later|tomorrow|again)|(?:i (?:do )?)?remember (?:you (?:said|told me|saying) (?:that|so|it)|that|this)|you (?:said|told me)(?: that| so| it)?(?: before| already)?|"
    r"(?:lol|haha+|hehe) ?same|same(?: here)?|never ?mind|forget (?:it|i said anything)|fair enough|you(?:['’]re| are) (?:the best|right|so right|welcome|so kind|a star|an angel)|"
    r"(?:let['’]?s )?(?:change the subject|talk about something else)|(?:can|could|will) you (?:remember|keep|note)(?: (?:that|it|this))?(?: down)?(?: for me)?|(?:please )?(?:remember|keep|note) (?:that|it|this)(?: down| in mind)?(?: for me)?|don['’]?t forget(?: (?:that|it|this))?)"
    r"|(?:那|好[了的啦]?|行|嗯|哦){0,3}(?:(?:我)?先(?:不聊|不说|这样|撤|走|下|忙|去忙|睡|去睡)(?:了|啦|吧|哈)?|(?:不聊|不说)(?:了|啦|这个了?|它了?)|(?:下次|回头|改天|晚点|待会儿?|明天|有空)(?:再)?(?:聊|说)(?:了|吧|啊)?|"
    r"(?:稍等|等(?:我)?(?:一下|会儿?|等)|马上(?:回来|就来|来)|去去就回)(?:啊|哈|了)?|有人(?:敲门|按门铃|找我|叫我)(?:了)?|(?:我)?(?:又)?回来[了啦]|(?:刚才?)?(?:说|聊)到哪(?:儿|里)?了?|算了|随便吧?|没事(?:了|儿)?|"
    r"(?:你)?(?:帮|替)我(?:记(?:住|下|着|一下|牢|好)|保密|存着?)(?:哈|啊|吧|了|一下)?|(?:千万)?(?:别|不要)忘(?:了|记)(?:啊|哈)?|(?:哈|嘿|嘻)*(?:笑|乐)?(?:死|喷|哭)(?:我)?(?:了|啦)|你(?:说得|说的)?(?:对|有道理)(?:啊|呀)?|嗯*你(?:说|讲|继续))"
)
# What a companion says to whoever it listens to.
_COMPANION = CaselessPattern(
    rf"{_LEAD}(?:(?:i['’]?m|i am) (?:right |always |still )?(?:here(?: for you)?|listening|all ears|with you|not going anywhere)(?: (?:now|always|whenever you need(?: me)?))?|take (?:all )?(?:your|the) time(?: you need)?|no (?:rush|hurry|pressure)|go on|tell me (?:more|everything|all(?: about it)?|when you(?:['’]re| are) ready)|"
    r"(?:i['’]?ve |i have )?(?:made a note(?: of (?:it|that|this))?|noted(?: (?:it|that|down))?|got (?:it|that)(?: (?:down|written down))?|written (?:it|that) down|understood)|(?:that(?: one)?|this(?: one)?|it)['’]?s? ?(?:i['’]?ll|i will)? ?(?:keep|kept|stays?|is)? ?(?:safe|noted|between us|with me|safe with me)|"
    r"i(?:['’]?ll| will)(?: (?:always|certainly|definitely|gladly))? (?:remember|keep|hold on to|not forget|note|write down|save)(?: (?:that|it|this|every word|them))?(?: (?:safe|in mind|down|for you|to myself|always|forever))*|i won['’]?t (?:tell(?: a soul| anyone| anybody)?|forget(?: (?:it|that))?|breathe a word)|(?:your|the|that) secret['’]?s? (?:is )?safe(?: with me)?|my lips are sealed|"
    r"(?:don['’]?t|do not|please don['’]?t|try not to) (?:worry|be sad|be so hard on yourself|blame yourself)(?: about (?:it|that))?|fingers crossed(?: for (?:\w+ ?){1,3})?|(?:i['’]?m|i am) (?:so |very |really )?(?:proud of|happy for|glad for|sorry for|thinking of|rooting for) you(?: (?:for|about) [\w ]{1,30})?|(?:i['’]?m|i am) (?:so |very |really )?(?:sorry|glad|happy|pleased|delighted)(?: (?:to hear (?:it|that)|for you|you told me|that happened))?|"
    r"you (?:really |truly |so )?(?:deserve|earned|did|handled|managed) [\w' ]{1,40}|(?:good|well) (?:for you|done)|no wonder(?: [\w'’ ]{1,30})?|(?:that|it)?(?: (?:really|must))? ?(?:sounds?|must (?:be|have been|feel)) (?:like )?[\w'’ ]{1,30}|what a [\w ]{1,24}|poor (?:you|thing|dear|love|boy|girl)|sleep (?:well|tight)|rest (?:well|up|now)|get some (?:rest|sleep)|sending (?:you )?(?:a hug|hugs|love)|good (?:luck|man|girl|boy|idea|choice|plan|call)|"
    r"i (?:hear|feel|understand|believe) (?:you|that|how you feel)|that['’]?s (?:okay|ok|alright|fine|all right|understandable|a lot(?: to (?:carry|take in))?)|of course)"
    r"|(?:好[的啦呀]?|嗯|那|哎呀?|都|当然|没问题|行){0,3}(?:我)?(?:一直|都|会|永远){0,3}(?:(?:在|在呢|在的|在这儿?|在这里)(?:陪着?你|听(?:着|你说)?)?(?:呢|的|啊)?|(?:你)?慢慢(?:说|讲|来)(?:吧)?|(?:别|不)(?:急|着急|担心|难过|怕|哭)(?:了)?|(?:这个|这件事|这事|都|一定|已经|会|帮你|替你|给你|要|我){0,3}(?:记(?:下|住|牢|着|好|在心里)(?:了|啦|的)?|存好(?:了)?|保密|收好(?:了)?)|"
    r"放心(?:吧|好了)?|(?:我)?(?:谁)?(?:也|都)?不(?:会)?(?:告诉(?:别人|任何人|谁)?|说(?:出去)?|忘(?:记)?)(?:的|了)?|(?:谁|跟谁)(?:也|都)不(?:说|告诉|讲)|(?:抱抱|摸摸|拍拍)(?:你|头|肩)?|(?:你)?(?:已经)?(?:做得|很|真的|真|太)(?:很)?(?:好|棒|不容易|了不起|勇敢|坚强|厉害)(?:了|啦)?|辛苦(?:你)?(?:了|啦)?|(?:难怪|怪不得)[^，,。\d]{0,10}|听(?:起来|上去|着)(?:就)?[^，,。\d]{0,10}|"
    r"(?:那)?(?:你)?(?:今天|今晚|先|也|快|要|赶紧|记得|一定要|可要){0,3}(?:早点|好好|多|快)?(?:去)?(?:休息|歇着?|睡吧?|歇歇|保重|睡个好觉|照顾自己|照顾好自己)(?:吧|啊|会儿|一下)?|(?:[^，,。\d]{0,6})加油|(?:祝|愿)你?[^，,。\d]{1,10}|恭喜(?:恭喜|你|啊)*|(?:真)?(?:为|替)你(?:高兴|骄傲|开心)(?:啊)?|(?:你|他|她)[^，,。\d我]{0,4}(?:肯定|一定|准|想必)[^，,。\d]{1,8}|(?:说|讲)来?(?:给我)?听听|(?:多)?跟我(?:多)?(?:说|讲)(?:说|讲)(?:吧|看)?)"
)
# Thanks for the talk, jokes called back, and what one says of one's own talking; whoever says it.
_OF_TALKING = CaselessPattern(
    rf"{_LEAD}(?:(?:many )?(?:thanks|thank you|thx|cheers|ta)(?: (?:so|very) much| a lot)? for (?:(?:always )?listening|being (?:here|there|so kind|so patient|you)(?: for me)?|(?:the|this|our|a) (?:good |lovely |nice )?(?:chat|talk|company|laugh|ear)|(?:talking|chatting|speaking)(?: (?:to|with) me)?|keeping me company|hearing me out|letting me (?:vent|ramble|moan|talk|rant)|putting up with me|asking|caring|everything|your help|that|this)(?: (?:today|tonight|again|always|as always|lately))?|"
    r"(?:it(?:['’]?s| was| is)(?: been)? )?(?:so |really |always )*(?:nice|good|lovely|great|fun) (?:to (?:talk|chat|speak)|(?:talking|chatting|speaking)) (?:to|with) (?:you|u)(?: (?:again|today|tonight|as always))?|(?:(?:i['’]?m|i am|i was) )?(?:(?:only|just) )?(?:joking|kidding|teasing|messing)(?: (?:with you|around|about|of course))?|(?:it (?:was|is)|it['’]?s|that was) (?:(?:only|just) )?a joke|"
    r"i(?:['’]?ll| will) (?:tell you|fill you in|catch you)(?: (?:later|tomorrow|another time|next time|then))+|(?:do )?you know what i mean|(?:i['’]?m|i am|here i am|listen to me) (?:rambling|babbling|waffling|going on|moaning|ranting)(?: (?:on|again))?|sorry (?:for|about) (?:(?:the|all the|my) )?(?:rambling|going on|moaning|venting|ranting|rant|moan|long message|late reply|typos?)(?: (?:on|again|so much))?|what was i (?:saying|on about|going to say)|i (?:won['’]?t|wo n['’]?t) say (?:another|one more) word)"
    r"|(?:真的?|太|好){0,2}(?:谢谢|多谢|感谢|谢)(?:你|您)?(?:今天|今晚|刚才|一直|总是|愿意|肯|还|能|又|每次|每天|都){0,3}(?:陪着?|听着?)我(?:聊|说|讲|唠|扯)*(?:天|话|这些|这么多|这么久|唠叨|啰嗦|吐槽|抱怨|倾诉|念叨|诉苦|发牢骚)?(?:了|啊|呀|哦)*|(?:能)?(?:跟|和)你(?:聊天|聊聊|聊|说说话|说话|说说)(?:完|着|会儿)?(?:真的?|好|很|特别|就是|总是|挺|觉得|心里|感觉){0,3}(?:开心|高兴|舒服|好|踏实|轻松|愉快|安心|有意思)(?:多)?(?:了|啊|呀|的)*|"
    r"(?:我)?(?:是|就是)?(?:在)?(?:跟你|和你)?(?:开(?:个|了个)?|说)玩笑(?:的|呢|啦|而已|罢了)*|(?:我)?逗(?:你|他|她)?(?:玩儿?)?(?:的|呢|啦)+|(?:那)?(?:今天|今晚|先|就|咱们?|我们){0,3}(?:说|聊|讲)到这(?:儿|里)?(?:吧|了|哈|啦)*|(?:我)?不(?:跟|和)你(?:说|聊|扯|贫)(?:了|啦)|(?:我)?(?:回头|下次|改天|等会儿?|晚点|以后)(?:再)?(?:告诉你|(?:跟|和)你(?:说|讲)|(?:说|讲)给你听)(?:吧|啊|哈)?|"
    r"你(?:懂|知道|明白)的(?:吧|哈|啦)?|(?:我)?(?:是不是)?(?:又|太)(?:啰嗦|唠叨|跑题|抱怨|废话)(?:了|啦)?(?:吧)?|(?:不好意思|抱歉|对不起)(?:啊|哈)?(?:又|老|总|一直)?(?:是)?(?:跟|和|找|对|向)你(?:抱怨|吐槽|唠叨|啰嗦|倒苦水|诉苦|发牢骚)(?:了|这么多|这么久)*|(?:我)?刚才?(?:说|讲|聊)(?:啥|什么|到哪儿?)(?:来着|了)?"
)
# What a companion says where it is asked to keep silent.
_NEVER_HEARD = CaselessPattern(
    rf"{_LEAD}(?:i (?:never|didn['’]?t|did not) (?:hear|heard)(?: (?:it|that|anything|a thing|a word))?|(?:i['’]?ve |i have )?(?:already )?forgot(?:ten)?(?: (?:it|that|about it|all about it|already))*|(?:it['’]?s |that['’]?s |consider it )?(?:already )?(?:gone|forgotten|erased|as if you never said it))"
    r"|(?:好[的啦]?)?(?:我)?(?:已经|什么|啥|都|也|就|早就|全){0,3}(?:不记得|忘(?:记|掉|光)?|没听(?:见|到)|不知道)(?:了|啦|呢|的)*"
)
_FILLING = CaselessPattern(r"\W*(?:lol|haha+|hehe+|啊|呀|哈+|呢|吧|啦|嗯+|哦+|唉)?\W*")


_BESIDE_NAME = LazyPattern(r"^\W*|\W*$")


def greets(text: str, names: Iterable[str]) -> bool:
    """Whether a sentence only greets one who takes part, or says who greets: "Evening Wren.", "hiii kit its dani"."""
    if len(text) > _LONGEST_GREETING:
        return False
    words = text.casefold().split()
    left = [word for word in words if _BESIDE_NAME.sub("", word) not in set(names)]
    greeting = " ".join(left)
    return 0 < len(left) < len(words) and _GREETING.search(greeting) is not None and is_courtesy(greeting)


def is_about_the_talk(text: str, *, companion: bool) -> bool:
    """Whether every clause of a sentence is about the talk itself. `companion`: it is said by the mind."""
    if len(text) > _LONGEST or any(char.isdigit() for char in text):
        return False
    clauses = [clause.strip() for clause in _CLAUSES.split(text) if clause.strip()]
    return bool(clauses) and all(_is_form(clause, companion=companion) for clause in clauses)


def _is_form(clause: str, *, companion: bool) -> bool:
    forms = (_ANYBODY, _OF_TALKING, _COMPANION, _NEVER_HEARD) if companion else (_ANYBODY, _OF_TALKING)
    return (
        _FILLING.fullmatch(clause) is not None
        or any(form.fullmatch(clause) for form in forms)
        or is_courtesy(clause)
        or is_assent(clause)
    )
