"""Who reads first where many come at once, and how those go on who came before all was there that reading takes."""

from __future__ import annotations

import asyncio
import threading

from soulmem.reading_lanes import SHORT, in_turn, in_turn_until

SAID = [f"Who keeps goats? 谁养山羊？ {number}" for number in range(8)]


async def test_texts_of_a_length_are_read_in_order_and_one_at_a_time() -> None:
    read, under_way = list[str](), list[int]()
    lock = threading.Lock()

    def look(text: str) -> str:
        assert lock.acquire(blocking=False), "another one is read"
        under_way.append(threading.get_ident())
        read.append(text)
        lock.release()
        return text.upper()

    assert await asyncio.gather(*(in_turn(text, lambda text=text: look(text)) for text in SAID)) == [
        text.upper() for text in SAID
    ]
    assert read == SAID
    assert threading.get_ident() not in under_way, "the event loop reads none"


async def test_who_came_before_all_was_there_goes_on_as_soon_as_it_is() -> None:
    there, ended, begins = threading.Event(), list[str](), threading.Event()

    def look(text: str) -> str:
        begins.set()
        assert there.wait(30)
        return text

    async def ask(text: str) -> None:
        told = await in_turn_until(there.is_set, text, lambda: look(text))
        ended.append(f"{text} read" if told is not None else text)

    async def ask_long() -> str | None:
        return await in_turn_until(there.is_set, "山羊 goat " * SHORT, lambda: "long")

    asked = [asyncio.create_task(ask(text)) for text in SAID]
    assert await asyncio.to_thread(begins.wait, 30)
    assert ended == []
    asked[3].cancel()
    there.set()
    await asyncio.gather(*asked, return_exceptions=True)
    assert ended == [f"{SAID[0]} read", *(text for text in SAID[1:] if text != SAID[3])]
    assert await ask_long() is None, "nobody is read in a thread any more for what is there"
