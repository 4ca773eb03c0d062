"""What all tests share: a folder of tables of their own, and the command line called in this process."""

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from servida.cli import run

pytest.register_assert_rewrite("clitools")


class Result(NamedTuple):
    """What a call of the command line came to."""

    code: int
    out: str
    err: str


Cli = Callable[..., Result]


class _Stream(io.TextIOWrapper):
    """A UTF-8 stream in memory, as strict as a real one, that is a terminal or not."""

    def __init__(self, content: bytes = b"", *, errors: str = "strict", tty: bool = False):
        super().__init__(io.BytesIO(content), encoding="utf-8", errors=errors, newline="\n")
        self.tty = tty

    def isatty(self) -> bool:
        return self.tty

    def text(self) -> str:
        self.flush()
        content: bytes = self.buffer.getvalue()  # type: ignore[attr-defined]
        return content.decode()


@pytest.fixture(scope="session", autouse=True)
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that tables are stored in while tests run; no test touches the cache of whoever runs them."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SERVIDA_TABLES", str(folder))
        for name in ("SERVIDA_LANG", "SERVIDA_DEBUG"):
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture(scope="session")
def cli() -> Cli:
    """Calls `servida` with these arguments, in this process: `cli("hint", "yahtzee", "33366", stdin="")`."""

    def call(*args: object, stdin: str | bytes = b"", tty: bool = False) -> Result:
        content = stdin if isinstance(stdin, bytes) else stdin.encode(errors="surrogatepass")
        out, err = _Stream(tty=tty), _Stream(errors="backslashreplace", tty=tty)
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            patch.setattr(sys, "stdin", _Stream(content))
            code = run([str(arg) for arg in args])
        return Result(code, out.text(), err.text())

    return call
