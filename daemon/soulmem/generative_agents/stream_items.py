"""Memories as objects: what was seen, concluded or intended, with how much it matters and when it was last thought of.

A memory is one before it is in any stream; its note is made when it is added to one. Importance and vector are worked
out when they are first asked for.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

import numpy as np

from soulmem.generative_agents.stream_session import StreamSession, current
from soulmem.ports import FloatVector

KINDS = {"observation": "episodic", "reflection": "reflection", "plan": "plan"}
KINDS |= {name[0].upper(): kind for name, kind in KINDS.items()}
_TENTHS = 10
_DAY_S = 86_400


class Memory:
    """One observation, reflection or plan."""

    def __init__(
        self,
        description: str,
        creation_timestamp: datetime,
        most_recent_access_timestamp: datetime,
        memory_type: str = "observation",
    ) -> None:
        """Args: memory_type: observation, reflection or plan, or the first letter of it.

        Raises ValueError: for another type.
        """
        if memory_type not in KINDS:
            raise ValueError(f"memory_type: {memory_type[:40]!r} is none of {', '.join(KINDS)}")
        self.description = description
        self.creation_timestamp = creation_timestamp
        self.most_recent_access_timestamp = most_recent_access_timestamp
        self.memory_type = memory_type
        self.key = uuid.uuid4().hex  # so that it is stored once, however often it is sent
        self.note: str | None = None  # the id of its note, once it is in a stream
        self._session = current()
        self._importance: float | None = None
        self._vector: FloatVector | None = None

    @property
    def kind(self) -> str:
        """The kind of its note."""
        return KINDS[self.memory_type]

    @property
    def day(self) -> int:
        """The day on which it was made, since 1970."""
        return int(self.creation_timestamp.timestamp() // _DAY_S)

    @property
    def importance(self) -> float:
        """How much it matters, 0.1 to 1."""
        if self._importance is None:
            self._importance = self.generate_importance_score(self.description)
        return self._importance

    @importance.setter
    def importance(self, value: float) -> None:
        self._importance = value

    @property
    def embedding_vector(self) -> FloatVector:
        if self._vector is None:
            self._vector = self.generate_embedding_vector(self.description)
        return self._vector

    @embedding_vector.setter
    def embedding_vector(self, value: FloatVector) -> None:
        self._vector = value

    def generate_embedding_vector(self, input_text: str) -> FloatVector:
        """The vector of a text, of unit length."""
        return np.asarray(self._session.embedder.embed([input_text])[0])

    def generate_importance_score(self, input_text: str) -> float:
        """How much a text matters: a rating from 1 to 10, as a tenth."""
        return min(_TENTHS, max(1, self._session.engine.rate(input_text))) / _TENTHS

    def belongs_to(self, session: StreamSession) -> None:
        self._session = session

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.description!r}, {self.memory_type!r})"


class Reflection(Memory):
    """What was concluded, with the places in the stream of the memories it rests on."""

    def __init__(
        self,
        description: str,
        creation_timestamp: datetime,
        most_recent_access_timestamp: datetime,
        pointers: Sequence[int],
    ) -> None:
        super().__init__(description, creation_timestamp, most_recent_access_timestamp, "reflection")
        self.pointers = list(pointers)
