"""Recalled text that clients paste back into the talk, for fifty turns in two languages, is never remembered anew."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from soulmem.store.sqlite import offline_reader
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import served_texts

START = "2026-03-01T08:00:00Z"
PERSONA = "Mira keeps a small lighthouse library on the island of Fårö. 米拉管理着岛上的灯塔图书馆，喜欢旧地图。"
TURNS, FEWER = 50, 14
BUDGET = 1500  # characters a client pastes at most
FACTS = {
    "en": [
        "My name is Ann and I work as a vet in Bergen.",
        "Last Tuesday I treated a pony called Biscuit who had eaten a whole sack of apples.",
        "My brother Lars gets married on 14 June 2026 in Oslo.",
        "I am allergic to hazelnuts, so I never eat the cake at the clinic.",
        "I bought a red kayak from my neighbour Ingrid for 900 kroner.",
        "My grandmother taught me to knit sweaters when I was seven years old.",
        "Yesterday the old ferry broke down and I slept at the harbour.",
        "I want to open my own animal hospital in Tromsø by 2030.",
        "My cat Pepper had four kittens in the wardrobe last night.",
        "On Thursdays I sing alto in the choir of the Nykirken church.",
        "I lost my driving licence on the road to Voss in January.",
        "Our clinic hired a new surgeon called Henrik who used to work in Aarhus.",
        "I planted twelve apple trees behind the house of my parents.",
        "My best friend Solveig moved to Reykjavik to study volcanoes.",
        "I broke my left wrist while skiing in Geilo three years ago.",
        "The choir is going to perform in Copenhagen on 3 May 2026.",
        "I am learning Portuguese because my sister lives in Porto.",
        "My father repairs violins in a workshop beneath our kitchen.",
        "I saw a white-tailed eagle above the fjord this morning.",
        "Henrik and I operated on a sea turtle from the aquarium for six hours.",
        "I sold my old car to a student from Stavanger for 15,000 kroner.",
        "My kayak sank near Askøy, and two fishermen pulled me out.",
        "I gave one of the kittens, a grey one called Salt, to Ingrid.",
        "The mayor asked me to inspect the reindeer before the winter fair.",
        "I finished knitting a blue sweater for the wedding of Lars.",
    ],
    "zh": [
        "我叫小林，在成都一家医院当护士。",
        "昨天我值了夜班，急诊来了十二个食物中毒的学生。",
        "我妹妹小雨明年要去上海读大学，学的是建筑。",
        "我对芒果过敏，一吃嘴唇就肿得像香肠。",
        "我养了一只叫豆包的橘猫，它最喜欢睡在冰箱上面。",
        "我爸爸在重庆开了一家卖旧书的小店，生意不太好。",
        "上周六我和同事阿芳去青城山爬山，下山的时候扭伤了脚。",
        "我打算今年十月去敦煌看壁画，已经存了八千块钱。",
        "护士长刘姐下个月退休，我们准备给她办一场惊喜派对。",
        "我小时候在奶奶家的院子里种过一棵柚子树，现在还在结果。",
        "今天早上地铁坏了，我骑了四十分钟的自行车才到医院。",
        "我正在学弹吉他，老师是隔壁乐器店的老板。",
        "我的室友小米下周搬去深圳，她在那里找到了设计的工作。",
        "我妈妈做的泡菜在社区比赛里拿了第二名。",
        "豆包昨晚打翻了我的颜料，整个客厅都是蓝色的脚印。",
        "我决定参加明年三月的马拉松，现在每天跑六公里。",
        "阿芳生了一对双胞胎，一个叫团团，一个叫圆圆。",
        "我把外婆留下的怀表送去修，师傅说要等两个星期。",
        "医院给我们科室发了三台新的呼吸机，我负责培训同事。",
        "我在楼下的菜市场遇见了小学同桌周洋，他现在卖海鲜。",
        "小雨收到了同济大学的录取通知书，全家都哭了。",
        "我不喜欢下雨天，因为膝盖会疼。",
        "昨天的派对上刘姐唱了一首老歌，大家都录了视频。",
        "我在敦煌的洞窟里看到了飞天，激动得说不出话。",
        "爸爸的书店下个月要搬到江边的老房子里去。",
    ],
}
PEOPLE = {"en": ("Ann", "Mira"), "zh": ("小林", "米拉")}
QUESTIONS = {"en": "What do you remember about me and my family?", "zh": "你还记得我和我家里人的什么事情？"}
FRAMES = {
    "en": ("Relevant memories:\n{}", "I remember: {}", "You told me this before.\n\n{}\n\nIs that right?", "{}"),
    "zh": ("相关记忆：\n{}", "我记得：{}", "你以前告诉过我这些。\n\n{}\n\n对吗？", "{}"),
}


class Loop:
    """A client that pastes whatever it was handed out into the next message."""

    def __init__(self, api: Checking, mind: str, language: str, turns: int) -> None:
        self.api, self.mind, self.language, self.turns = api, mind, language, turns
        self.facts = FACTS[language][: turns // 2]
        self.own: dict[str, str] = {}  # message id -> the words that were somebody's own
        self.pasted: dict[str, str] = {}

    def say(self, role: str, own: str, handed_out: str, frame: str) -> Json:
        name = f"{role[0]}{len(self.own)}"
        handed_out = handed_out[:BUDGET]  # cut off wherever that is
        pasted = frame.format(handed_out) if handed_out else ""
        content = "\n".join(part for part in ((own, pasted) if len(self.own) % 2 else (pasted, own)) if part)
        self.own[name], self.pasted[name] = f"{own}\n{frame.replace('{}', ' ')}", handed_out
        person = PEOPLE[self.language][role == "assistant"]
        return self.api.say(self.mind, content, role=role, speaker=person, id=name, recall=role == "user")

    def run(self) -> None:
        question, handed_out = QUESTIONS[self.language], ""
        for turn in range(self.turns):
            self.api.call("clock.advance", seconds=60)
            frame = FRAMES[self.language][turn % 4]
            fact = self.facts[turn // 2] if turn % 2 == 0 else question
            context = self.say("user", fact, handed_out if turn % 3 == 1 else "", frame)["context"]["text"]
            asked = self.api.call("recall", mind=self.mind, query=fact, k=6)["items"]
            recalled = "\n".join(f"- [{item['at'][:10]}] {item['text']}" for item in asked)
            whole = self.api.call("context.get", mind=self.mind, query=question)["text"]
            handed_out = (context, recalled, whole, " ".join(item["text"] for item in asked))[turn % 4]
            reply = {"en": "I see, tell me more.", "zh": "好的，继续说吧。"}[self.language]
            self.say("assistant", reply, handed_out, frame)
            if turn % 12 == 11:
                self.api.call("idle.run", mind=self.mind)
        self.api.call("idle.run", mind=self.mind)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("loop"), "--simulated-clock", START) as running:
        yield running


@pytest.mark.parametrize(
    ("profile", "language", "turns"),
    [
        ("companion", "en", FEWER),
        ("assistant", "zh", FEWER),
        *(
            pytest.param(profile, language, TURNS, marks=pytest.mark.torture)
            for profile in ("companion", "assistant")
            for language in FACTS
        ),
    ],
)
def test_what_is_fed_back_is_never_remembered_anew(daemon: Daemon, profile: str, language: str, turns: int) -> None:
    api, mind = checking(daemon), f"{profile}-{language}-{turns}"
    api.call("mind.create", mind=mind, title=PEOPLE[language][1], persona=PERSONA, profile=profile)
    loop = Loop(api, mind, language, turns)
    loop.run()
    assert sum(map(bool, loop.pasted.values())) > turns, "the loop must feed back"
    notes = api.notes(mind)
    leaked = [
        (note["text"], source["id"], source["quote"])
        for note in notes
        for source in note["sources"]
        if source["quote"] not in loop.own[source["id"]]
    ]
    assert leaked == []
    assert repeated_in_summaries(daemon, loop) == []
    heard = [fact for fact in loop.facts if any(_rests_on(note, fact, loop) for note in notes)]
    assert len(heard) >= 0.88 * len(loop.facts), [fact for fact in loop.facts if fact not in heard]
    audit = api.pages("audit.list", mind=mind, outcome="refused")
    cut_out = [item for item in audit if item["task"] == "mask"]
    assert {item["reason"] for item in audit} <= {"injected", "persona"}
    missed = {name for name, pasted in loop.pasted.items() if len(pasted) > 40} - {item["message"] for item in cut_out}
    assert not missed, {name: (loop.own[name], loop.pasted[name]) for name in missed}
    assert all(item["detail"] and item["text"] for item in audit), "each with why"
    told = api.call("audit.list", mind=mind, outcome="refused", limit=1)
    assert told["counts"]["admitted"] == len(notes)
    assert told["counts"]["by_reason"]["injected"] >= turns


def repeated_in_summaries(daemon: Daemon, loop: Loop) -> list[str]:
    """What the rolling summaries took from words that had been handed out."""
    listed = loop.api.pages("message.list", mind=loop.mind, conversation="main")
    said = {message["seq"]: message["id"] for message in listed}
    kept = [json.loads(points) for (points,) in rows(daemon, loop.mind, "SELECT points FROM summary")]
    assert any(kept)
    sources = [source for points in kept for point in points for source in point["sources"]]
    # Line by line, because a quote may span the frame and what stands beside it; the end of a paste that was cut off
    # in the middle of a word may be left.
    lines = [(seq, line.strip()) for seq, quote in sources for line in quote.splitlines()]
    return [line for seq, line in lines if len(line) > 6 and line not in loop.own[said[seq]]]


def _rests_on(note: Json, fact: str, loop: Loop) -> bool:
    return any(loop.own[source["id"]].startswith(fact) for source in note["sources"])


def test_what_was_recalled_before_the_first_message_that_may_be_repeated_is_known(daemon: Daemon) -> None:
    api = checking(daemon)
    api.call("mind.create", mind="long")
    fact = "I planted twelve apple trees behind the house of my parents."
    for number in range(70):
        api.call("clock.advance", seconds=1)
        said = fact if number == 0 else f"The ferry number {number} is late."
        api.say("long", said, role="assistant", speaker="Mira")  # nothing is recalled unless it is asked for
        if number == 5:
            assert api.call("recall", mind="long", query=fact)["items"][0]["text"] == fact
    api.until(lambda: rows(daemon, "long", "SELECT 1 FROM recall_hit"), "the recall is written down")

    def lately(connection: Connection) -> list[set[str]]:
        conversation, epoch = connection.execute("SELECT conversation, epoch FROM recall_epoch").fetchone()
        return [
            {text.text for text in served_texts.lately(connection, conversation, epoch, "", lo=lo, hi=lo + 4)}
            for lo in (60, 90)
        ]

    handed_out = offline_reader.look(daemon.state / "minds" / "long.db", lately)
    assert [fact in texts for texts in handed_out] == [True, False], "the recall lies 54 messages before, and 84"


@pytest.mark.parametrize(
    ("fact", "question"),
    [
        ("{} keeps a grey donkey called Number {} on the island.", "Who keeps a donkey on the island?"),
        ("{}在岛上养了一头叫{}号的灰驴子。", "谁在岛上养驴子？"),
        ("{} keeps a donkey 驴子 called {}号 on the island 岛上.", "a donkey on the island 岛上的驴子"),
    ],
    ids=["en", "zh", "mixed"],
)
def test_what_stood_in_a_context_because_there_was_room_is_not_remembered_anew(
    daemon: Daemon, fact: str, question: str
) -> None:
    """A roomy context holds more lines than a recall calls to mind: all of them were handed out."""
    api, mind = checking(daemon), f"roomy-{len(question)}"
    api.call("mind.create", mind=mind, profile="companion")
    people = (
        "Ann",
        "Solveig",
        "Ingrid",
        "Henrik",
        "Lars",
        "小林",
        "阿芳",
        "周洋",
        "Rui",
        "Ines",
        "Tom",
        "Mai",
        "Uma",
        "Kai",
    )
    noted = [api.note(mind, fact.format(name, number)) for number, name in enumerate(people, 30)]
    api.say(mind, {"谁": "你好。"}.get(question[0], "Good morning."), speaker="Ann")
    api.settle(mind)
    api.call("clock.advance", seconds=60)
    told = api.call("context.get", mind=mind, conversation="main", query=question, max_tokens=4000)
    shown = next(block for block in told["blocks"] if block["kind"] == "notes")
    assert len(shown["items"]) > 10, "more than a recall brings"
    api.call("clock.advance", seconds=60)
    api.say(mind, "\n".join(shown["text"].splitlines()[-3:]), speaker="Ann")
    api.call("idle.run", mind=mind)
    assert {note["id"] for note in api.notes(mind)} == set(noted)
    assert api.pages("audit.list", mind=mind, outcome="refused")[0]["reason"] == "injected"


def test_the_command_shows_what_was_kept_out(daemon: Daemon) -> None:
    api = checking(daemon)
    api.call("mind.create", mind="told")
    api.say("told", "I planted twelve apple trees behind the house of my parents.", speaker="Ann")
    api.say("told", "You said: I planted twelve apple trees behind the house of my parents.", role="assistant")
    api.call("idle.run", mind="told")
    command = [sys.executable, "-m", "soulmem", "audit", "--mind", "told", "--socket", str(daemon.socket)]
    shown = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    assert "injected" in shown
    assert "main/m2" in shown
    assert "it repeats what the memory itself handed out" in shown
    assert "junk rate" in shown
    none = [*command, "--reason", "trivial"]
    assert "nothing was refused" in subprocess.run(none, capture_output=True, text=True, check=True).stdout
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert told["counts"]["by_reason"] == {"injected": 1}
