"""Timing two things in turn, so that a machine whose speed drifts still gives a fair ratio."""

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence


def machine() -> str:
    """The machine, the interpreter, the day: the first line of every report."""
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), cpu)
    except OSError:
        pass
    return f"{cpu}, Python {platform.python_version()}, {platform.system()}, {time.strftime('%Y-%m-%d')}"


def seconds(action: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def pairs(a: Callable[[], object], b: Callable[[], object], rounds: int) -> tuple[list[float], list[float]]:
    """Wall times of `a` and `b`, called in turn after one call of each that does not count."""
    a()
    b()
    times = [(seconds(a), seconds(b)) for _ in range(rounds)]
    return [x for x, _ in times], [y for _, y in times]


def report(name: str, times: Sequence[float], unit: float = 1.0, suffix: str = "s") -> None:
    """One line: median, least and greatest."""
    values = [t / unit for t in times]
    print(f"  {name:<44} {statistics.median(values):9.4f} {suffix}  ({min(values):.4f} to {max(values):.4f})")


def report_ratio(name: str, over: Sequence[float], under: Sequence[float]) -> float:
    """One line with the median of the pairwise ratios, which is returned."""
    ratios = [x / y for x, y in zip(over, under, strict=True)]
    middle = statistics.median(ratios)
    print(f"  {name:<44} {middle:9.2f} x  ({min(ratios):.2f} to {max(ratios):.2f})")
    return middle


def peak_memory(code: str) -> float:
    """Peak resident memory, in MB, of a Python process that runs `code` (Linux)."""
    script = f"{code}\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    out = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    return int(out.split()[-2]) * 1024 / 1e6
