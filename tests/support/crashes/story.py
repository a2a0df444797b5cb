"""What the crash tests say to a mind and what they read back from it.

A talk in two conversations, one English and one Chinese, whose second evening speaks again of what the first one was
about, so that its recalls tie notes to notes. It is told on the simulated clock, every message and its background work
finished before the next, so that the same talk always leaves the same memory. `portrait` is that memory as a client
sees it, without row numbers, so that two runs can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from daemon_fixture import Daemon
from soulmem.client import Client

MIND = "mira"
START = "2026-03-01T18:00:00Z"
BETWEEN_S = 45

_EVENING_EN = (
    ("user", "Hi Mira, I'm Jonas. I moved to Lisbon in March and started at a bakery on Rua das Flores."),
    ("assistant", "Welcome, Jonas! How is the bakery treating you?"),
    ("user", "The bakery opens at five, so I get up at four. My boss Teresa taught me to fold croissants."),
    ("assistant", "Four in the morning sounds rough. Teresa seems patient."),
    ("user", "My sister Clara plays the cello in an orchestra in Porto. She visits me on the first weekend of May."),
    ("assistant", "A cellist in the family, lovely."),
    ("user", "I am allergic to walnuts, which is awkward in a bakery full of walnut bread."),
    ("assistant", "Please keep an EpiPen close by."),
    ("user", "Our cat Tuna knocked over the sourdough starter yesterday. We call the stain Lake Tuna now."),
    ("assistant", "Lake Tuna! That name must stay."),
    ("user", "I want to open my own bakery in Lisbon by 2030, with Clara's cello recordings playing."),
    ("assistant", "A bakery with a cello: I would come every day."),
    ("user", "Remind me that Teresa's birthday is on the 14th of June, she likes yellow tulips."),
    ("assistant", "Noted: Teresa, 14th of June, yellow tulips."),
    ("user", "On Sundays I swim in the sea at Carcavelos with my neighbour Rui, even when it rains."),
    ("assistant", "Brave! Say hello to Rui."),
)
_EVENING_ZH = (
    ("user", "米拉你好，我叫林晓雨，在成都的一家小书店工作，店名叫“慢读”。"),
    ("assistant", "晓雨你好，慢读这个名字真好听。"),
    ("user", "我养了一只叫豆包的橘猫，它最喜欢睡在收银台上。"),
    ("assistant", "豆包一定很受客人欢迎。"),
    ("user", "我妈妈住在重庆，每个月第二个周末我坐高铁去看她。"),
    ("assistant", "成都到重庆很近，真方便。"),
    ("user", "我对花生过敏，所以吃火锅的时候不敢蘸花生酱。"),
    ("assistant", "那一定要提前告诉店家。"),
    ("user", "上周六我在书店办了一场读诗会，来了四十多个人，豆包打翻了两杯茶。"),
    ("assistant", "豆包大概也想读诗。"),
    ("user", "我打算明年秋天去冰岛看极光，已经存了一万二千块。"),
    ("assistant", "冰岛的秋天很美，极光值得等。"),
    ("user", "店长老周教我修旧书，他说线装书最怕潮。"),
    ("assistant", "修书是个细致的手艺。"),
    ("user", "晚上我常和室友小米一起跑步，沿着锦江跑五公里。"),
    ("assistant", "锦江边的夜色很好看。"),
)
_NEXT_EN = (
    ("user", "Teresa let me bake the walnut bread alone today, and with my allergy I wore two pairs of gloves."),
    ("assistant", "Careful with those walnuts, Jonas."),
    ("user", "Clara called: her orchestra goes on tour, so she may bring the cello to Lisbon in May."),
    ("assistant", "Then Lake Tuna gets its first concert."),
    ("user", "Do you remember what our cat did to the sourdough starter?"),
    ("assistant", "Tuna knocked it over, hence Lake Tuna."),
    ("user", "I found a small shop for my own bakery, near the river. Teresa thinks the rent is fair."),
    ("assistant", "A step towards 2030."),
    ("user", "Teresa's birthday is close. Where do I find yellow tulips in Lisbon in June?"),
    ("assistant", "The flower market on Saturday has tulips."),
    ("user", "Clara wants to play the cello at the opening of the bakery."),
    ("assistant", "That was your dream from the start."),
    ("user", "Rui and I swam at Carcavelos again, the sea was freezing."),
    ("assistant", "You two are made of steel."),
)
_NEXT_ZH = (
    ("user", "豆包今天又睡在收银台上，客人都排队给它拍照。"),
    ("assistant", "慢读的店猫最有名了。"),
    ("user", "妈妈这个周末从重庆来成都，我要带她吃火锅，记得我对花生过敏吗？"),
    ("assistant", "记得，不能蘸花生酱。"),
    ("user", "老周教我修了一本线装书，是妈妈小时候读过的诗集。"),
    ("assistant", "这本诗集真有缘分。"),
    ("user", "去冰岛看极光的钱又多存了三千块，老周说他也想去。"),
    ("assistant", "那你们可以一起等极光。"),
    ("user", "下个月书店再办一场读诗会，这次不让豆包碰到茶了。"),
    ("assistant", "豆包恐怕不同意。"),
    ("user", "妈妈想在读诗会上读那本线装的诗集。"),
    ("assistant", "那一定很感人。"),
    ("user", "昨晚和小米沿着锦江跑了八公里，iPhone 上的记录是 46 分钟。"),
    ("assistant", "比平时多跑了三公里，真厉害。"),
)
_ASKED = (
    ("porch", "What is Teresa like and when is her birthday?"),
    ("porch", "cello and bakery"),
    ("书房", "豆包和读诗会"),
    ("书房", "妈妈 花生 火锅"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One message of the talk; `id` is the client's."""

    conversation: str
    role: str
    speaker: str
    content: str
    id: str

    def params(self) -> dict[str, Any]:
        return {
            "mind": MIND,
            "conversation": self.conversation,
            "role": self.role,
            "speaker": self.speaker,
            "content": self.content,
            "id": self.id,
        }


def _lines(conversation: str, user: str, evening: int, said: tuple[tuple[str, str], ...]) -> Iterator[Line]:
    for number, (role, content) in enumerate(said):
        yield Line(conversation, role, user if role == "user" else "Mira", content, f"{evening}-{number}")


def first_evening() -> list[Line]:
    return _woven(_lines("porch", "Jonas", 1, _EVENING_EN), _lines("书房", "晓雨", 1, _EVENING_ZH))


def second_evening() -> list[Line]:
    return _woven(_lines("porch", "Jonas", 2, _NEXT_EN), _lines("书房", "晓雨", 2, _NEXT_ZH))


def _woven(one: Iterator[Line], other: Iterator[Line]) -> list[Line]:
    """Two turns of one conversation, two of the other, and so on: both are open at once."""
    first, second = list(one), list(other)
    return [line for at in range(0, len(first), 2) for line in first[at : at + 2] + second[at : at + 2]]


def tell(client: Client, lines: list[Line]) -> None:
    """Say the lines, letting time pass and all background work end after each."""
    for line in lines:
        client.call("message.add", line.params())
        client.call("clock.advance", {"seconds": BETWEEN_S})


def ask(client: Client) -> None:
    """Recall in both conversations, recorded, as a client's own question would."""
    for conversation, query in _ASKED:
        client.call("recall", {"mind": MIND, "conversation": conversation, "query": query})
    client.call("clock.advance", {"seconds": BETWEEN_S})


def all_items(client: Client, method: str, **params: Any) -> list[dict[str, Any]]:
    """Every item of a list, page by page."""
    items: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = client.call(method, {"mind": MIND, "limit": 200, **params, **({"cursor": cursor} if cursor else {})})
        items += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return items


def portrait(daemon: Daemon) -> dict[str, list[Any]]:
    """Notes, links and the messages' standing, in a form that two runs share if they remember the same."""
    client = daemon.client()
    notes = all_items(client, "note.list", state="active") + all_items(client, "note.list", state="forgotten")
    by_id = {note["id"]: note for note in notes}
    return {
        "notes": sorted((_note(note) for note in notes), key=repr),
        "links": sorted((_link(link, by_id) for link in all_items(client, "link.list")), key=repr),
        "messages": [
            (message["conversation"], message["seq"], message["id"], message["content"], message["epoch"])
            for conversation in ("porch", "书房")
            for message in all_items(client, "message.list", conversation=conversation)
        ],
    }


def _note(note: dict[str, Any]) -> tuple[Any, ...]:
    sources = tuple((each["conversation"], each["id"], each.get("quote")) for each in note["sources"])
    elements = tuple(
        (each["start"], each["end"], each["level"], each["gist"], each["anchor"], each["opacity"], each["blurs_at"])
        for each in note["elements"]
    )
    return (
        note["text"], note["kind"], sources, elements, note["lifecycle"], note["importance"], note["valence"],
        tuple(note["tags"]), note["at"], note["created_at"], note["version"],
    )  # fmt: skip


def _link(link: dict[str, Any], notes: dict[str, dict[str, Any]]) -> tuple[Any, ...]:
    return (
        notes[link["src"]]["text"], notes[link["dst"]]["text"], link["kind"], link["verb"], link["origin"],
        link["initial"], link["strength"], link["confidence"], link["stability_days"], link["created_at"],
        link["dies_at"],
    )  # fmt: skip
