"""Daemons started warm: forked from a process that has read all of soulmem's modules already.

Most of a start is reading modules and tables, and the tests start hundreds of daemons. One started so is a process of
its own like any other, with its own environment, log and exit; only the reading is done once. `daemon_fixture` starts
them so where `WARM` is set, which the suite does. Whatever dies in tests/crash was started as users start it, and so is
whatever the tests of the command line and of refused starts run.

Run as a program this is the process that is forked. It is asked over a socket, one JSON object a packet: to start
`soulmem`, whose files come along as descriptors, or how one ended. Processes that run tests beside each other share
one (`shared`).
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import inspect
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

WARM = "SOULMEM_WARM_START"  # set: daemons are forked; to the abstract address of the process they share, or to `ALONE`
ALONE = "1"
_AT = os.environ.get(WARM, ALONE)  # as it was when this process began
_PACKET_BYTES = 65_536
_LATE = (  # what a daemon loads when it runs
    "anyio._backends._asyncio",
    "apscheduler.executors.asyncio",
    "apscheduler.schedulers.asyncio",
    "apscheduler.triggers.interval",
    "encodings.ascii",
    "encodings.idna",
    "h11",
    "httpcore2",
    "numpy.ma",
    "openai.resources.chat.completions",
    "openai.types.chat",
    "truststore",
    "typer._click.decorators",
)
_TABLES_IN = tuple(f"soulmem.core.{room}." for room in ("changes", "facts", "grounding", "questions", "text"))
_FIRST_FILE = 3  # behind input, output and errors


class WarmProcess:
    """What tests use of `subprocess.Popen`, for a daemon that is somebody else's child."""

    def __init__(self, nursery: _Nursery, pid: int) -> None:
        self._nursery = nursery
        self.pid = pid
        self.returncode: int | None = None
        self._ended = os.pidfd_open(pid)

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], 0)[0]:
            self.returncode = self._nursery.ask({"ended": self.pid})["code"]
            os.close(self._ended)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Raises: TimeoutExpired: of `subprocess`."""
        if self.returncode is None and not select.select([self._ended], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("soulmem daemon", timeout or 0.0)
        code = self.poll()
        assert code is not None
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class _Owned:
    """The process that daemons are forked from. It ends when this end of its connection is closed."""

    def __init__(self, *listening: socket.socket) -> None:
        self.asked, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            handed = (theirs.fileno(), *(each.fileno() for each in listening))
            self._process = subprocess.Popen([sys.executable, __file__, *map(str, handed)], pass_fds=handed)

    def end(self) -> None:
        self.asked.close()
        self._process.wait(10)


@contextlib.contextmanager
def shared(*, at_once: bool = False) -> Iterator[None]:
    """One process to fork from for all that are started within; it begins when the first of them asks.

    `at_once`: it begins now, for somebody will ask for certain.
    """
    name = f"soulmem-nursery-{os.getpid()}"
    owned: list[_Owned] = []
    over, ending = os.pipe()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(f"\0{name}")
        listener.listen()

        def begin() -> None:
            if at_once or listener in select.select([listener, over], [], [])[0]:
                owned.append(_Owned(listener))

        waiting = threading.Thread(target=begin)
        waiting.start()
        os.environ[WARM] = name
        try:
            yield
        finally:
            os.environ[WARM] = ALONE
            os.close(ending)
            waiting.join()
            os.close(over)
            for each in owned:
                each.end()


class _Nursery:
    """The process that daemons are forked from, seen from the tests."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        if _AT != ALONE:
            self._ours = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._ours.connect(f"\0{_AT}")
            atexit.register(self._ours.close)
        else:
            owned = _Owned()
            self._ours = owned.asked
            atexit.register(owned.end)

    def ask(self, request: dict[str, Any], files: tuple[int, ...] = ()) -> dict[str, Any]:
        with self._turn:
            socket.send_fds(self._ours, [json.dumps(request).encode()], files)
            answer = self._ours.recv(_PACKET_BYTES)
        assert answer, "the process that daemons are forked from has ended"
        found: dict[str, Any] = json.loads(answer)
        return found


@functools.cache
def _nursery() -> _Nursery:
    return _Nursery()


def start(arguments: list[str], environment: dict[str, str], log: Path, uid: int | None = None) -> WarmProcess:
    """Start `soulmem` with these arguments, as a certain user; what it prints is appended to `log`."""
    with Path(os.devnull).open("rb") as nothing, log.open("ab") as file:
        return _forked(arguments, environment, (nothing, file, file), uid)


def run(
    arguments: list[str], environment: dict[str, str], *, said: bytes = b"", timeout: float = 60.0
) -> subprocess.CompletedProcess[bytes]:
    """Run `soulmem` to its end with these arguments and this input.

    Raises: TimeoutExpired: of `subprocess`; it is killed.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        given.write(said)
        given.seek(0)
        process = _forked(arguments, environment, (given, out, errors))
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        out.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, code, out.read(), errors.read())


def _forked(
    arguments: list[str], environment: dict[str, str], files: tuple[IO[bytes], ...], uid: int | None = None
) -> WarmProcess:
    nursery = _nursery()
    request = {"start": arguments, "environment": environment, "directory": str(Path.cwd()), "uid": uid}
    return WarmProcess(nursery, nursery.ask(request, tuple(file.fileno() for file in files))["pid"])


# -- the process that is forked ----------------------------------------------------------------------------------


def _read_all_modules() -> None:
    # as `soulmem.cli.commands.daemon_command` has it, before NumPy is loaded
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    soulmem = importlib.import_module("soulmem")
    pattern_cache = importlib.import_module("soulmem.ops.process.pattern_cache")
    pattern_cache.load()
    for module in pkgutil.walk_packages(soulmem.__path__, "soulmem."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    importlib.import_module("soulmem.core.regex.lazy_regex").compile_all()
    pattern_cache.save()
    importlib.import_module("soulmem.core.questions.question_concepts").prepare()
    _build_tables()
    for schema in ("mind", "catalog"):
        importlib.import_module("soulmem.store.sqlite.migrations").begun(schema)
    for late in _LATE:
        importlib.import_module(late)
    _build_shapes(importlib.import_module("pydantic").BaseModel)
    gc.freeze()  # shared with the children for as long as nobody collects it


def _build_tables() -> None:
    """What is made of lists of words when it is first needed: functions of nothing, whose answer is kept."""
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.startswith(_TABLES_IN) else ():
            if isinstance(value, functools._lru_cache_wrapper) and not inspect.signature(value).parameters:
                value()


def _build_shapes(base: Any) -> None:
    """What a shape of the protocol is made into when it is first needed."""
    for shape in base.__subclasses__():
        if shape.__module__.startswith("soulmem."):
            shape.model_rebuild()
        _build_shapes(shape)


def _serve(owner: socket.socket, listeners: list[socket.socket]) -> bool:
    """Answer until the tests are over; True in a child, which is to become a daemon."""
    asking = [owner]
    while True:
        for ready in select.select([*asking, *listeners], [], [])[0]:
            if ready in listeners:
                asking.append(ready.accept()[0])
                continue
            packet, files, *_ = socket.recv_fds(ready, _PACKET_BYTES, 3)
            if packet:
                if _is_child(ready, json.loads(packet), files):
                    for each in (*asking, *listeners):
                        each.detach()  # closed already
                    return True
            elif ready is owner:
                return False
            else:
                asking.remove(ready)
                ready.close()


def _is_child(asked: socket.socket, request: dict[str, Any], files: list[int]) -> bool:
    """Do what is asked; True in a child."""
    if "ended" in request:
        code = os.waitstatus_to_exitcode(os.waitpid(request["ended"], 0)[1])
        asked.send(json.dumps({"code": code}).encode())
        return False
    pid = os.fork()
    if pid == 0:
        _become(request, files)
        return True
    for file in files:
        os.close(file)
    asked.send(json.dumps({"pid": pid}).encode())
    return False


def _become(request: dict[str, Any], files: list[int]) -> None:
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(_FIRST_FILE, os.sysconf("SC_OPEN_MAX"))
    os.chdir(request["directory"])
    os.environ.clear()
    os.environ.update(request["environment"])
    time.tzset()
    if (uid := request["uid"]) is not None:
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["soulmem", *request["start"]]


def _end_with(run: Callable[[], None]) -> None:
    """Run it and end with its exit code, but leave all that was read where it is.

    To take it apart, object by object, is to copy what is shared with the other daemons: a third of a short life.
    """
    code: object = 1
    try:
        run()
        code = 0
    except SystemExit as leaving:
        code = leaving.code
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # as the interpreter does: it waits for other threads
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests; they end this
    owner, *listeners = (socket.socket(fileno=int(each)) for each in sys.argv[1:])
    _read_all_modules()
    if _serve(owner, listeners):
        _end_with(importlib.import_module("soulmem.cli.main").run)


if __name__ == "__main__":
    _main()
