"""Message insert: all that messages read and write on their way in, in one look and one statement for several of them.

Owns no table; it joins what `message_log`, `window_state`, `recall_records`, `vectors` and `fts` own. Each statement
costs the writer thread several turns of the interpreter's lock, which is dearer than the SQL itself, so fifteen of them
a message would hold up everybody. So the conversations concerned are looked at once, what each message changes is
carried on here, and all rows go into a temporary view whose trigger writes the tables. What is known of a conversation
afterwards is kept for the next message. Invariant: what is kept is what a look would find, for it counts only while no
row of the file was written or withdrawn by anybody else since (`Scenes`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain

from soulmem.core.conversation.sliding_window import JobRange, Marker, PushPlan, WindowState, live_markers, surviving
from soulmem.core.schema.note_requests import Role
from soulmem.fast_dataclasses import dataclass
from soulmem.store.conversation_state import window_state
from soulmem.store.messages import conversations, message_log
from soulmem.store.messages.message_log import SEARCHABLE, NewMessage
from soulmem.store.sqlite.driver import Connection

_VIEW = (
    "message", "conversation", "seq", "pos", "client_id", "role", "speaker", "content", "at", "arrived_at", "marker",
    "boundary", "epoch", "tokens", "terms", "mood", "attributes",
    "request_hash", "hash",
    "searchable", "before",
    "capacity", "win_lo", "block_origin", "hwm", "max_pos", "next_epoch", "fresh_tokens",
    "recall", "k", "at_exp", "turn",
    "job", "job_lo", "job_hi", "job_reason",
)  # fmt: skip

_TRIGGER = """
CREATE TEMP TRIGGER IF NOT EXISTS hear_message INSTEAD OF INSERT ON heard BEGIN
  INSERT INTO message (id, conversation, seq, pos, client_id, role, speaker, content, at, arrived_at, marker, boundary,
    epoch, tokens, terms, mood, attributes, request_hash, hash)
  VALUES (NEW.message, NEW.conversation, NEW.seq, NEW.pos, NEW.client_id, NEW.role, NEW.speaker, NEW.content, NEW.at,
    NEW.arrived_at, NEW.marker, NEW.boundary, NEW.epoch, NEW.tokens, NEW.terms, NEW.mood, NEW.attributes,
    NEW.request_hash, NEW.hash);
  UPDATE conversation SET next_seq = NEW.seq + 1, user_turns = user_turns + (NEW.role = 'user')
    WHERE id = NEW.conversation;
  UPDATE window SET capacity = NEW.capacity, win_lo = NEW.win_lo, block_origin = NEW.block_origin, hwm = NEW.hwm,
    max_pos = NEW.max_pos, epoch = NEW.next_epoch, fresh_tokens = NEW.fresh_tokens
    WHERE conversation = NEW.conversation AND NEW.pos IS NOT NULL;
  INSERT INTO search_pending (item) SELECT NEW.message WHERE NEW.searchable;
  INSERT INTO embed_pending (kind, item, variant) SELECT 'message', NEW.message, 'self' WHERE NEW.searchable;
  INSERT INTO embed_pending (kind, item, variant)
    SELECT 'message', NEW.before, 'context' WHERE NEW.searchable AND NEW.before IS NOT NULL
    ON CONFLICT DO UPDATE SET asked = asked + 1;
  INSERT INTO recall (id, message, query, depth, k, state, at, at_exp)
    SELECT NEW.recall, NEW.message, NEW.content, 'normal', NEW.k, 'pending', NEW.arrived_at, NEW.at_exp
    WHERE NEW.recall IS NOT NULL;
  INSERT INTO recall_epoch (conversation, epoch, recall, turn)
    SELECT NEW.conversation, NEW.epoch, NEW.recall, NEW.turn WHERE NEW.recall IS NOT NULL;
  INSERT INTO summary_job (id, conversation, epoch, lo, hi, reason, created_at)
    SELECT NEW.job, NEW.conversation, NEW.epoch, NEW.job_lo, NEW.job_hi, NEW.job_reason, NEW.arrived_at
    WHERE NEW.job IS NOT NULL;
END"""

_LOOK = """
SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'message'),
  (SELECT seq FROM sqlite_sequence WHERE name = 'recall'),
  (SELECT seq FROM sqlite_sequence WHERE name = 'summary_job'),
  c.id, c.name, c.next_seq, c.user_turns,
  w.capacity, w.win_lo, w.block_origin, w.hwm, w.max_pos, w.epoch, w.fresh_tokens,
  (SELECT group_concat(pos || ' ' || marker) FROM message
    WHERE conversation = c.id AND marker <> 'none' AND pos BETWEEN w.win_lo AND w.max_pos),
  p.id, p.hash, p.at, p.epoch,
  EXISTS (SELECT 1 FROM message WHERE conversation = c.id AND client_id = 'm' || c.next_seq)
FROM (SELECT 1) LEFT JOIN conversation c ON c.name IN ({names}) LEFT JOIN window w ON w.conversation = c.id
LEFT JOIN message p ON p.id = (SELECT id FROM message WHERE conversation = c.id AND seq < c.next_seq AND deleted = 0
  AND role IN ('user', 'assistant') ORDER BY seq DESC LIMIT 1)"""

_KEPT = 64  # conversations
MOST_ROWS = 16  # in one statement; each has its own prepared text


@dataclass(slots=True)
class Scene:
    """A conversation as its next message finds it; every message that is put into it moves it on.

    `window` is None before the first message of a user or assistant; `before`: the searchable message right before,
    which now gets its later neighbour, with its content hash, the time it was said and its epoch; `taken`: a client
    chose our next name for a message of its own.
    """

    home: int
    name: str
    seq: int
    user_turns: int
    window: WindowState | None
    fresh_tokens: int
    markers: dict[int, Marker]
    before: int | None
    before_hash: bytes | None
    before_at: int | None
    before_epoch: int | None
    taken: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """The recall that a user's message causes. `at_exp`: experienced milliseconds."""

    k: int
    at_exp: int


@dataclass(frozen=True, slots=True)
class Entered:
    """A message that was put in: its row, its id (the client's, else `m<seq>`), its number.

    `recall` is the one that it causes, `job` that of the summary that it brought about.
    """

    message: int
    name: str
    seq: int
    recall: int | None
    job: int | None


class TooMuchError(Exception):
    """What was to be one statement needs more; nothing was written."""


def prepare(connection: Connection) -> None:
    """Give a writing connection the view that messages are inserted into; it lasts as long as the connection."""
    nulls = ", ".join(["NULL"] * len(_VIEW))
    connection.execute(f"CREATE TEMP VIEW IF NOT EXISTS heard ({', '.join(_VIEW)}) AS SELECT {nulls}")
    connection.execute(_TRIGGER)


class Scenes:
    """Conversations as the last intake left them, and the numbers it gave last; used by the writer thread alone.

    The one connection that writes counts the rows it changed since it was opened, those that triggers changed and those
    of rolled back statements included, and its database counts what it withdrew. While both stand where the intake left
    them, nothing that a look reads can have changed.
    """

    __slots__ = ("_mark", "job", "known", "message", "recall")

    def __init__(self) -> None:
        self.known: OrderedDict[str, Scene] = OrderedDict()
        self.message = self.recall = self.job = 0
        self._mark: tuple[int, int] | None = None  # None: an intake is under way, or failed

    def resume(self, connection: Connection, withdrawn: int) -> None:
        """Forget what is not certain any more; until `hold` nothing is."""
        if self._mark != (connection.total_changes, withdrawn):
            self.known.clear()
        self._mark = None

    def hold(self, connection: Connection, withdrawn: int) -> None:
        """The intake has written all it put in."""
        while len(self.known) > _KEPT:
            self.known.popitem(last=False)
        self._mark = (connection.total_changes, withdrawn)

    def forget(self) -> bool:
        """Know nothing any more; False when that was so already."""
        knew, self._mark = bool(self.known), None
        self.known.clear()
        return knew


class Intake:
    """Messages of one step of a transaction; `write` must come before anything else reads or changes their rows.

    `is_whole`: all, `MOST_ROWS` at most, must go in by one statement, so that no transaction is needed around it; what
    would take more raises `TooMuchError`, and nothing was written then.
    """

    def __init__(
        self, connection: Connection, conversations: Iterable[str], scenes: Scenes, *, is_whole: bool = False
    ) -> None:
        self._connection = connection
        self._scenes = scenes
        self._is_whole = is_whole
        self._rows: list[tuple[object, ...]] = []
        wanted = dict.fromkeys(conversations)
        for name in wanted:
            if name in scenes.known:
                scenes.known.move_to_end(name)
        if unknown := [name for name in wanted if name not in scenes.known]:
            self._look(unknown)

    def scene(self, conversation: str, new: NewMessage, capacity: int) -> Scene:
        """The conversation of a message; it and the window that the message enters are made if they are missing."""
        scene = self._scenes.known.get(conversation)
        if scene is None or (scene.window is None and new.role is not Role.SYSTEM):
            self.settle(changes=True)
            home = conversations.ensure_conversation(self._connection, conversation, new.arrived_at)
            if new.role is not Role.SYSTEM:
                window_state.ensure(self._connection, home.id, capacity, new.arrived_at)
            self._look((conversation,))
            scene = self._scenes.known[conversation]
        return scene

    def put(
        self,
        scene: Scene,
        new: NewMessage,
        plan: PushPlan | None,
        fresh_tokens: int,
        asked: Asked | None,
        job: JobRange | None = None,
    ) -> Entered:
        """Append a message as `plan` says (None: it enters no window).

        With it go its conversation and window, what is to be indexed and embedded, the recall it causes, and the job
        that it brought about, which must be of its own epoch.
        """
        name = new.client_id or self._free_name(scene)
        searchable = new.role in SEARCHABLE
        scenes = self._scenes
        scenes.message += 1
        scenes.recall += asked is not None
        scenes.job += job is not None
        state = plan.state if plan else None
        # Plain types: what is only derived from one costs the driver a search for an adapter.
        role, marker = str(new.role), str(plan.marker if plan else Marker.NONE)
        proof = message_log.content_hash(scene.home, scene.seq, new.role, new.speaker, new.content, new.at)
        self._rows.append((
            scenes.message, scene.home, scene.seq, plan.pos if plan else None, name, role, new.speaker,
            new.content, new.at, new.arrived_at, marker, int(plan.boundary) if plan else 0,
            plan.epoch if plan else scene.window.epoch if scene.window else 1,
            new.tokens, new.terms, new.mood, new.attributes, new.request_hash,
            proof, int(searchable), scene.before,
            *((state.capacity, state.win_lo, state.block_origin, state.hwm, state.max_pos, state.epoch, fresh_tokens)
              if state else _NO_WINDOW),
            *((scenes.recall, asked.k, asked.at_exp, scene.user_turns + 1) if asked else _NO_RECALL),
            *((scenes.job, job.lo, job.hi, str(job.reason)) if job else _NO_JOB),
        ))  # fmt: skip
        entered = Entered(
            scenes.message, name, scene.seq, scenes.recall if asked else None, scenes.job if job else None
        )
        scene.seq += 1
        scene.user_turns += new.role is Role.USER
        scene.taken = False  # should it be, the row is refused, and its message stored after a new look
        if searchable:
            scene.before, scene.before_hash = scenes.message, proof
            scene.before_at, scene.before_epoch = new.at, plan.epoch if plan else None
        if plan is not None:
            scene.markers = surviving(scene.markers, plan)
            scene.window, scene.fresh_tokens = plan.state, fresh_tokens
        return entered

    def jobs_are_at(self, last: int) -> None:
        """Somebody else put jobs in, up to this number: the next one goes behind them."""
        self._scenes.job = max(self._scenes.job, last)

    def settle(self, *, changes: bool = False) -> None:
        """Write what was put in so far, because somebody is about to read it there, or with `changes` to write more.

        Raises:
            TooMuchError: where all must go in by one statement.
            IntegrityError: as `write`.
        """
        if self._is_whole and (changes or self._rows):
            raise TooMuchError
        self.write()

    def write(self) -> None:
        """Write what was put in since the last time.

        Raises IntegrityError: of the driver, when an id is taken; the rows of that statement are not written then.
        """
        rows, self._rows = self._rows, []
        for first in range(0, len(rows), MOST_ROWS):
            part = rows[first : first + MOST_ROWS]
            self._connection.execute(_insert(len(part)), tuple(chain.from_iterable(part)))

    def _look(self, names: Sequence[str]) -> None:
        for row in self._connection.execute(_look(len(names)), names).fetchall():
            self._scenes.message, self._scenes.recall, self._scenes.job = (number or 0 for number in row[:3])
            if row[3] is None:
                return  # none of them is known yet
            self._scenes.known[row[4]] = Scene(
                row[3], row[4], row[5], row[6],
                WindowState(*row[7:13]) if row[7] is not None else None,
                row[13] or 0,
                _markers(row[14]) if row[14] is not None else {},
                row[15],
                row[16],
                row[17],
                row[18],
                bool(row[19]),
            )  # fmt: skip

    def _free_name(self, scene: Scene) -> str:
        name = f"m{scene.seq}"
        taken = scene.taken
        while taken:
            name += "'"
            taken = message_log.by_client_id(self._connection, scene.home, name) is not None
        return name


_NO_WINDOW = (None,) * 7
_NO_RECALL = (None,) * 4
_NO_JOB = (None,) * 4


@cache
def _insert(rows: int) -> str:
    marks = f"({', '.join('?' * len(_VIEW))})"
    return f"INSERT INTO heard ({', '.join(_VIEW)}) VALUES {', '.join([marks] * rows)}"


@cache
def _look(names: int) -> str:
    return _LOOK.format(names=", ".join("?" * names))


def _markers(listed: str) -> dict[int, Marker]:
    return live_markers((int(pos), marker) for pos, marker in map(str.split, listed.split(",")))
