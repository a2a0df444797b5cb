"""What was handed out to a conversation, and which names the graph knows: what the gate asks of the store.

Read-only. Handed out are the recalled items of an epoch and of the one before it (a reply may come after the mind has
rested), the messages that stood in its window, its summaries, pinned notes, lore and the card. Each comes with the
place in the conversation after which it was, because text masks only what was said later: a message its own place, a
note that of its last source, so nobody's first words are ever masked by what was made of them. What is out of the
conversation's scope was recalled, but not handed out: it masks nothing, or what is missing would tell of it.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from soulmem.core.grounding.served_text_index import ANYBODY, Origin, ServedText
from soulmem.core.text import tokens
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state.audience import WHOLE, Scope
from soulmem.store.index import fts
from soulmem.store.messages import message_log, rolling_summaries
from soulmem.store.notes import element_rows, masked_indexing, note_rows
from soulmem.store.sqlite.driver import Connection, Row
from soulmem.store.sqlite.row_hash import AMONG, listed

_MOST_RECALLS = 4_000  # hits, the latest
_MOST_LORE = 200
_MOST_SYSTEM = 20
_MOST_SAID = 4_000
_CANDIDATES = 60
_VARIABLES = 500
_LATELY = 40  # messages before a summary's range that it may repeat
_LATE_RECALLS = 800  # hits
_END = 1 << 62
_ITEMS = ("message", "note", "summary")
# What recalls of some epochs of a conversation brought.
_BROUGHT = (
    "SELECT h.kind, h.item, e.turn, r.at, m.seq, h.at_exp FROM recall_epoch e JOIN recall r ON r.id = e.recall "
    "JOIN recall_hit h ON h.recall = e.recall LEFT JOIN message m ON m.id = r.message "
    "WHERE e.conversation = ? AND e.epoch BETWEEN ? AND ?"
)


@dataclass(frozen=True, slots=True)
class _Course:
    """The messages of a conversation from some place on: their places and when they arrived."""

    seqs: list[int]
    latest: list[int]  # the earliest arrival from each message on: never falls
    users: list[int]  # the places of users' messages
    users_before: int

    def after_time(self, at: int, *, ties: bool) -> int:
        """The last place before `at`; with `ties`, a message of that very moment came before."""
        index = bisect_right(self.latest, at) if ties else bisect_left(self.latest, at)
        return self.seqs[index - 1] if index else (self.seqs[0] - 1 if self.seqs else 0)

    def after_turn(self, turn: int) -> int:
        """The place of the n-th message of a user."""
        index = turn - self.users_before
        return self.users[index - 1] if 0 < index <= len(self.users) else 0


def served(
    connection: Connection, conversation: int, epoch: int, persona: str, scope: Scope = WHOLE
) -> tuple[ServedText, ...]:
    """Everything handed out to a conversation that may come back in this epoch, the most important first.

    What was said after the epoch is left out: of a history that was read in at once, that is nearly all of it.
    """
    first, last = _places(connection, conversation, epoch)
    if first is None:
        return ()
    course = _course(connection, conversation, first, last)
    texts = [ServedText(persona, Origin.PERSONA)] if persona else []
    texts += _system(connection, conversation)
    texts += _standing(connection, conversation, course, scope)
    for each in (epoch, epoch - 1):
        texts += _summary(connection, conversation, each)
    texts += _recalled(connection, conversation, epoch, course, scope)
    texts += _said(connection, conversation, first, last)
    return tuple(text for text in texts if text.text)


def lately(
    connection: Connection, conversation: int, epoch: int, persona: str, scope: Scope = WHOLE, *, lo: int, hi: int
) -> tuple[ServedText, ...]:
    """What was handed out shortly before the messages at the positions `lo..hi`, for their summary.

    A part of what `served` gives: it is asked for every roll, so it must not grow with the conversation.
    """
    row = connection.execute(
        "SELECT min(seq) FILTER (WHERE pos >= ?), max(seq), min(arrived_at), max(arrived_at) FROM message "
        "WHERE conversation = ? AND pos BETWEEN ? AND ?",
        (lo - _LATELY, conversation, lo - 2 * _LATELY, hi),  # what the first message repeats was recalled before it
    ).fetchone()
    if row[0] is None:
        return ()
    first, last, begins_at, ends_at = row
    course = _course(connection, conversation, first, last)
    texts = [ServedText(persona, Origin.PERSONA)] if persona else []
    texts += _system(connection, conversation)
    texts += _standing(connection, conversation, course, scope)
    texts += _summary(connection, conversation, epoch, versions=1)
    hits = connection.execute(
        f"{_BROUGHT} AND r.at BETWEEN ? AND ? ORDER BY e.recall DESC, h.rank LIMIT ?",
        (conversation, epoch - 1, epoch, begins_at, ends_at, _LATE_RECALLS),
    ).fetchall()
    texts += _texts_of(connection, conversation, hits, course, scope)
    texts += _said(connection, conversation, first, last)
    return tuple(text for text in texts if text.text)


def system_texts(connection: Connection, conversation: int) -> tuple[str, ...]:
    """What the system's latest messages say."""
    return tuple(text.text for text in _system(connection, conversation))


def known_names(connection: Connection, names: Iterable[str], scope: Scope = WHOLE) -> frozenset[str]:
    """Those of these names that stand in a living note."""
    found = set()
    for name in names:
        wanted = tokens.fold(name)
        found_in = fts.find(connection, "note", name, _CANDIDATES, scope) if wanted.strip() else []
        hits = [item for item, _ in found_in]
        if any(_names(tokens.fold(note.text), wanted) for note in note_rows.get_many(connection, hits).values()):
            found.add(name)
    return frozenset(found)


def _names(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(name) : at + len(name) + 1]
        if not name.isascii() or not any(char.isascii() and char.isalnum() for char in around):
            return True
        at = text.find(name, at + 1)
    return False


def _places(connection: Connection, conversation: int, epoch: int) -> tuple[int | None, int]:
    """The places of the first message that stood in the window when the epoch began, and of its own last."""
    row = connection.execute(
        "SELECT min(+m.pos), w.capacity, max(+m.seq) FROM message m JOIN window w ON w.conversation = m.conversation "
        "WHERE m.conversation = ? AND m.epoch = ? AND m.pos IS NOT NULL",
        (conversation, epoch),
    ).fetchone()
    if row is None or row[0] is None:
        return None, 0
    begins = connection.execute(
        "SELECT min(seq) FROM message WHERE conversation = ? AND pos >= ?", (conversation, row[0] - row[1])
    ).fetchone()
    return int(begins[0]), int(row[2])


def _course(connection: Connection, conversation: int, first: int, last: int) -> _Course:
    rows = connection.execute(
        "SELECT seq, arrived_at, role FROM message WHERE conversation = ? AND seq BETWEEN ? AND ? ORDER BY seq",
        (conversation, first, last),
    ).fetchall()
    latest: list[int] = []
    for _, arrived_at, _ in reversed(rows):
        latest.append(min(arrived_at, latest[-1]) if latest else arrived_at)
    users = [row[0] for row in rows if row[2] == "user"]
    since = connection.execute(
        "SELECT user_turns - (SELECT count(*) FROM message WHERE conversation = c.id AND seq > ? AND role = 'user') "
        "FROM conversation c WHERE id = ?",
        (last, conversation),
    ).fetchone()[0]
    return _Course([row[0] for row in rows], latest[::-1], users, since - len(users))


def _system(connection: Connection, conversation: int) -> list[ServedText]:
    rows = connection.execute(
        "SELECT content, seq FROM message WHERE conversation = ? AND role = 'system' AND deleted = 0 "
        "ORDER BY seq DESC LIMIT ?",
        (conversation, _MOST_SYSTEM),
    )
    return [ServedText(content, Origin.SYSTEM, seq) for content, seq in rows]


def _standing(connection: Connection, conversation: int, course: _Course, scope: Scope) -> list[ServedText]:
    """Pinned notes and lore, which stand in every context from when they were written."""
    clause, values = scope.notes("n")
    rows = connection.execute(
        "SELECT n.id, n.text, n.kind, n.created_at, n.speaker FROM note n WHERE n.lifecycle <> 'forgotten' "
        f"AND (n.pinned = 1 OR n.kind = 'lore') AND {clause} ORDER BY n.pinned DESC, n.id DESC LIMIT ?",
        (*values, _MOST_LORE),
    ).fetchall()
    sources = _last_sources(connection, conversation, [row[0] for row in rows])
    return [
        ServedText(
            text,
            Origin.LORE if kind == "lore" else Origin.NOTE,
            max(course.after_time(created_at, ties=True), sources.get(note, 0)),
            speaker,
        )
        for note, text, kind, created_at, speaker in rows
    ]


def _summary(connection: Connection, conversation: int, epoch: int, versions: int = -1) -> list[ServedText]:
    """The kept versions of a summary: each sentence from its own last source on, the rest from the end of its range."""
    rows = connection.execute(
        "SELECT s.text, s.points, (SELECT m.seq FROM message m WHERE m.conversation = s.conversation "
        "AND m.pos <= s.covers_hi ORDER BY m.pos DESC LIMIT 1) FROM summary s WHERE s.conversation = ? AND s.epoch = ? "
        "ORDER BY s.version DESC LIMIT ?",
        (conversation, epoch, versions),
    ).fetchall()
    texts = []
    for text, points, covers in rows:
        for point in json.loads(points):
            last = max((seq for seq, _ in point["sources"]), default=covers or 0)
            texts.append(ServedText(point["text"], Origin.SUMMARY, last, ANYBODY))
        texts.append(ServedText(text, Origin.SUMMARY, covers or 0, ANYBODY))
    return texts


def _recalled(
    connection: Connection, conversation: int, epoch: int, course: _Course, scope: Scope
) -> Iterator[ServedText]:
    """What recalls of this epoch and the one before brought back, from the first time on."""
    rows = connection.execute(
        f"{_BROUGHT} ORDER BY e.recall DESC, h.rank LIMIT ?",
        (conversation, epoch - 1, epoch, _MOST_RECALLS),
    ).fetchall()
    return _texts_of(connection, conversation, rows, course, scope)


def _texts_of(
    connection: Connection, conversation: int, rows: Sequence[Row], course: _Course, scope: Scope
) -> Iterator[ServedText]:
    """The texts of recalled items, each from the first time that it was recalled on."""
    first: dict[tuple[str, int], int] = {}
    seen = {each: scope.within(connection, each, (row[1] for row in rows if row[0] == each)) for each in _ITEMS}
    served_at: dict[int, set[int]] = {}
    for kind, item, turn, at, asked, at_exp in rows:
        if item not in seen[kind]:
            continue
        if kind == "note":
            served_at.setdefault(item, set()).add(at_exp)
        after = asked if asked is not None else max(course.after_turn(turn), course.after_time(at, ties=False))
        first[kind, item] = min(first.get((kind, item), after), after)
    noted = [item for kind, item in first if kind == "note"]
    sources = _last_sources(connection, conversation, noted)
    for part in _parts(noted):
        for note, text, speaker in connection.execute(
            f"SELECT id, text, speaker FROM note WHERE id {AMONG} UNION ALL "
            "SELECT v.note, json_extract(v.body, '$.text'), n.speaker FROM note_version v JOIN note n ON n.id = v.note "
            f"WHERE v.note {AMONG}",
            (listed(part), listed(part)),
        ):
            yield ServedText(text or "", Origin.NOTE, max(first["note", note], sources.get(note, 0)), speaker)
    for note, text, speaker in _as_shown(connection, served_at):
        yield ServedText(text, Origin.NOTE, max(first["note", note], sources.get(note, 0)), speaker)
    for part in _parts([item for kind, item in first if kind == "message"]):
        for number, message in message_log.get_many(connection, part).items():
            own = message.seq if message.conversation == conversation else 0
            yield ServedText(message.content, Origin.MESSAGE, max(first["message", number], own), message.speaker)
    for (kind, item), after in first.items():
        if kind == "summary" and item != conversation:
            for each in rolling_summaries.current(connection, [item]):
                yield ServedText(each.summary.text, Origin.SUMMARY, after, ANYBODY)


def _as_shown(connection: Connection, served_at: Mapping[int, Collection[int]]) -> Iterator[tuple[int, str, str]]:
    """The notes that were handed out with gaps, as they showed then: (note, text, speaker)."""
    rules = element_rows.fading(connection)
    for part in _parts(list(served_at) if rules.blurs else []):
        spans = element_rows.of_notes(connection, part)
        for number, note in note_rows.get_many(connection, part).items():
            times = served_at[number]
            shown = {
                masked_indexing.rendering(note.text, spans[number], at, rules, lasting=note.lasts).text for at in times
            }
            yield from ((number, text, note.speaker) for text in sorted(shown - {note.text}))


def _said(connection: Connection, conversation: int, first: int, last: int = _END) -> list[ServedText]:
    """The window: every message may be quoted back from the next one on."""
    rows = connection.execute(
        "SELECT content, seq, speaker FROM message WHERE conversation = ? AND seq BETWEEN ? AND ? AND pos IS NOT NULL "
        "ORDER BY seq DESC LIMIT ?",
        (conversation, first, last, _MOST_SAID),
    )
    return [ServedText(content, Origin.MESSAGE, seq, speaker) for content, seq, speaker in rows]


def _last_sources(connection: Connection, conversation: int, ids: list[int]) -> dict[int, int]:
    """The last place in the conversation that each note was made from."""
    found: dict[int, int] = {}
    for part in _parts(ids):
        found |= dict(
            connection.execute(  # CROSS: from the notes, or SQLite walks through the whole conversation
                "SELECT s.note, max(m.seq) FROM note_source s CROSS JOIN message m ON m.id = s.message "
                f"WHERE m.conversation = ? AND s.note {AMONG} GROUP BY s.note",
                (conversation, listed(part)),
            ).fetchall()
        )
    return found


def _parts(ids: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), _VARIABLES):
        yield ids[start : start + _VARIABLES]
