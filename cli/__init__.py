"""The `servida` command. Each command is a file of its own, imported when it is called."""

import importlib
import os
import sys

import click

from ..errors import ServidaError, StorageError, nearest, quoted
from ..version import VERSION

COMMANDS = (
    "hint",
    "value",
    "score",
    "target",
    "duel",
    "distribution",
    "simulate",
    "odds",
    "grade",
    "play",
    "variants",
    "rules",
    "sheet",
    "tables",
    "gin",
    "serve",
)


class LazyGroup(click.Group):
    """A group whose commands are loaded by name: a hint does not wait for the imports of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f".{cmd_name}", __name__).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            found = quoted(args[0]) + nearest(args[0], COMMANDS)
            raise click.UsageError(f"command: expected one that 'servida --help' lists, found {found}", ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="servida")
def program() -> None:
    """Perfect play for dice scoresheet games: what to hold, what to write, how much to expect.

    Example: servida hint yahtzee 33366
    """


def main(args: list[str] | None = None) -> None:
    """Runs the command line; every failure is one line on stderr, exit code 2 for input and 1 for anything else."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """The exit code of the command line called with `args` (default: the process's own)."""
    try:
        code = program.main(args, prog_name="servida", standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.ClickException as error:
        return _fail(" ".join(error.format_message().split()), error.exit_code)
    except ServidaError as error:
        return _fail(str(error), 1 if isinstance(error, StorageError) else 2)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on; say nothing at exit
        return 1
    except OSError as error:
        return _fail(f"output: expected to write it, found: {error.strerror or error}", 1)
    except Exception as error:
        if os.environ.get("SERVIDA_DEBUG"):
            raise
        kind = f"{type(error).__name__}: {error}".splitlines()[0]
        return _fail(f"internal error ({kind}); set SERVIDA_DEBUG=1 to see where, and please report it", 1)


def _fail(message: str, code: int) -> int:
    # names of files and boxes may hold anything: line breaks, colours, lone surrogates
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)
    click.echo(f"error: {text}", err=True)
    return code
