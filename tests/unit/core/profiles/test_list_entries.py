"""Entries of lists: what somebody got, saw, read, visited, was ill with, and what is none of it."""

from __future__ import annotations

import pytest

from soulmem.core.profiles.list_entries import entries_of

ROWS = [
    ("Mei gave me a red wool scarf for my birthday.", "gifts", "lena", "a red wool scarf"),
    ("I gave Mei a teapot.", "gifts", "mei", "a teapot"),
    ("I gave my sister a teapot.", "gifts", "lena›sister", "a teapot"),
    ("I was in Lisbon for three days.", "trips", "lena", "Lisbon"),
    ("We flew to New York on Friday.", "trips", "lena", "New York"),
    ("My sister went to Oslo.", "trips", "lena›sister", "Oslo"),
    ("I just read Normal People in a day.", "books", "lena", "Normal People"),
    ('We watched "The Third Man" last night.', "films", "lena", "The Third Man"),
    ("I had the flu all week.", "illnesses", "lena", "flu"),
    ("I started a Spanish course.", "courses", "lena", "a Spanish course"),
    ("We went camping with the kids.", "activities", "lena", "camping"),
    ("My sister plays the cello.", "instruments", "lena›sister", "cello"),
    ("I attended a poetry reading last night.", "events", "lena", "a poetry reading"),
    ("I painted a sunset.", "made", "lena", "a sunset"),
    ("Mum baked an apple pie.", "dishes", "lena›mum", "an apple pie"),
    ("We saw Nora Field live on Saturday.", "concerts", "lena", "Nora Field"),
    ("I volunteer at a homeless shelter.", "causes", "lena", "a homeless shelter"),
    ("I'm playing a game called Hollow Knight.", "games", "lena", "Hollow Knight"),
    ("I collect old stamps.", "collections", "lena", "old stamps"),
    ("I bought a red dress yesterday.", "purchases", "lena", "a red dress"),
    ("My goal is to run a marathon.", "goals", "lena", "run a marathon"),
    ("周末我们去露营了。", "activities", "lena", "露营"),
    ("我妹妹拉小提琴。", "instruments", "lena›妹妹", "小提琴"),
    ("昨天参加了一场读书会。", "events", "lena", "读书会"),
    ("我画了一幅油画。", "made", "lena", "一幅油画"),
    ("妈妈做了红烧肉。", "dishes", "lena›妈妈", "红烧肉"),
    ("我在流浪动物救助站做志愿者。", "causes", "lena", "流浪动物救助站"),
    ("最近在玩《塞尔达》。", "games", "lena", "塞尔达"),
    ("我收藏了很多黑胶唱片。", "collections", "lena", "黑胶唱片"),
    ("我买了一双跑鞋。", "purchases", "lena", "一双跑鞋"),
    ("我的梦想是开一家书店。", "goals", "lena", "开一家书店"),
    ("我妈送了我一条红围巾。", "gifts", "lena", "一条红围巾"),
    ("我送了我妈一台按摩仪。", "gifts", "lena›妈", "一台按摩仪"),
    ("国庆我们去成都玩了五天。", "trips", "lena", "成都"),
    ("跟朋友小雅去了厦门。", "trips", "lena", "厦门"),
    ("终于读完了《百年孤独》。", "books", "lena", "百年孤独"),
    ("昨天跟朋友小雅看了电影《流浪地球》。", "films", "lena", "流浪地球"),
    ("这周得了流感，一直在家躺着。", "illnesses", "lena", "流感"),
    ("我报了一个西班牙语班。", "courses", "lena", "西班牙语班"),
]


@pytest.mark.parametrize(("text", "kind", "owner", "what"), ROWS)
def test_an_entry_and_whose_it_is(text: str, kind: str, owner: str, what: str) -> None:
    assert [(each.kind, each.owner, each.what) for each in entries_of(text, "Lena")] == [(kind, owner, what)]


@pytest.mark.parametrize(
    "text",
    [
        "I want to go to Lisbon.", "If I went to Oslo I would freeze.", "Have you been to Porto?",
        "I gave him a call.", "She gave me a hug.",
        "Tom gave me a lift home.", "I never read Dune.", "I saw Tom yesterday.", "I went to Tom.",
        "I want to learn the piano.", "Do you play the piano?", "I never cook pasta.", "We might go camping.",
        "我想学吉他。", "你会弹钢琴吗？", "我不打篮球。", "我打算去露营。",
        "我想去成都。", "你去过厦门吗？", "我没去厦门。", "我打算去成都玩。", "如果得了流感怎么办",
        "我搬到南京了。", "",
    ],
)  # fmt: skip
def test_what_is_no_entry(text: str) -> None:
    assert entries_of(text, "Lena") == ()


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        ("I love pottery, painting and yoga.", "activities", ["pottery", "painting", "yoga"]),
        ("I play the violin and the piano.", "instruments", ["violin", "piano"]),
        ("我喜欢画画和摄影。", "activities", ["画画", "摄影"]),
        ("我弹钢琴、吉他。", "instruments", ["钢琴", "吉他"]),
    ],
)
def test_several_of_a_list_are_told_at_once(text: str, kind: str, what: list[str]) -> None:
    assert [each.what for each in entries_of(text, "Lena") if each.kind == kind] == what


def test_a_long_text_has_a_bounded_number_of_entries() -> None:
    assert len(entries_of("I went to Lisbon. I read Dune. " * 3_000, "Lena")) <= 24
    assert len(entries_of(" ".join(f"I flew to B{chr(97 + n % 26)}{chr(97 + n // 26)}y." for n in range(99)))) <= 24


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        ("Spent the weekend in Porto, the river at night is unbelievable.", "trips", "Porto"),
        ("A work trip to Warsaw, I saw only the hotel.", "trips", "Warsaw"),
        ("My aunt sent a fountain pen as a present.", "gifts", "a fountain pen"),
        ("I re-read Emma, still funny.", "books", "Emma"),
        ("昨天刚从成都回来，火锅吃到嗓子哑。", "trips", "成都"),
        ("姐姐把她的旧胶片相机送给我了。", "gifts", "旧胶片相机"),
        ("一月份终于把《活着》看完了，哭惨了。", "books", "活着"),
        ("上周 fly 去了 Tokyo，jet lag 到现在。", "trips", "Tokyo"),
    ],
)
def test_what_leaves_out_whose_it_is_belongs_to_who_speaks(text: str, kind: str, what: str) -> None:
    assert (kind, "lena", what) in [(each.kind, each.owner, each.what) for each in entries_of(text, "Lena")]
