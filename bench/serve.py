"""Hints over HTTP: answers a second and how long they take, alone and beside clients that send nothing but garbage.

python bench/serve.py [--seconds 10] [--connections 8] [--garbage 200] [--options 0]

Starts `servida serve` at a free port and drives it over connections that are kept, each of which asks again when it is
answered, from processes of its own. Those share the cores with the server.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections import Counter

import numpy as np
from hints import random_positions
from pairs import machine
from servida import open_table

VARIANTS = ("yahtzee", "yatzy", "generala", "generala-classic")
POSITIONS = 2000  # different ones, of all variants


def request(path: str, body: bytes, kind: str = "application/json") -> bytes:
    """A request as it is sent."""
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def hint_requests(options: int) -> list[bytes]:
    """Hints for positions all different; all options, or so many."""
    found = []
    for name in VARIANTS:
        table = open_table(name)
        ids = [category.id for category in table.game.rules.categories]
        dice, left, sheets = random_positions(table, POSITIONS // len(VARIANTS), None)
        for i in range(len(dice)):
            sheet = {key: int(points) for key, points in zip(ids, sheets[i], strict=True) if points >= 0}
            body = {"variant": name, "dice": dice[i].tolist(), "rolls_left": int(left[i]), "sheet": sheet}
            body |= {"top": options} if options else {}
            found.append(request("/v1/hint", json.dumps(body).encode()))
    random.Random(1).shuffle(found)
    return found


def garbage_requests() -> list[bytes]:
    """Requests that are wrong in every way there is."""
    chance = random.Random(2)
    return [
        request("/v1/hint", b"{"),
        request("/v1/hint", b"[" * 50_000),
        request("/v1/hint", bytes(chance.randrange(256) for _ in range(20_000))),
        request("/v1/hint", b'{"variant": "yahtzee", "dice": "33367"}'),
        request("/v1/hint", b'{"variant": "yahtzee", "dice": "33366", "colour": 1}'),
        request("/v1/hint", b'{"variant": "../../etc/passwd", "dice": "33366"}'),
        request("/v1/hint", b'{"variant": "' + b"y" * 60_000 + b'", "dice": "33366"}'),
        request("/v1/hint", b'{"rules": "' + b"[[a]]\\n" * 2_000 + b'", "dice": "33366"}'),
        request("/v1/hint", b'{"variant": "yahtzee", "dice": "33366", "sheet": {"ones": 1e400}}'),
        request("/v1/hint", b"x" * 100_000),
        request("/v1/hint", b"{}", "text/plain"),
        request("/v1/duel", b'{"variant": "chaser", "me": "ones=77"}'),
        request("/v1/nothing", b"{}"),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 no HTTP at all \r\n\r\n",
    ]


class Client(asyncio.Protocol):
    """One connection that asks again and again, opened anew where the server closes it."""

    def __init__(self, run: "Run", place: int):
        self.run, self.place, self.data, self.sent = run, place, b"", 0.0
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        requests = self.run.requests
        self.place = (self.place + 1) % len(requests)
        self.data, self.sent = b"", time.perf_counter()
        self.transport.write(requests[self.place])

    def data_received(self, data: bytes) -> None:
        self.data += data
        head, end, body = self.data.partition(b"\r\n\r\n")
        if not end:
            return
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if len(body) >= length:
            self.run.took.append((time.perf_counter() - self.sent, head[9:12]))
            if self.run.going and b"connection: close" not in head.lower():
                self.ask()

    def connection_lost(self, error: Exception | None) -> None:
        if self.run.going:
            self.run.spawn(self.run.connect(self.place))


class Run:
    """All connections of a process, for some seconds."""

    def __init__(self, port: int, requests: list[bytes]):
        self.port, self.requests, self.going = port, requests, True
        self.took: list[tuple[float, bytes]] = []
        self.tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: "asyncio.Future[None]") -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def connect(self, place: int) -> None:
        while self.going:
            try:
                await asyncio.get_running_loop().create_connection(lambda: Client(self, place), "127.0.0.1", self.port)
                return
            except OSError:
                await asyncio.sleep(0.05)

    async def go(self, connections: int, seconds: float) -> None:
        for number in range(connections):
            self.spawn(self.connect(number * len(self.requests) // connections))
        await asyncio.sleep(seconds)
        self.going = False


def drive(
    port: int, requests: list[bytes], connections: int, seconds: float, told: "multiprocessing.Queue[object]"
) -> None:
    """What one process of clients does."""
    run = Run(port, requests)
    asyncio.run(run.go(connections, seconds))
    told.put(run.took)


def cpu_seconds(pid: int) -> float:
    """What a process has used of the processor; nan where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            ticks = file.read().rpartition(")")[2].split()[11:13]
    except OSError:
        return float("nan")
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def measure(pid: int, port: int, requests: list[bytes], seconds: float, connections: int, garbage: int) -> None:
    """One run, and its line."""
    context = multiprocessing.get_context("fork")
    good, bad = context.Queue(), context.Queue()
    jobs = [(requests, connections, seconds, good)]
    if garbage:
        jobs.append((garbage_requests(), garbage, seconds, bad))
    processes = [context.Process(target=drive, args=(port, *job)) for job in jobs]
    before = cpu_seconds(pid)
    for process in processes:
        process.start()
    took = good.get()
    used = cpu_seconds(pid) - before
    wrong = Counter(status.decode() for _, status in bad.get()) if garbage else Counter()
    for process in processes:
        process.join()
    faults = sum(status != b"200" for _, status in took)
    times = np.array([time for time, _ in took]) * 1000
    half, most = np.percentile(times, [50, 99])
    beside = f", beside {garbage} with garbage ({dict(sorted(wrong.items()))})" if garbage else ""
    print(
        f"{connections} connections{beside}: {len(took) / seconds:,.0f} hints/s, p50 {half:.2f} ms, p99 {most:.2f} ms, "
        f"worst {times.max():.1f} ms, {faults} not answered with 200; the server used {used / seconds:.0%} of a core, "
        f"{used / len(took) * 1e6:.0f} us a hint"
    )


def while_a_duel_is_solved(pid: int, port: int, requests: list[bytes], seconds: float, connections: int) -> None:
    """A run during which a solver is at a long question, and its line."""
    address = f"http://127.0.0.1:{port}/v1"
    headers = {"content-type": "application/json", "prefer": "respond-async"}
    body = json.dumps({"variant": "generala-served-60"}).encode()
    with urllib.request.urlopen(urllib.request.Request(f"{address}/duel", body, headers)) as reply:
        job = json.load(reply)["job"]
    time.sleep(3)  # it reads its table, or makes it, and lays out its pairs
    print("while a duel is solved:", end=" ")
    measure(pid, port, requests, seconds, connections, 0)
    with urllib.request.urlopen(f"{address}/jobs/{job}") as reply:
        told = json.load(reply)
    print(f"the duel is {told['state']} after that, progress {told['progress']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--garbage", type=int, default=200)
    parser.add_argument("--options", type=int, default=0, help="options in each answer (0: all)")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--duel", action="store_true", help="also while a solver computes a duel with all cores")
    chosen = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{machine()}, {os.cpu_count()} cores shared with the clients; load {load:.1f} before")
    requests = hint_requests(chosen.options)
    command = [sys.executable, "-c", "from servida.cli import main; main()", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            port = int(server.stdout.readline().split()[3].rpartition(":")[2])
            measure(server.pid, port, requests, 2, chosen.connections, 0)  # opens the tables
            for _ in range(chosen.rounds):
                measure(server.pid, port, requests, chosen.seconds, chosen.connections, 0)
                measure(server.pid, port, requests, chosen.seconds, chosen.connections, chosen.garbage)
            if chosen.duel:
                while_a_duel_is_solved(server.pid, port, requests, chosen.seconds, chosen.connections)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
