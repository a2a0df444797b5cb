"""The words of the terminal interface, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "zh")

_ENGLISH = {
    "minds": "Minds", "notes": "Notes", "forgotten_notes": "Forgotten", "found": "Found", "events": "Events",
    "search": "Search: what does it remember of …", "edit": "Edit", "pin": "Pin", "forget": "Forget",
    "restore": "Restore", "undo": "Undo", "switch": "Alive/forgotten", "find": "Search", "leave": "Back",
    "log": "Events", "quit": "Quit", "refresh": "Reload", "save": "Ctrl-S saves, Esc leaves it as it was",
    "ask_forget": "Forget {note}? It can be restored for 30 days.  y / n", "no_notes": "no notes",
    "no_minds": "no minds yet: `soulmem say 'hello'` brings one into being", "nothing_known": "nothing comes to mind",
    "reworded": "{note} reworded", "pinned": "{note} pinned", "unpinned": "{note} unpinned",
    "forgotten": "{note} forgotten; u takes it back", "restored": "{note} restored",
    "nothing_to_restore": "{note} stands; there was nothing to restore", "undone": "{note}: taken back",
    "nothing_to_undo": "nothing was changed here that could be taken back", "no_note": "choose a note first",
    "as_told": "as first written", "history": "History", "version": "version {number}", "sources": "Sources",
    "noted": "noted", "kind": "kind", "state": "state", "text": "text", "when": "when", "away": "no daemon answers",
    "more": "the first {count}; search finds the others", "request": "request",
    "unmet": "asked to be forgotten, and there still", "unmet_nothing": "no message plainly tells of it",
    "unmet_several": "{count} messages may be meant; `soulmem messages` shows them, `soulmem delete` removes one",
}  # fmt: skip
_CHINESE = {
    "minds": "心智", "notes": "笔记", "forgotten_notes": "已遗忘", "found": "找到", "events": "事件",
    "search": "搜索：它还记得什么……", "edit": "编辑", "pin": "固定", "forget": "遗忘", "restore": "恢复",
    "undo": "撤销", "switch": "现存/已遗忘", "find": "搜索", "leave": "返回", "log": "事件", "quit": "退出",
    "refresh": "刷新", "save": "Ctrl-S 保存，Esc 放弃", "ask_forget": "遗忘 {note}？三十天内可以恢复。  y / n",
    "no_notes": "没有笔记", "no_minds": "还没有心智：用 soulmem say '你好' 创建一个", "nothing_known": "什么也想不起来",
    "reworded": "{note} 已改写", "pinned": "{note} 已固定", "unpinned": "{note} 已取消固定",
    "forgotten": "{note} 已遗忘；按 u 撤销", "restored": "{note} 已恢复", "nothing_to_restore": "{note} 仍在，无需恢复",
    "undone": "{note}：已撤销", "nothing_to_undo": "这里没有可以撤销的改动", "no_note": "请先选择一条笔记",
    "as_told": "原文", "history": "历史", "version": "版本 {number}", "sources": "来源", "noted": "记于",
    "kind": "种类", "state": "状态", "text": "内容", "when": "时间", "away": "守护进程没有应答",
    "more": "只列出前 {count} 条；其余请搜索", "request": "请求",
    "unmet": "要求忘记、却还在", "unmet_nothing": "没有哪条消息明确说到它",
    "unmet_several": "可能指 {count} 条消息；soulmem messages 查看，soulmem delete 删除",
}  # fmt: skip
WORDS: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "zh": _CHINESE}


def language_of(environ: Mapping[str, str]) -> str:
    """The language that the terminal is set to, as far as there are words for it."""
    named = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "zh" if named.lower().startswith("zh") else "en"
