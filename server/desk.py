"""Where questions arrive: what an open table answers is answered at once, all else by a solver."""

import asyncio
import json
from typing import Any

from ..errors import PositionError, ServidaError
from ..solver.utility import Target, Win
from .answers import ANSWERS
from .asked import asked, is_known, objective_of, remember
from .encode import encode, encode_fast
from .faults import fault
from .fields import check
from .jobs import Job, Jobs
from .opened import NotOpenError, Opened
from .pool import Pool
from .requests import BY_NAME, POSITIONS, Question
from .settings import Settings

LONG = ("duel",)  # questions that may take long whatever is stored
HINT = BY_NAME["hint"]
BATCH = {"positions": POSITIONS}


class Desk:
    """Answers questions whose bodies have been read."""

    def __init__(self, settings: Settings):
        self.settings = settings
        self.folder = settings.store().folder
        self.opened = Opened(settings)
        self.pool = Pool(settings)
        self.jobs = Jobs(self.pool)

    def close(self) -> None:
        """Ends the solvers."""
        self.pool.close()

    async def answer(self, question: Question, body: Any, patience: float) -> tuple[int, str]:
        """The status and the JSON text for a question; 202 and the job where a solver takes longer than `patience`."""
        ask = check(body, question.fields)
        if question.light:
            found = await self._light(question, ask)
            if found is not None:
                return 200, found
        own = "rules" in ask and not is_known(ask)
        job = self.jobs.start(question.name, ask, not own and self._is_quick(question, ask))
        try:
            await asyncio.wait_for(job.done.wait(), patience)
        except TimeoutError:
            return 202, job.to_json()
        if own and job.status == 200:
            remember(ask)
        return job.status, job.text

    async def _light(self, question: Question, ask: dict[str, Any]) -> str | None:
        """The answer from an open table, which is opened if it is stored; None where there is none."""
        answer = ANSWERS[question.name]
        if "rules" in ask and not is_known(ask):
            return None
        try:
            return encode_fast(answer(ask, self.opened))
        except NotOpenError:
            pass
        try:
            if await self.opened.open(asked(ask)):
                return encode_fast(answer(ask, self.opened))
        except NotOpenError:
            pass
        return None

    def _is_quick(self, question: Question, ask: dict[str, Any]) -> bool:
        """Whether a solver has all that the question needs, or needs nothing that takes long."""
        if question.name in LONG:
            return False
        if "variant" not in question.fields or question.name == "odds":
            return True
        about, store = asked(ask), self.settings.store
        objective = Target(0) if question.name == "target" else objective_of(ask)
        if isinstance(objective, Win) or (len(about.variant.rules.columns) > 1 and question.name != "score"):
            return False
        own = about.own or not (objective is None or isinstance(objective, Target))
        tables = [(about.own, None), (own, objective)]
        return all(store(where).path(about.variant, which).exists() for where, which in tables)

    async def batch(self, body: Any) -> tuple[int, str]:
        """The hints for many positions, in their order. Others are answered in between."""
        positions = check(body, BATCH)["positions"]
        found = []
        for number, position in enumerate(positions):
            try:
                found.append(await self._one(position))
            except ServidaError as error:
                status, message = fault(error, self.folder)
                return status, encode({"error": f"position {number}: {message}"})
            await asyncio.sleep(0)
        return 200, f'{{"hints":[{",".join(found)}]}}'

    async def _one(self, position: Any) -> str:
        """The hint for one of many positions, from an open table."""
        ask = check(position, HINT.fields, "position")
        text = await self._light(HINT, ask)
        if text is not None:
            return text
        if objective_of(ask) is not None or len(asked(ask).variant.rules.columns) > 1:
            raise PositionError("expected the score on a sheet of one column, found another; ask for it by itself")
        status, text = await self.answer(HINT, position, self.settings.patience)
        if status == 202:
            raise PositionError("expected a variant whose table is stored, found one that is being solved; ask again")
        if status != 200:
            raise PositionError(json.loads(text)["error"])
        return text

    def job(self, name: str) -> Job:
        """A job that was started before."""
        return self.jobs.get(name)
