"""What a browser or curl is told: that no HTTP is spoken here, and what is; then the socket closes.

Read by `rpc/transport/line_framing.py`, which looks at the first bytes of a line, and by `connection.py`, which
answers.
"""

from __future__ import annotations

import re

BANNER = (
    b"This is soulmem. It speaks JSON-RPC 2.0, one JSON object per line, not HTTP: `soulmem http` does. "
    b'Try: {"jsonrpc":"2.0","id":1,"method":"system.hello"}\n'
)
HTTP_REFUSED = "HTTP is not spoken here"

_REQUEST = re.compile(rb"(?:GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE|PRI) ")


def speaks_http(buffer: bytes | bytearray, start: int) -> bool:
    """Whether the bytes from `start` on begin as a request of HTTP does."""
    return _REQUEST.match(buffer, start) is not None
