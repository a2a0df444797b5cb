"""Small talk: whether words say nothing worth keeping, Chinese and English.

Used by the gate. Greetings, thanks, good wishes, laughter, praise without a subject and remarks on the weather are
small talk whatever a note makes of them; yes and no are, unless the note says what was agreed to. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern
from soulmem.core.text import tokens

_COURTESY = CaselessPattern(
    r"\b(?:you(?:['’]ve)? (?:really |actually |still )?remember(?:ed)?|good memory|well remembered|good (?:job|boy|girl|one)|well done|spot on)\b|"
    r"\b(?:hello+|hi+|hey+|howdy|yo|good (?:morning|afternoon|evening|night|day)|morning|evening|night(?: night)?|gn|anyway|fingers crossed|shut up|welcome(?: back)?|bye(?:[- ]bye)?|goodbye|good ?night|see (?:you|ya)(?: (?:later|soon|around|tomorrow|then))?|"
    r"talk (?:to you )?(?:later|soon)|take care|have a (?:nice|good|great|lovely) (?:day|one|evening|night|weekend|time)|sleep well|sweet dreams|"
    r"thanks?(?: (?:a lot|so much|again|very much|you))*|thank you(?: (?:so|very) much)?|thx|cheers|please|sorry|no (?:problem|worries)|you['’]re welcome|my pleasure|anytime|"
    r"how (?:are|have) (?:you|things|u)(?: (?:been|doing|today|going))*|how['’]?s (?:it going|everything|life)|how do you do|what['’]?s up|(?:i['’]?m|i am) (?:fine|good|ok|okay|well|great|alright)(?: thanks?)?|"
    r"(?:duly )?noted|(?:i['’]?(?:ve|ll)|i (?:have|will)) (?:made? a note of|noted?|remember|kept?|keep|got|written|write)(?: (?:it|that|this))(?: down| in mind)?|(?:got|written) (?:it|that) down|roger(?: that)?|copy that|nice to (?:meet|see|hear from) you|good to (?:see|hear from) you|long time no (?:see|talk)|lol|ha(?:ha)+|hehe+|lmao|rofl|wow+|oh+|ah+|aw+w*|hmm+|um+|uh+|well|nice|great|awesome|amazing|"
    r"cool|lovely|wonderful|excellent|perfect|fantastic|congrat(?:s|ulations)|good luck|same here|me too|what a (?:day|week)|let['’]?s (?:go|chat|talk)|just (?:saying|checking in)|"
    r"(?:nice|lovely|beautiful|great|terrible|awful|cold|hot|rainy|sunny|bad|good) (?:weather|day)(?: today| outside| out there)?|(?:the )?weather(?: is|['’]s)(?: so| really| very)? (?:nice|lovely|good|bad|great|awful|terrible|cold|hot)(?: today)?|"
    r"that['’]s(?: (?:so|very|really))?(?: (?:all|it|great|nice|good|right|sweet|kind|lovely|cool))?|it['’]?s (?:so |really |very )?(?:hot|cold|sunny|rainy|warm|chilly)(?: today| outside)?|is ?n['’]?t it|right|today|there|again|everyone|everybody|all|dear|buddy|friend|and you|you too|so|and|very|really|it|is|that|this|too|my)\b"
    r"|你(?:还|居然|竟然|果然)?记得(?=[！!。.~～，,啊呀呢啦]|$)|(?:你)?记性(?:真|可真|太)?(?:好|棒)|你真(?:贴心|棒|厉害|聪明|好)|说得(?:真|太)?(?:对|好)"
    r"|你好|您好|大家好|哈喽|哈啰|嗨|嘿|早上好|早安|下午好|晚上好|晚安|早(?=[呀啊！!，,。]|$)|再见|拜拜|回头见|回聊|明天见|下次见|慢走|保重|谢谢(?:你|您|啦|大家)?|多谢|感谢(?:你|您)?|不客气|不用谢|没关系|没事(?:的|儿)?|对不起|不好意思|抱歉|辛苦(?:了|啦)|"
    r"最近(?:怎么样|好吗|还好吗|如何)|你(?:还)?好吗|吃了吗|吃饭了吗|在吗|在不在|还行|还不错|挺好的?|我很好|好久不见|哈哈+|呵呵+|嘻嘻+|嘿嘿+|哇+|哦+|噢+|嗯+|啊+|呀|呢|吧|嘛|啦|了|真(?:好|棒|不错|厉害|可爱|有趣)|太(?:好|棒|厉害)了?|厉害|加油|恭喜|祝你好运|好梦|"
    r"(?:今天)?天气(?:真|很|不|太)?(?:好|错|热|冷|棒|差|糟)|(?:今天|外面)?(?:真|好|太|有点)(?:热|冷|闷)|今天|是[吧啊呀]|对[吧啊呀]|我也是|一样"
    r"|(?:我)?(?:都|已经?|会|帮你|给你)?记(?:下来?|住|好|着|上)(?:了|啦|的)*"
    r"|周末愉快|新年快乐|生日快乐|祝(?:你|您|大家)|开心|愉快"
)
_ASSENT = CaselessPattern(
    r"\b(?:yes|yeah|yep|yup|no|nope|nah|sure|ok(?:ay)?|alright|of course|absolutely|definitely|exactly|indeed|certainly|fine|got it|i (?:see|know|agree|do|did|will|can|would|am|have)|i don['’]t|i think so|"
    r"sounds good|maybe|perhaps|true|agreed|deal|understood|not really|done|i|do|will)\b"
    r"|好的?|行|可以|没问题|当然|是的?|对的?|不是|不对|不行|不要|不用|嗯嗯|知道了?|明白了?|了解了?|收到|同意|愿意|也许|可能|确实|没错|会的?|要的?|有的?|没有|我"
)


def is_courtesy(words: str) -> bool:
    """Whether nothing is left of words once courtesies are taken out."""
    return not _content(_COURTESY.sub(" ", words))


def is_assent(words: str) -> bool:
    """Whether words say no more than yes or no, with or without courtesies."""
    return not _content(_ASSENT.sub(" ", _COURTESY.sub(" ", words)))


def _content(words: str) -> bool:
    """Whether a word with a meaning is left, or a number."""
    return any(not tokens.is_grammar(term) for term in tokens.segment(words))
