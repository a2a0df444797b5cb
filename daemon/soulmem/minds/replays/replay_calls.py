"""Replay calls: a night is taken back for a client, in one transaction, once under the client's key.

Called by the methods of the protocol. Invariant: all that the night did is taken back or nothing is, and the index says
of each note what the file says.
"""

from __future__ import annotations

from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.errors import ErrorName, SoulmemError
from soulmem.minds.mind_api import Mind
from soulmem.minds.note_calls import Found
from soulmem.store.notes import note_index_rows, note_rows
from soulmem.store.notes.note_rows import Note
from soulmem.store.revision import note_merging, replay_undo
from soulmem.store.revision.replay_undo import TakenBack
from soulmem.store.sqlite.driver import Connection
from soulmem.store.sqlite.row_hash import private_id, public_id


async def undo_night(mind: Mind, job_id: str | None, key: str | None) -> Found:
    """Take back what the mind did in a night: that of this job, or the last one.

    Raises SoulmemError: `not_found` where nothing of it can be taken back.
    """
    number = private_id("j", job_id) if job_id is not None else None
    forgetting, clock = mind.life.settings().forgetting, mind.world.clock
    back: list[TakenBack] = []
    living: list[Note] = []

    def run(connection: Connection) -> Found:
        night = replay_undo.night_of(connection, number)
        if night is None:
            message = "there is no night to take back" if number is None else f"nothing of {job_id} can be taken back"
            raise SoulmemError(
                ErrorName.NOT_FOUND, message, hint="job.list tells which nights there were; an old one stays"
            )
        now, now_exp = clock.now_ms(), mind.memory.now(clock.trusted_now_ms())
        moment = note_merging.moment(forgetting.tombstone_days, forgetting.delete_below, now, now_exp)
        done = replay_undo.undo(connection, night, moment)
        back[:] = [done]
        found = note_rows.get_many(connection, sorted(done.changed - done.gone)).values()
        living[:] = [note for note in found if note.lifecycle != note_rows.FORGOTTEN]
        return {
            "job": public_id("j", night), "regions": done.regions, "links": done.links, "concluded": done.concluded,
            "ended": done.ended, "merged": done.merged, "rephrased": done.rephrased, "retagged": done.retagged,
        }  # fmt: skip

    def after(_: Found) -> None:
        (done,) = back
        mind.memory.follow(lambda index: _follow(index, done, living))
        mind.workers.absorbing.wake()
        notes = done.concluded + done.ended + done.merged + done.rephrased + done.retagged
        mind.world.emit("replay_undone", mind=mind.name, regions=done.regions, links=done.links, notes=notes)

    return await mind.keep("replay.undo", run, key=key, request=job_id, after=after)


def _follow(index: SearchIndex, done: TakenBack, living: list[Note]) -> None:
    for number in done.gone:
        index.remove(ItemKind.NOTE, number)
    note_index_rows.put(index, living)
    for note in living:
        index.set_homes(note.id, note.homes)
