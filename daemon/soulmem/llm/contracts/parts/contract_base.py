"""What a contract is: the shape of an answer, the words of a prompt, and the code that distrusts both.

One per task, in the file named after it; the engine runs them all the same way: `variables` fill the prompt file,
the model's JSON is validated against `answer`, `read` checks and repairs what validation cannot see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import TaskRequest
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.contracts.parts.prompt_wording import language_for, sample

Q = TypeVar("Q", bound=TaskRequest)
A = TypeVar("A")
M = TypeVar("M", bound="Answer")


class Answer(BaseModel):
    """Base of every answer: unknown fields are passed over, never an error; text is stripped."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, frozen=True)


class RejectedAnswerError(ValueError):
    """A well-formed answer that cannot be used as it is; the text is sent back to the model once.

    `rest` is what could still be made of it, for when a second answer is no better; None if nothing.
    """

    def __init__(self, message: str, *, rest: Any = None) -> None:
        super().__init__(message)
        self.rest = rest


@dataclass(frozen=True, slots=True)
class Contract(Generic[Q, M, A]):
    """How one task is put to a model.

    `variables(request, language)` are those of the prompt file (text each); `read(answer, request)` turns a validated
    answer into the task's result, dropping what is wrong in parts, and raises `RejectedAnswerError` when nothing of it
    can be used; `texts(request)` are those whose language the prompt takes when the request names none.
    """

    task: Task
    answer: type[M]
    variables: Callable[[Q, str], Mapping[str, str]]
    read: Callable[[M, Q], A]
    texts: Callable[[Q], Iterable[str]]

    def sample(self, request: Q) -> str:
        """Enough of the texts to tell their language."""
        return sample(self.texts(request))

    def describe(self, request: Q) -> Mapping[str, str]:
        """The variables of the prompt file, in the language of the request."""
        return self.variables(request, language_for(request.language, [self.sample(request)]))
