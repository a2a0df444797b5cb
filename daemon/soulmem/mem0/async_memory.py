"""`AsyncMemory`: the methods as coroutines. Any number of tasks of a loop share one connection; a loop has its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from soulmem.client.asynchronous import AsyncClient
from soulmem.client.faults import CallTimeout, SoulmemRemoteError
from soulmem.mem0.memory_config import MemoryConfig
from soulmem.mem0.memory_methods import MemoryMethods
from soulmem.mem0.wire_steps import Steps, as_input_error


class AsyncMemory(MemoryMethods[Coroutine[Any, Any, Any]]):
    """The same as `Memory`, with `await`.

    >>> async with AsyncMemory() as memory:                                # doctest: +SKIP
    ...     await memory.add("I'm Alex and I prefer boutique hotels.", user_id="alex")
    """

    def __init__(self, config: MemoryConfig | Mapping[str, Any] | None = None) -> None:
        super().__init__(config)
        self._client: AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def aclose(self) -> None:
        """Close the connection; the next call opens a new one."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def close(self) -> None:
        await self.aclose()

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _connected(self) -> AsyncClient:
        """The client of the running loop: what belongs to a loop that has ended is of no use in another."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = AsyncClient(self.config.socket, timeout=self.config.timeout), loop
        return self._client

    async def _run(self, steps: Steps[Any]) -> Any:
        client = self._connected()
        try:
            call = next(steps)
            while True:
                try:
                    result = await client.call(call.method, call.params, timeout=call.timeout, retry=call.retry)
                except (SoulmemRemoteError, CallTimeout) as error:
                    call = steps.throw(error)
                else:
                    call = steps.send(result)
        except StopIteration as end:
            return end.value
        except SoulmemRemoteError as error:
            raise as_input_error(error) from error
