"""`Memory`: the methods as calls that wait. Any number of threads may share one; each call has a connection alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from soulmem.client.blocking import Client
from soulmem.client.faults import CallTimeout, SoulmemRemoteError
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.memory_methods import MemoryMethods
from soulmem.mem0.wire_steps import Steps, as_input_error


class Memory(MemoryMethods[Any]):
    """A memory in the daemon, with Mem0's methods. It connects with its first call.

    >>> with Memory() as memory:                                           # doctest: +SKIP
    ...     memory.add("I'm Alex and I prefer boutique hotels.", user_id="alex")
    ...     memory.search("hotels?", filters={"user_id": "alex"})["results"][0]["memory"]
    """

    def __init__(self, config: MemoryConfig | Mapping[str, Any] | None = None) -> None:
        super().__init__(config)
        self._lock = threading.Lock()
        self._idle: list[Client] = []

    def close(self) -> None:
        """Close the connections; the next call opens a new one."""
        with self._lock:
            idle, self._idle = self._idle, []
        for client in idle:
            client.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _client(self) -> Iterator[Client]:
        with self._lock:
            client = self._idle.pop() if self._idle else Client(self.config.socket, timeout=self.config.timeout)
        try:
            yield client
        except (SoulmemRemoteError, ValueError):  # it was answered: the connection is as good as before
            with self._lock:
                self._idle.append(client)
            raise
        except BaseException:
            client.close()
            raise
        with self._lock:
            self._idle.append(client)

    def _run(self, steps: Steps[Any]) -> Any:
        with self._client() as client:
            try:
                call = next(steps)
                while True:
                    try:
                        result = client.call(call.method, call.params, timeout=call.timeout, retry=call.retry)
                    except (SoulmemRemoteError, CallTimeout) as error:
                        call = steps.throw(error)
                    else:
                        call = steps.send(result)
            except StopIteration as end:
                return end.value
            except SoulmemRemoteError as error:
                raise as_input_error(error) from error
