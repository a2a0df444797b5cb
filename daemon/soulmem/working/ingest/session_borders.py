"""Session borders: where the talk that is heard late fell silent, and so where an epoch of it ends.

Who talks now falls silent by the clock, and digestion ends the epoch. What is imported is heard within a moment: there
the times of the messages tell, and a silence as long as one that sends a mind to sleep ends the epoch before the next
message enters. Called in the writer thread by `message_ingest` and `message_import`. Invariant: no epoch without a
message is ended.
"""

from __future__ import annotations

from soulmem.core.conversation.sliding_window import JobReason
from soulmem.store.conversation_state import window_state
from soulmem.store.index import embedding_backlog
from soulmem.store.messages.message_insert import Intake, Scene
from soulmem.store.messages.message_log import NewMessage
from soulmem.store.sqlite.driver import Connection


def end_by_silence(
    connection: Connection, intake: Intake, scene: Scene, new: NewMessage, silence_ms: int | None
) -> int | None:
    """End the open epoch if the message about to come was said further away from its last one than `silence_ms`.

    Returns the epoch that ended, or None. Silence before and after count alike: what was said a year earlier than the
    last message belongs to another talk, though it is heard after it.
    """
    if silence_ms is None or scene.before_at is None or abs(new.at - scene.before_at) <= silence_ms:
        return None
    return end_session(connection, intake, scene, new.arrived_at)


def end_session(connection: Connection, intake: Intake, scene: Scene, now: int) -> int | None:
    """End the open epoch of a conversation unless it holds no message: assign what is fresh, open the next; which."""
    state = scene.window
    if state is None or scene.before is None or scene.before_epoch != state.epoch:
        return None
    intake.settle(changes=True)
    plan, jobs = window_state.end_epoch(connection, scene.home, state, JobReason.IDLE, now)
    intake.jobs_are_at(max(jobs, default=0))
    embedding_backlog.enqueue(connection, [("message", scene.before, "context")])
    scene.window, scene.fresh_tokens, scene.markers = plan.state, 0, {}
    return state.epoch
