"""Mem0's classes over the daemon's socket: code that was written for Mem0 runs when its import is changed.

>>> from soulmem.mem0 import Memory                                    # doctest: +SKIP
>>> memory = Memory()                                                  # doctest: +SKIP
>>> memory.add("I'm Alex and I prefer boutique hotels.", user_id="alex")  # doctest: +SKIP
>>> memory.search("Any hotel preferences?", user_id="alex")["results"]    # doctest: +SKIP

A client and nothing more; needs the standard library only. `docs/mem0.md` tells what maps to what.
"""

from __future__ import annotations

from soulmem.mem0.async_memory import AsyncMemory
from soulmem.mem0.blocking_memory import Memory
from soulmem.mem0.input_errors import Mem0ValidationError
from soulmem.mem0.memory_config import MemoryConfig

__all__ = ["AsyncMemory", "Mem0ValidationError", "Memory", "MemoryConfig"]
