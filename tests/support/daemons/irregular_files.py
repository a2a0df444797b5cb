"""What is no file, laid down where a file belongs: a directory, a link that leads nowhere, a device, a socket."""

from __future__ import annotations

import socket
from pathlib import Path


def lay_directory(path: Path) -> None:
    path.mkdir()


def lay_dangling(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def lay_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def lay_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
