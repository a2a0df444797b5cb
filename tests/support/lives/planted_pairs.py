"""Planted pairs: a mind full of notes, some of which belong together only because they were talked about together.

Shared by the benchmark `planted` and by `test_association`. Every note is about somebody, something and a place, in
English or Chinese; notes of one topic resemble one another, as memories do. The two notes of a pair share no word and,
where the embedder can read both, hardly any meaning; no link joins them but what digestion makes of the talk in which
both came up. Invariant: the same seed and the same embedder give the same notes, pairs and talks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from soulmem.core.text import tokens
from soulmem.ports import BLIND_BELOW, Embedder

UNLIKE = 0.2  # cosine below which two notes have nothing to do with one another
ROUND_S = 45  # what a round of a talk takes


@dataclass(frozen=True, slots=True)
class Memory:
    """One note, whom it is about, three things to say that bring it to mind, and a question about it."""

    text: str
    who: str
    mentions: tuple[str, str, str]
    question: str
    language: str  # en | zh


@dataclass(frozen=True, slots=True)
class Pair:
    """Two notes that have nothing in common. `cosine` is None where the embedder cannot read one of them."""

    one: Memory
    other: Memory
    cosine: float | None

    @property
    def language(self) -> str:
        return self.one.language if self.one.language == self.other.language else "mixed"


@dataclass(frozen=True, slots=True)
class Planting:
    """The notes of a mind, the planted ones among them, shuffled, and the pairs."""

    notes: tuple[str, ...]
    pairs: tuple[Pair, ...]


def _of(text: str) -> list[str]:
    return text.split("|")


# Of each topic: what people do there, with what, and where. No word stands in two topics.
_TOPICS = (
    ("cooked|burnt|tasted|seasoned", "spaghetti|a lentil soup|some dumplings|the walnut bread|a saffron risotto|"
     "pickled herring|the mushroom pie|a jar of quince jelly", "in the tiny kitchen|at the harbour canteen|"
     "for the wedding feast|over the campfire"),
    ("poured|ordered|measured|tested", "grade-42 concrete|a pallet of bricks|the steel girders|roofing felt|"
     "a bag of plaster|the scaffolding|limestone gravel|two copper pipes", "on the motorway bridge|in the cellar shaft|"
     "beside the crane|behind the cement works"),
    ("bowed|tuned|rehearsed|hummed", "a cello sonata|the accordion|an opera aria|a jazz ballad|the church organ|"
     "a string quartet|his old banjo|the brass fanfare", "before the matinee|in the conservatory|"
     "at the folk festival|during the encore"),
    ("grafted|watered|pruned|planted", "the cherry saplings|a row of leeks|her orchids|the ivy hedge|wild garlic|"
     "a bed of tulips|the fig cuttings|a vine trellis", "near the greenhouse|along the orchard wall|"
     "on the allotment|under the compost shed"),
    ("fed|chased|brushed|rescued", "a three-legged ferret|the parrot|two stray huskies|a hedgehog|the Shetland ponies|"
     "a nest of swifts|the goat kids|an old tortoise", "at the animal shelter|by the stable door|"
     "inside the vet's surgery|across the meadow"),
    ("debugged|compiled|patched|deployed", "the payroll database|a graphics shader|an email parser|the firmware|"
     "the login server|a chess program|the weather script|an elliptic cipher", "after the midnight outage|"
     "in the data centre|on her laptop|for the bank's auditors"),
    ("rowed|moored|repainted|launched", "a canoe|the lifeboat|the trawler|a leaky dinghy|the paddle steamer|"
     "an oak rudder|the spinnaker|a rusty anchor", "off the northern reef|at low tide|in the lagoon|"
     "past the breakwater"),
    ("argued|lectured|wrote|dreamed", "about Byzantine law|about black holes|about medieval plagues|"
     "about Kant's ethics|about Etruscan tombs|about the Suez treaty|about quantum entanglement|about Norse sagas",
     "in the seminar|at the faculty dinner|through the whole viva|for the museum guides"),
    ("scored|missed|practised|refereed", "a penalty kick|the relay baton|a backhand volley|the javelin throw|"
     "a judo hold|the slalom|a triple jump|the fencing bout", "in the village stadium|during the playoffs|"
     "on the icy track|at the county gym"),
    ("stitched|dyed|ironed|embroidered", "a velvet waistcoat|the linen curtains|her wool mittens|a silk kimono|"
     "the quilt|a denim apron|lace collars|the felt slippers", "in the attic studio|for the costume ball|"
     "with the loom club|at the tailor's"),
    ("sprained|bandaged|vaccinated|examined", "a swollen ankle|the broken wrist|her tonsils|an infected tooth|"
     "a torn ligament|the newborn twins|his kidneys|a stubborn rash", "in the emergency ward|at the dentist|"
     "on the night shift|through the quarantine"),
    ("hitchhiked|flew|cycled|trekked", "to Patagonia|to Samarkand|to the Faroe islands|to Timbuktu|to Ulan Bator|"
     "to the Carpathians|to Zanzibar|to Vladivostok", "with a torn passport|during the monsoon|"
     "without any luggage|on a borrowed tandem"),
)  # fmt: skip
_ONSETS = _of("b|br|d|dr|f|g|h|j|k|l|m|n|p|r|s|t|tr|v|w|z")
_VOWELS = _of("a|e|i|o|u|ai|ea|io")
_ENDS = _of("ck|l|lin|mon|nna|rth|ss|tta|vey|x")

_TOPICS_ZH = (
    ("煮糊了|尝过|端来|学会做", "一锅羊肉泡馍|酸辣粉|红烧鲤鱼|桂花糕|麻婆豆腐|小笼包", "厨房|夜市|食堂"),
    ("浇筑|订购|检验|搬运", "四十二号混凝土|脚手架|钢筋|防水卷材|空心砖|石灰", "高架桥|工地|水泥厂"),
    ("弹奏|排练|哼唱|录下", "二胡曲|肖邦夜曲|民谣|京剧唱段|古筝独奏|爵士鼓", "琴房|剧院|音乐节"),
    ("修剪|嫁接|栽种|移走", "樱桃树苗|郁金香|葡萄藤|兰花|仙人掌|爬山虎", "温室|果园|阳台"),
    ("救治|喂养|追赶|领养", "三条腿的雪貂|鹦鹉|流浪狗|刺猬|矮马|乌龟", "宠物医院|马厩|草原"),
    ("调试|重写|部署|备份", "工资数据库|登录服务器|天气脚本|加密算法|邮件解析器|固件", "机房|银行|网吧"),
    ("划着|停泊|粉刷|打捞", "独木舟|救生艇|拖网渔船|铁锚|帆板|漏水小艇", "泻湖|防波堤|码头"),
    ("扭伤|包扎|检查|治好", "脚踝|智齿|韧带|肾脏|皮疹|手腕", "急诊室|牙科|病房"),
)  # fmt: skip
_SURNAMES = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华"
_GIVEN = "安柏晨川丹冬帆方谷禾江静可兰林美宁平青秋然诗松溪夏晓岩阳云竹芷遥珂璟沅"

_CYCLE = (("en", "en"), ("en", "zh"), ("zh", "zh"), ("en", "en"))  # the languages of the pairs, in turn

_SMALL_TALK = (
    "Good evening, are you well?", "早上好呀。", "Nothing new otherwise.", "嗯，好吧。", "Thanks for listening!",
    "谢谢你陪我聊天。", "Anyway, what a day.", "先这样吧。",
)  # fmt: skip
_REPLIES = ("I see.", "好的。", "Tell me more!", "真有意思。")


class Telling:
    """An endless, repeatable supply of memories."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def memory(self, *, chinese: bool) -> Memory:
        return self._chinese() if chinese else self._english()

    def _english(self) -> Memory:
        pick = self._random.choice
        deeds, things, places = pick(_TOPICS)
        who, deed, thing, place = self._name(), pick(_of(deeds)), pick(_of(things)), pick(_of(places))
        return Memory(
            f"{who} {deed} {thing} {place}.",
            who,
            (
                f"Remember how {who} {deed} {thing}?",
                f"{who} came round again, {thing} is all one hears.",
                f"It was {place}, {who} and {thing}, I will not forget it.",
            ),
            f"What was that with {who} and {thing}?",
            "en",
        )

    def _chinese(self) -> Memory:
        pick = self._random.choice
        deeds, things, places = pick(_TOPICS_ZH)
        who = pick(_SURNAMES) + pick(_GIVEN) + pick(_GIVEN)
        deed, thing, place = pick(_of(deeds)), pick(_of(things)), pick(_of(places))
        return Memory(
            f"{who}在{place}{deed}{thing}。",
            who,
            (
                f"还记得{who}{deed}{thing}那回吗？",
                f"{who}昨天又提起{thing}。",
                f"就在{place}，{who}和{thing}，我忘不掉。",
            ),
            f"{who}和{thing}是怎么回事？",
            "zh",
        )

    def _name(self) -> str:
        pick = self._random.choice
        return (pick(_ONSETS) + pick(_VOWELS) + pick(_ONSETS) + pick(_VOWELS) + pick(_ENDS)).capitalize()


def plant(count: int, pairs: int, embedder: Embedder, *, seed: int = 7) -> Planting:
    """`count` notes in all, a quarter of them Chinese, and among them `pairs` pairs, in the languages of `_CYCLE`."""
    telling = Telling(seed)
    chosen = _paired(_distinct(telling, 8 * pairs, chinese_every=2), pairs, embedder)
    planted = [memory.text for pair in chosen for memory in (pair.one, pair.other)]
    rest = [each.text for each in _distinct(telling, count, chinese_every=4) if each.text not in planted]
    notes = planted + rest[: count - len(planted)]
    random.Random(seed).shuffle(notes)
    return Planting(tuple(notes), tuple(chosen))


def _distinct(telling: Telling, count: int, chinese_every: int) -> list[Memory]:
    """So many memories, no two with the same text."""
    found: dict[str, Memory] = {}
    while len(found) < count:
        each = telling.memory(chinese=len(found) % chinese_every == chinese_every - 1)
        found.setdefault(each.text, each)
    return list(found.values())


def words(text: str) -> frozenset[str]:
    """What a text is about: its terms without grammar."""
    return frozenset(term for term in tokens.segment(text) if not tokens.is_grammar(term))


def _paired(pool: Sequence[Memory], count: int, embedder: Embedder) -> list[Pair]:
    """So many pairs of memories that have neither words nor meaning in common; each memory is used once."""
    vectors = embedder.embed([memory.text for memory in pool])
    legible = [embedder.coverage(memory.text) >= BLIND_BELOW for memory in pool]
    spoken = [frozenset().union(*map(words, (each.text, *each.mentions, each.question))) for each in pool]
    noted = [words(each.text) for each in pool]
    left = {language: [at for at, each in enumerate(pool) if each.language == language] for language in ("en", "zh")}
    pairs: list[Pair] = []
    while len(pairs) < count:
        mine, theirs = _CYCLE[len(pairs) % len(_CYCLE)]
        one = left[mine].pop(0)
        for other in left[theirs]:
            cosine = float(vectors[one] @ vectors[other]) if legible[one] and legible[other] else None
            # What is said about one must not mention the other either.
            apart = not (spoken[one] & noted[other] or spoken[other] & noted[one])
            if apart and (cosine is None or cosine < UNLIKE):
                left[theirs].remove(other)
                pairs.append(Pair(pool[one], pool[other], cosine))
                break
    return pairs


def talk(pair: Pair, seed: int) -> Iterator[list[tuple[str, str]]]:
    """A conversation round by round, (role, text): three times both come up, in user turns next to one another."""
    chance = random.Random(seed)
    for first, second in zip(pair.one.mentions, pair.other.mentions, strict=True):
        said = [("user", first), ("user", second)]
        yield [*said, ("assistant", chance.choice(_REPLIES)), ("user", chance.choice(_SMALL_TALK))]
