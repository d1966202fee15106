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
    sections = [format_help(root)]
    for name in sorted(cli.commands):
        context = click.Context(cli.commands[name], info_name=name, parent=root, terminal_width=80)
        sections.append(format_help(context))
    return INTRODUCTION + "".join(sections)


if __name__ == "__main__":
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "cli.md"
    file.write_text(format_reference(), encoding="utf-8")
