"""Small files as other programs write them, in English, Chinese and both, to be imported in tests."""

from __future__ import annotations

import base64
import json
import sqlite3
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

Json = dict[str, Any]
AT = 1_714_550_400.0  # 2024-05-01T08:00:00Z

SILLYTAVERN = [
    {"user_name": "小苇", "character_name": "Mira", "create_date": "2024-5-1@08h00m00s", "chat_metadata": {}},
    {"name": "Mira", "is_user": False, "is_system": False, "send_date": "May 1, 2024 8:00am", "mes": "Hello {{user}}!",
     "swipes": ["Go away.", "Hello {{user}}!"], "swipe_id": 1},
    {"name": "小苇", "is_user": True, "is_system": False, "send_date": "2024-5-1@08h01m05s",
     "mes": "我妹妹 Ines 养蜜蜂。"},
    {"name": "System", "is_user": False, "is_system": True, "send_date": 1714550500000, "mes": "hidden"},
    {"name": "Mira", "is_user": False, "send_date": None, "swipes": ["No bees.", "蜜蜂怎么样？"], "swipe_id": 1},
    {"name": "小苇", "is_user": True, "send_date": "1714551000000", "mes": "They are fine."},
]  # fmt: skip


def node(name: str, parent: str | None, role: str, content: Any, at: float | None = AT, **more: Any) -> Json:
    """A node of a tree as ChatGPT writes it."""
    message = {"id": f"msg-{name}", "author": {"role": role}, "create_time": at, "recipient": "all", **more}
    message["content"] = content if isinstance(content, dict) else {"content_type": "text", "parts": [content]}
    return {"id": name, "parent": parent, "message": message, "children": []}


def chatgpt_conversation(name: str = "c1", at: float | None = AT) -> Json:
    """A tree of which one branch was given up, with what is no talk between."""
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["a"]},
        node("a", "root", "system", "You are helpful."),
        node("b", "a", "user", "My sister Ines keeps bees.", at),
        node("tried", "b", "assistant", "An answer that was given up.", at),
        node("c", "b", "assistant", {"content_type": "thoughts", "thoughts": []}),
        node("d", "c", "assistant", {"content_type": "code", "text": "search()"}, recipient="web"),
        node("e", "d", "tool", "what a tool found"),
        node("f", "e", "assistant", "蜜蜂在成都好养吗？", None),
        node("g", "f", "user", {"content_type": "multimodal_text",
                                "parts": [{"content_type": "image_asset_pointer"}, "是的，in 成都 they thrive."]}),
        node("h", "g", "assistant", {"content_type": "hologram", "parts": ["?"]}),
    ]  # fmt: skip
    return {
        "title": "Bees", "conversation_id": name, "create_time": at, "update_time": at and at + 60,
        "current_node": "h", "mapping": {each["id"]: each for each in nodes},
    }  # fmt: skip


def claude_conversation(name: str = "c1", day: int = 1) -> Json:
    at = f"2024-05-{day:02}T08:00:00.123456Z"
    return {
        "uuid": name, "name": "", "created_at": at, "updated_at": at, "account": {"uuid": "x"},
        "chat_messages": [
            {"uuid": f"{name}-1", "sender": "human", "text": "otherwise", "created_at": at, "files": [None],
             "attachments": [{"file_name": "a.txt", "extracted_content": "text"}],
             "content": [{"type": "text", "text": "我搬到成都了。"}, {"type": "tool_use", "name": "x"}]},
            {"uuid": f"{name}-2", "sender": "assistant", "text": "How is the bookshop?", "created_at": None,
             "content": []},
            {"uuid": f"{name}-3", "sender": "human", "text": "  ", "created_at": at, "content": None},
        ],
    }  # fmt: skip


LOCOMO = [
    {
        "sample_id": "conv-1",
        "qa": [],
        "conversation": {
            "speaker_a": "Ines", "speaker_b": "小苇", "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ines", "dia_id": "D1:1", "text": "I got new bees."},
                {"speaker": "小苇", "dia_id": "D1:2", "text": "在成都？", "img_url": ["x"], "blip_caption": "a hive"},
            ],
            "session_2_date_time": "9:00 am on 1 June, 2023",
        },
    }
]  # fmt: skip
MEM0 = {
    "results": [
        {"id": "m-1", "memory": "Alex prefers boutique hotels", "hash": "h", "user_id": "alex",
         "created_at": "2024-05-01T08:00:00-07:00", "metadata": {"category": "travel"}},
        {"id": "m-2", "memory": "小苇对花生过敏", "hash": "i", "user_id": "小苇", "created_at": None},
        {"id": "m-3", "memory": "", "hash": "j"},
    ]
}  # fmt: skip
MCP = [
    {"type": "entity", "name": "Ines", "entityType": "person", "observations": ["keeps bees", "住在成都"]},
    {"type": "relation", "from": "Ines", "to": "小苇", "relationType": "sister_of"},
    {"type": "entity", "entityName": "小苇", "entityType": "人", "observations": []},
    {"kind": "what nobody knows"},
]
WORLD = {
    "entries": {
        "0": {"uid": 0, "key": ["harbour", "港口"], "keysecondary": ["ships"], "comment": "Harbour", "order": 100,
              "content": "@@depth 4\nThe harbour of {{char}}'s town freezes in winter.", "constant": False,
              "disable": False, "position": 0, "selective": True, "selectiveLogic": 3},
        "1": {"uid": 1, "key": [], "content": "龙已经睡了一百年。", "constant": True, "disable": False},
        "2": {"uid": 2, "key": ["x"], "content": "switched off", "disable": True},
        "3": {"uid": 3, "key": ["y"], "content": ""},
    }
}  # fmt: skip


def card(version: int = 2, name: str = "Mira") -> Json:
    """A character card of the first, second or third standard."""
    own: Json = {
        "name": name, "description": "{{char}} keeps the lighthouse and knows {{user}}.",
        "personality": "话不多，心很细。",
        "scenario": "A storm.", "first_mes": "Come in!", "mes_example": "<START>",
    }  # fmt: skip
    if version == 1:
        return own
    own["character_book"] = {"name": "", "entries": [
        {"keys": ["lamp", "灯"], "content": "The lamp burns whale oil.", "enabled": True, "insertion_order": 1, "id": 7,
         "extensions": {}},
    ]}  # fmt: skip
    if version == 2:
        return {"spec": "chara_card_v2", "spec_version": "2.0", "data": own}
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**own, "nickname": "米拉", "assets": []}}


def chunk(kind: bytes, data: bytes, check: int | None = None) -> bytes:
    crc = zlib.crc32(kind + data) if check is None else check
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def picture(texts: list[tuple[bytes, bytes]], *, check: int | None = None) -> bytes:
    """A PNG with texts, each the kind of its chunk and its data; `check`: a checksum they have instead of their own."""
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = b"".join(chunk(kind, data, check) for kind, data in texts)
    return head + body + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def packed(value: Any) -> bytes:
    """A card as pictures carry it."""
    return base64.b64encode(json.dumps(value, ensure_ascii=False).encode())


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def history_db(path: Path) -> None:
    """Mem0's history: one memory changed, one deleted."""
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, "
            "created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"
        )
        connection.executemany(
            "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, NULL, 0, NULL, NULL)",
            [
                ("1", "m1", None, "Lives in Oslo", "ADD", "2024-05-01T08:00:00+00:00"),
                ("2", "m2", None, "喜欢羽毛球", "ADD", "2024-05-02T08:00:00+00:00"),
                ("3", "m1", "Lives in Oslo", "Lives in 成都", "UPDATE", "2024-06-01T08:00:00+00:00"),
                ("4", "m2", "喜欢羽毛球", None, "DELETE", "2024-06-02T08:00:00+00:00"),
            ],
        )
    connection.close()


def write_all(folder: Path) -> dict[str, Path]:
    """A file of each format in a folder, by the name of the format and a number where there are several."""
    made: dict[str, Path] = {}

    def put(name: str, file: str, content: Any) -> None:
        made[name] = folder / file
        text = content if isinstance(content, bytes | str) else json.dumps(content, ensure_ascii=False)
        made[name].write_bytes(text if isinstance(text, bytes) else text.encode())

    plain = [{"role": "user", "content": "I moved to 成都.", "at": "2024-05-01T08:00:00Z", "speaker": "Tom"}]
    put("messages", "talk.jsonl", lines(plain))
    put("messages 2", "talk.json", plain)
    put("sillytavern", "Mira - 2024.jsonl", lines(SILLYTAVERN))
    put("sillytavern 2", "group.jsonl", lines(SILLYTAVERN[1:]))
    put("chatgpt", "chatgpt.json", [chatgpt_conversation("c2", AT + 9e6), chatgpt_conversation()])
    put("claude", "claude.json", [claude_conversation("c2", 9), claude_conversation()])
    put("mem0", "mem0.json", MEM0)
    put("mem0 2", "mem0-list.json", MEM0["results"])
    put("mem0 3", "payloads.json", [{"id": "p", "payload": {"data": "Likes 茶", "hash": "k", "user_id": "alex"}}])
    put("mcp-memory", "memory.json", lines(MCP))
    put("locomo", "locomo.json", LOCOMO)
    put("csv", "talk.csv", '\ufeffmessage;date;author\r\n"我搬家了；\nyes";2024-05-01 08:00;Tom\r\n;;\r\n')
    put("lorebook", "world.json", WORLD)
    put("lorebook 2", "book3.json", {"spec": "lorebook_v3", "data": card(2)["data"]["character_book"]})
    put("card", "v1.json", card(1))
    put("card 2", "v2.json", card(2))
    put("card 3", "v2.png", picture([(b"tEXt", b"chara\0" + packed(card(2)))]))
    both = [
        (b"tEXt", b"Chara\0" + packed(card(2, "Old"))),
        (b"iTXt", b"CCV3\0\1\0\0\0" + zlib.compress(packed(card(3)))),
    ]
    put("card 4", "v3.png", picture(both))
    made["mem0 4"] = folder / "history.db"
    history_db(made["mem0 4"])
    made["zip card"] = folder / "mira.charx"
    with zipfile.ZipFile(made["zip card"], "w") as archive:
        archive.writestr("card.json", json.dumps(card(3)))
        archive.writestr("assets/icon/main.png", b"\x89PNG")
    made["zip chatgpt"] = folder / "export.zip"
    with zipfile.ZipFile(made["zip chatgpt"], "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt_conversation("z")]))
        archive.writestr("user.json", "{}")
        archive.writestr("chat.html", "<html></html>")
    return made
