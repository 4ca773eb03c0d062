"""What a client may send, and how faulty requests are kept from taking the time of others."""

import asyncio
import random
import re
from time import monotonic

from starlette.requests import ClientDisconnect, Request

from .faults import RefusedError

BODY = 65_536  # bytes
BATCH_BODY = 524_288
MOST_PATIENCE = 60.0  # seconds
READING = 10.0  # seconds to send a body in
DELAY = (1.0, 2.0)  # seconds, the least and the most, that a faulty request waits where there are many


async def read_body(request: Request, most: int) -> bytes:
    """The body, which is to be JSON by its type, of at most so many bytes, and to come in time."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    if kind != "application/json":
        raise RefusedError(415, "content-type: expected application/json, found another")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > most:
        raise _too_long(most)
    parts, size = [], 0
    try:
        async with asyncio.timeout(READING):
            async for part in request.stream():
                parts.append(part)
                size += len(part)
                if size > most:
                    raise _too_long(most)
    except TimeoutError:
        raise RefusedError(408, f"body: expected all of it within {READING:g} s, found less") from None
    except ClientDisconnect:
        raise RefusedError(400, "body: expected all of it, found that the client left") from None
    return b"".join(parts)


def patience_of(request: Request, usual: float) -> float:
    """The seconds a client waits for an answer before it asks for the job: as `Prefer: wait=SECONDS` says, or
    `Prefer: respond-async` for none."""
    found = re.fullmatch(r"wait=([0-9]{1,4})|(respond-async)", request.headers.get("prefer", "").strip())
    return usual if found is None else min(MOST_PATIENCE, float(found[1] or 0))


def _too_long(most: int) -> RefusedError:
    return RefusedError(413, f"body: expected at most {most} bytes, found more")


class Errors:
    """Faulty requests: so many a second are answered at once, all others a second or two later.

    Clients that send nothing else wait for their answers most of the time, and leave the processor to others."""

    def __init__(self, rate: float):
        self.rate, self.left, self.at = rate, rate, monotonic()

    async def wait(self) -> None:
        """Waits until a faulty request may be answered."""
        now = monotonic()
        self.left = min(self.rate, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left >= 1:
            self.left -= 1
        else:
            await asyncio.sleep(random.uniform(*DELAY))  # not all of them at the same time
