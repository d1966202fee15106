"""Write docs/cli.md, the help of every command.

python tools/cli_reference.py [FILE]
"""

import sys
from pathlib import Path

import click

from kalahlab.cli import cli

ROOT = Path(__file__).parents[1]
INTRODUCTION = """\
# Commands

This page is generated from the help texts: `python tools/cli_reference.py`.
"""


def format_help(context: click.Context) -> str:
    """Return the help of a command as a section in Markdown."""
    return f"\n## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"


def format_reference() -> str:
    """Return the help of the program and of each of its commands, in Markdown."""
    root = click.Context(cli, info_name="kalahlab", terminal_width=80, **cli.context_settings)
    return INTRODUCTION + "".join(map(format_help, list_contexts(root)))


def list_contexts(context: click.Context) -> list[click.Context]:
    """Return the context of a command, and those of the commands that it groups."""
    contexts = [context]
    if isinstance(context.command, click.Group):
        for name, command in sorted(context.command.commands.items()):
            child = click.Context(command, info_name=name, parent=context, terminal_width=80)
            contexts += list_contexts(child)
    return contexts


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "cli.md"
    file.write_text(format_reference(), encoding="utf-8")
