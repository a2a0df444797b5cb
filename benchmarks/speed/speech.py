"""Speech for the benchmarks: varied English and Chinese messages, notes and questions, made from a seed.

Called by the load generator and by the filling of minds. A message has about 20 to 60 tokens; beside common words each
names a person, a place and a thing out of some thousand invented ones, so that word frequencies have a long tail as
they do in talk. Invariant: the same seed gives the same texts.
"""

from __future__ import annotations

import random


def _of(text: str, by: str = "|") -> list[str]:
    return text.split(by)


_ONSETS = _of("b br c d dr f g gl h j k l m n p r s st t tr v w z", " ")
_VOWELS = _of("a e i o u ai ea io", " ")
_ENDS = _of("ck l lin m mon n nna r ra rth s ss tta v vey x", " ")
_CHARS = "安白柏晨川丹冬帆方谷海禾江静可兰林美宁平青秋然山诗松天文溪夏晓雪岩阳叶云竹"

_PEOPLE = _of("my sister|our neighbour|the old baker|a colleague|my landlord|the vet|her teacher|our captain")
_DEEDS = _of(
    "bought|lost|found|repaired|painted|sold|borrowed|forgot|carried|promised|cleaned|photographed|described|hid|"
    "returned|traded|dropped|finished|measured|recommended"
)
_THINGS = _of(
    "a blue bicycle|the harbour map|three jars of honey|an old piano|the concert tickets|a letter from Lisbon|"
    "the wooden boat|a ginger cat|two train passes|the recipe for plum cake|a broken camera|the winter tent|"
    "a violin case|the garden key|a box of stamps|his grandfather's watch|the blue scarf|a sack of flour"
)
_WHERES = _of(
    "at the market|behind the station|on the ferry|near the lighthouse|in the library|by the river|at the clinic|"
    "outside the theatre|in the mountains|on the third floor|under the bridge|at the swimming pool"
)
_WHENS = _of("last Tuesday|this morning|two weeks ago|on my birthday|yesterday evening|in early spring|before dinner")
_REASONS = _of(
    "because the rain would not stop|although nobody had asked for it|and it cost far more than we thought|"
    "so now we have to change our plans|which made everybody laugh for an hour|but the doctor said to wait a little|"
    "and I still do not know how to thank them|because the last bus had already gone"
)

_PEOPLE_ZH = _of("我妹妹|楼下的邻居|面包店老板|同事|房东|兽医|她的老师|我们队长")
_DEEDS_ZH = _of("买了|弄丢了|找到了|修好了|画完了|卖掉了|借走了|忘记了|带来了|答应给我|洗干净了|拍下了")
_THINGS_ZH = _of(
    "一辆蓝色自行车|港口的地图|三罐蜂蜜|一架旧钢琴|音乐会的票|一封里斯本来的信|那只橘猫|两张火车票|梅子蛋糕的做法|"
    "坏掉的相机|冬天的帐篷|花园的钥匙|一盒邮票|爷爷的手表"
)
_WHERES_ZH = _of("在市场|在车站后面|在渡船上|在灯塔附近|在图书馆|在河边|在诊所|在剧院门口|在山里|在三楼|在桥下")
_WHENS_ZH = _of("上周二|今天早上|两个星期前|我生日那天|昨天晚上|初春的时候|晚饭前")
_REASONS_ZH = _of(
    "因为雨一直下个不停|虽然没有人要求|结果比想象的贵很多|所以我们得改计划|大家笑了一个小时|不过医生说再等等|"
    "我还不知道怎么谢谢他们|因为末班车已经开走了"
)


class Speech:
    """An endless, repeatable supply of texts."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def english(self) -> str:
        """A message of two or three sentences, about 25 to 60 tokens."""
        pick = self._random.choice
        parts = [
            f"{self._name()} and {pick(_PEOPLE)} {pick(_DEEDS)} {pick(_THINGS)} {pick(_WHERES)} {pick(_WHENS)}, "
            f"{pick(_REASONS)}.",
            f"We met {self._name()} in {self._name()} Street {self._random.randint(1, 400)}.",
        ]
        if self._random.random() < 0.5:
            parts.append(f"{pick(_WHENS).capitalize()} {self._name()} {pick(_DEEDS)} {pick(_THINGS)}.")
        return " ".join(parts)

    def chinese(self) -> str:
        """The same in Chinese, about 30 to 60 tokens."""
        pick = self._random.choice
        parts = [
            f"{pick(_WHENS_ZH)}{self._name_zh()}和{pick(_PEOPLE_ZH)}{pick(_WHERES_ZH)}{pick(_DEEDS_ZH)}{pick(_THINGS_ZH)}，"
            f"{pick(_REASONS_ZH)}。"
        ]
        if self._random.random() < 0.6:
            parts.append(f"后来{self._name_zh()}{pick(_DEEDS_ZH)}{pick(_THINGS_ZH)}。")
        return "".join(parts)

    def message(self, *, chinese: bool) -> str:
        return self.chinese() if chinese else self.english()

    def question(self, *, chinese: bool) -> str:
        """A question about such messages; hardly two are alike."""
        pick = self._random.choice
        if chinese:
            return f"{self._name_zh()}{pick(_WHENS_ZH)}{pick(_WHERES_ZH)}{pick(_DEEDS_ZH)}{pick(_THINGS_ZH)}吗？"
        return f"What did {self._name()} say about {pick(_THINGS)} that {pick(_PEOPLE)} {pick(_DEEDS)} {pick(_WHERES)}?"

    def name(self, *, chinese: bool) -> str:
        """An invented name."""
        return self._name_zh() if chinese else self._name()

    def _name(self) -> str:
        pick = self._random.choice
        return (pick(_ONSETS) + pick(_VOWELS) + pick(_ONSETS) + pick(_VOWELS) + pick(_ENDS)).capitalize()

    def _name_zh(self) -> str:
        return self._random.choice("王李张刘陈杨赵黄周吴") + self._random.choice(_CHARS) + self._random.choice(_CHARS)
