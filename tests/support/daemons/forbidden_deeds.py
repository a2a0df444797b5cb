"""What a daemon under our unit has no business with, each tried for real: run as a program, it prints what happened.

The output is one JSON object, `{"deed": "refused: <error>" | "done"}`. It is run beside the daemon, under the same
restrictions, so that "the daemon runs under them" says something.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import socket
import sys
import time
from collections.abc import Callable

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWUSER = 0x10000000
_PER_LINUX32 = 0x0008
_PTRACE_TRACEME = 0


def _checked(result: int) -> None:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def write_and_execute() -> None:
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def make_executable() -> None:
    page = mmap.mmap(-1, 4096)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    _checked(_LIBC.mprotect(ctypes.c_void_p(address), 4096, mmap.PROT_READ | mmap.PROT_EXEC))


def write_usr() -> None:
    os.close(os.open("/usr/soulmem-was-here", os.O_CREAT | os.O_WRONLY))


def write_etc() -> None:
    os.close(os.open("/etc/soulmem-was-here", os.O_CREAT | os.O_WRONLY))


def see_home() -> None:
    if not os.listdir("/root"):
        raise OSError(errno.ENOENT, "empty")


def see_others() -> None:
    os.stat("/proc/1/status")


def write_kernel_setting() -> None:
    with open("/proc/sys/kernel/hostname", "w") as setting:
        setting.write("soulmem")


def open_disk() -> None:
    os.mknod("/tmp/disk", 0o600 | 0o060000, os.makedev(254, 0))


def packet_socket() -> None:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()


def netlink_socket() -> None:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()


def internet_socket() -> None:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def reach_out() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.sendto(b"x", ("192.0.2.1", 9))  # a network for documentation: nobody is there


def new_namespace() -> None:
    _checked(_LIBC.unshare(_CLONE_NEWUSER))


def set_user_id_bit() -> None:
    path = os.path.join(os.environ["STATE_DIRECTORY"], "bit")
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    try:
        os.chmod(path, 0o4700)
    finally:
        os.unlink(path)


def real_time() -> None:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def other_personality() -> None:
    _checked(_LIBC.personality(_PER_LINUX32))


def trace() -> None:
    _checked(_LIBC.ptrace(_PTRACE_TRACEME, 0, None, None))


def mount() -> None:
    _checked(_LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None))


def become_root() -> None:
    os.setuid(0)


def set_clock() -> None:
    time.clock_settime(time.CLOCK_REALTIME, time.time())


def more_files() -> None:
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1 << 20, 1 << 20))
    except ValueError as error:
        raise OSError(errno.EPERM, "limited") from error


def core_file() -> None:
    if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0):
        raise OSError(errno.EPERM, "no core files")


def readable_by_others() -> None:
    path = os.path.join(os.environ["STATE_DIRECTORY"], "open")
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o666))
    mode = os.stat(path).st_mode & 0o777
    os.unlink(path)
    if mode == 0o600:
        raise OSError(errno.EPERM, "closed by the mask")


DEEDS: tuple[Callable[[], None], ...] = (
    write_and_execute, make_executable, write_usr, write_etc, see_home, see_others, write_kernel_setting, open_disk,
    packet_socket, netlink_socket, internet_socket, reach_out, new_namespace, set_user_id_bit, real_time,
    other_personality, trace, mount, become_root, set_clock, more_files, core_file, readable_by_others,
)  # fmt: skip


def main() -> None:
    done = {}
    for deed in DEEDS:
        try:
            deed()
        except OSError as error:
            done[deed.__name__] = f"refused: {errno.errorcode.get(error.errno or 0, error.errno)}"
        else:
            done[deed.__name__] = "done"
    sys.stderr.write(json.dumps({"event": "deeds", "level": "info", **done}) + "\n")


if __name__ == "__main__":
    main()
