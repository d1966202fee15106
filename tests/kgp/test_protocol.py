import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kalahlab.games.kalah import SOUTH, State
from kalahlab.kgp.protocol import (
    FIRST_SERVER_ID,
    LONGEST_LINE,
    Command,
    Endpoint,
    Word,
    format_command,
    parse_command,
)

BOARD = State((1, 2, 3, 10, 4, 2, 0, 2), SOUTH)  # the example of the specification, section 012
COUNTS = st.integers(0, 99)


@st.composite
def boards(draw):
    size = 2 * draw(st.integers(2, 5))
    return State(tuple(draw(st.lists(COUNTS, min_size=size, max_size=size))), SOUTH)


# A word that is a number is read as one, so it is no word.
WORDS = st.text("aZ9:-", max_size=9).map(lambda rest: Word(f"a{rest}"))
PRINTED = st.text(st.sampled_from('aZ9 :-"\\<@ü≤'), max_size=20)
ARGUMENTS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    PRINTED,
    WORDS,
    boards(),
)
IDS = st.none() | st.integers(0, 10**18 - 1)
COMMANDS = st.builds(
    Command,
    st.sampled_from(["move", "K9"]),
    st.lists(ARGUMENTS, max_size=4).map(tuple),
    IDS,
    IDS,
)


@given(COMMANDS)
def test_a_command_is_read_as_it_was_written(command):
    line = format_command(command)
    assert line.endswith(b"\r\n")
    assert line.count(b"\n") == 1
    for read in (parse_command(line), parse_command(line.strip())):
        assert read == command
        assert [*map(type, read.args)] == [*map(type, command.args)]


@given(st.binary(max_size=80))
@example(b'1 set "a')
@example(b"state <>")
@example(b"8")
@example(b"8 @")
@example(b"move " + b"9" * 5000)
@example(b"\xff\xfe\0")
def test_any_bytes_are_a_command_or_a_one_line_error(data):
    message = ""
    command = None
    try:
        command = parse_command(data)
    except ValueError as error:
        message = str(error)
    assert "\n" not in message
    assert command is None or command.name


# The commands that the specification prints, in sections 012, 013 and 021.
@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("kgp 1 0 1", Command("kgp", (1, 0, 1))),
        ("mode freeplay", Command("mode", ("freeplay",))),
        ('error "Unsupported activity"', Command("error", ("Unsupported activity",))),
        ("@4 move 1", Command("move", (1,), None, 4)),
        ("10@8 stop", Command("stop", (), 10, 8)),
        ("8 state <3,10,2,1,2,3,4,2,0>", Command("state", (BOARD,), 8)),
        ("@8 eval -.5", Command("eval", (-0.5,), None, 8)),
        ("set x +0", Command("set", ("x", 0))),
        (r'set info:name "like \" this"', Command("set", ("info:name", 'like " this'))),
        (r'set info:name "a \\ b"', Command("set", ("info:name", r"a \ b"))),
        # pykgp puts options and modes into quotation marks, too.
        ('5 set "info:name" "minmax"', Command("set", ("info:name", "minmax"), 5)),
        ("  yield  ", Command("yield")),
        ("yield\r", Command("yield")),
        ("   ", None),
    ],
)
def test_lines_of_the_specification_and_of_clients(line, command):
    assert parse_command(line.encode()) == command


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<2,0,0,1,1,1,1>", "is no command"),
        ("4@ move 1", "is no command"),
        ("state <2,0,0,1,1,1>", "lists 3 pits"),
        ("state <2,0,0,1,1,1,1", "cannot be read"),
        ('set a "b', "cannot be read"),
        ('set a "b"c', "cannot be read"),
        ("x" * (LONGEST_LINE + 1), "is too long"),
    ],
)
def test_wrong_lines_are_refused(line, message):
    with pytest.raises(ValueError, match=message):
        parse_command(line.encode())


@pytest.mark.parametrize(
    "value", ["two\nlines", "\x1b[2J", float("nan"), float("inf"), "x" * 16384]
)
def test_what_is_no_line_is_not_written(value):
    with pytest.raises(ValueError, match=r"printed|finite|bytes"):
        format_command(Command("set", (Word("info:name"), value)))


@given(st.lists(COMMANDS, max_size=5), st.data())
def test_lines_arrive_in_any_pieces(commands, data):
    stream = b"".join(map(format_command, commands))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    endpoint = Endpoint(FIRST_SERVER_ID)
    received = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        received += endpoint.receive(stream[start:end])
    assert received == commands


def test_a_line_without_an_end_is_not_kept():
    endpoint = Endpoint(FIRST_SERVER_ID)
    for _ in range(20):
        assert endpoint.receive(b"x" * LONGEST_LINE) == []
        assert len(endpoint._unfinished) <= LONGEST_LINE + 1
    error, command = endpoint.receive(b"\nyield\n")
    assert "too long" in str(error)
    assert command == Command("yield")


def test_ids_are_never_used_twice():
    endpoint = Endpoint(FIRST_SERVER_ID)
    assert endpoint.send("ping") == (2, b"2 ping\r\n")
    with pytest.raises(ValueError, match="finite"):
        endpoint.send("eval", float("inf"))
    assert endpoint.send("stop", ref=2) == (4, b"4@2 stop\r\n")
