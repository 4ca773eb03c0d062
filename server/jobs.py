"""Questions that solvers compute, while they do and for some time after."""

import asyncio
import json
import secrets
from collections import OrderedDict
from time import monotonic
from typing import Any

from .encode import encode
from .faults import RefusedError
from .pool import Pool, Task

MOST_JOBS = 512
KEPT = 600.0  # seconds that an answer can be fetched


class Job:
    """A question that is being computed: `progress` from 0 to 1, None where that is not known; `status` 0 until
    there is an answer, which then is the JSON `text`."""

    def __init__(self, question: str, key: str):
        self.id, self.question, self.key = secrets.token_urlsafe(12), question, key
        self.progress: float | None = None
        self.status, self.text, self.ended = 0, "null", 0.0
        self.done = asyncio.Event()

    def to_json(self) -> str:
        """What a client is told of it."""
        state = "running" if not self.status else "done" if self.status == 200 else "failed"
        told = {"job": self.id, "question": self.question, "state": state, "progress": self.progress}
        told |= {"status": self.status or None}
        return f'{encode(told)[:-1]},"answer":{self.text}}}'


class Jobs:
    """The jobs of a server. A question that is being computed already is not computed twice."""

    def __init__(self, pool: Pool):
        self.pool = pool
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._running: dict[str, Job] = {}

    def start(self, question: str, ask: dict[str, Any], quick: bool) -> Job:
        """The job for a question; `RefusedError` where too many wait."""
        key = f"{question} {json.dumps(ask, sort_keys=True)}"
        if key in self._running:
            return self._running[key]
        job, loop = Job(question, key), asyncio.get_running_loop()

        def told(progress: float) -> None:
            loop.call_soon_threadsafe(setattr, job, "progress", progress)

        def done(status: int, text: str) -> None:
            loop.call_soon_threadsafe(self._end, job, status, text)

        self.pool.submit(Task(question, ask, quick, told, done))
        self._forget()
        self._jobs[job.id] = self._running[key] = job
        return job

    def get(self, name: str) -> Job:
        """The job with this id."""
        self._forget()
        job = self._jobs.get(name)
        if job is None:
            raise RefusedError(404, "job: expected the id of one that runs or has ended lately, found another")
        return job

    def _end(self, job: Job, status: int, text: str) -> None:
        job.status, job.text, job.ended = status, text, monotonic()
        job.progress = 1.0 if status == 200 else job.progress
        self._running.pop(job.key, None)
        job.done.set()

    def _forget(self) -> None:
        """Lets go of answers that are old, or of the oldest where there are many."""
        now, many = monotonic(), len(self._jobs) - MOST_JOBS
        for job in list(self._jobs.values()):
            if job.status and (many > 0 or now - job.ended > KEPT):
                del self._jobs[job.id]
                many -= 1
