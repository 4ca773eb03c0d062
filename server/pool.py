"""Processes that compute, a few of them, and the line of questions before them."""

import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .encode import encode
from .faults import RefusedError
from .settings import Settings

QUICK_SECONDS = 30.0  # what a question may take for which everything is stored


@dataclass
class Task:
    """A question for a solver: `told` is called with the progress, `done` with the status and the JSON text, both in
    another thread. `quick`: it is not expected to take long, and stopped if it does."""

    name: str
    ask: dict[str, Any]
    quick: bool
    told: Callable[[float], None]
    done: Callable[[int, str], None]


class Pool:
    """Solvers, of which the first takes quick questions only: those do not wait for long ones to end."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self._ready = threading.Condition()
        self._lines: dict[bool, deque[Task]] = {True: deque(), False: deque()}
        self._closed = False
        self._processes: dict[int, subprocess.Popen[str]] = {}
        self._threads = [
            threading.Thread(target=self._work, args=(number,), daemon=True) for number in range(settings.solvers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Task) -> None:
        """Puts a question in line; `RefusedError` where that is full."""
        with self._ready:
            line = self._lines[task.quick]
            if len(line) >= self.settings.line or self._closed:
                raise RefusedError(
                    503, f"server: expected at most {self.settings.line} questions in line, found more; ask again later"
                )
            line.append(task)
            self._ready.notify_all()

    def close(self) -> None:
        """Ends the processes, whatever they do."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()
            processes = list(self._processes.values())
        for process in processes:
            process.kill()
        for thread in self._threads:
            thread.join(timeout=5)

    def _next(self, number: int) -> Task | None:
        """The next task of a solver, once there is one; None at the end."""
        quick_only = number == 0 and self.settings.solvers > 1
        lines = [self._lines[quick] for quick in ((True,) if quick_only else (number == 0, number != 0))]
        with self._ready:
            self._ready.wait_for(lambda: self._closed or any(lines))
            return None if self._closed else next(line for line in lines if line).popleft()

    def _work(self, number: int) -> None:
        while task := self._next(number):
            status, text = self._ask(number, task)
            if not self._closed:
                task.done(status, text)
        process = self._processes.pop(number, None)
        if process:
            _end(process)

    def _ask(self, number: int, task: Task) -> tuple[int, str]:
        """The answer of a solver, which is ended if it takes too long."""
        seconds = QUICK_SECONDS if task.quick else self.settings.seconds
        process = self._process(number)
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            return self._talk(process, task)
        except (OSError, ValueError):  # ValueError: a line cut off
            _end(process)
            if late.is_set():
                message = f"server: expected a question that takes at most {seconds:g} s, found one that takes longer"
                return 504, encode({"error": message})
            return 500, encode({"error": "server: expected an answer of a solver, found that it ended"})
        finally:
            timer.cancel()

    def _talk(self, process: "subprocess.Popen[str]", task: Task) -> tuple[int, str]:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps([task.name, task.ask]) + "\n")
        process.stdin.flush()
        while True:
            kind, *values = json.loads(process.stdout.readline())
            if kind == "answer":
                return int(values[0]), str(values[1])
            if kind == "progress":
                task.told(float(values[0]))

    def _process(self, number: int) -> "subprocess.Popen[str]":
        """The process of a solver, started when it is first needed, and again when it has ended."""
        with self._ready:
            process = self._processes.get(number)
            if process is None or process.poll() is not None:
                process = self._processes[number] = subprocess.Popen(
                    [sys.executable, "-m", "servida.server.solver", self.settings.to_json()],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                    errors="surrogatepass",
                    process_group=0,  # Ctrl-C is for the server; a session of its own would not be nice to it
                )
            return process


def _end(process: "subprocess.Popen[str]") -> None:
    """Ends a process."""
    process.kill()
    with suppress(BrokenPipeError):  # what it was not told any more
        process.communicate()
