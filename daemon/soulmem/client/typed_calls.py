"""`Calls` as each client inherits it; what its methods return is typed in the stub beside it.

The stub is generated from `schemas/rpc` (`client/stub_writer.py`): one blocks, the other is awaited.
"""

from __future__ import annotations

from soulmem.client.calls import Calls as AwaitedCalls
from soulmem.client.calls import Calls as BlockingCalls

__all__ = ["AwaitedCalls", "BlockingCalls"]
