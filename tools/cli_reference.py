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


def format_help(command: click.Command, path: str, parent: click.Context | None) -> str:
    """Return the help of a command as a section in Markdown."""
    context = click.Context(command, info_name=path, parent=parent, terminal_width=80)
    context.help_option_names = ["-h", "--help"]
    return f"\n## {context.command_path}\n\n```text\n{context.get_help()}\n```\n"


def format_reference() -> str:
    """Return the help of the program and of each of its commands, in Markdown."""
    root = click.Context(cli, info_name="kalahlab")
    sections = [format_help(cli, "kalahlab", None)]
    for name in sorted(cli.commands):
        sections.append(format_help(cli.commands[name], name, root))
    return INTRODUCTION + "".join(sections)


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "cli.md"
    file.write_text(format_reference(), encoding="utf-8")
