"""A program that runs in a process of its own, and lines of text in and out of it."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kalahlab.formatting import StableRepr
from kalahlab.players.model import Fault
from kalahlab.untrusted import escape_control_characters

LONGEST_LINE = 16_384  # characters of a line, as in the Kalah Game Protocol
LONGEST_TAIL = 2_000  # characters at the end of stderr that are kept for messages
LONGEST_OVERTIME = 1.0  # seconds to wait for a late answer, to tell how late it is
GRACE = 0.2  # the seconds in which a program may end by itself
LOOK = 0.05  # the seconds between two looks at the processor time

# Waits for a word of the driver, and kills a process group if the driver ends without it.
WATCHDOG = 'read word || kill -s KILL -- "-$1"'


class Program(StableRepr):
    """A running program with all processes that it starts.

    The program, and the processes of its group, are killed by `kill`, and also if this process ends
    in any other way.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start a program.

        Args:
            command: The program and its arguments.
            folder: Its working folder; None for the current one.
            environment: Its environment; None for that of this process.

        Raises:
            Fault: The program cannot be started.
            ValueError: The system has no such processes.
        """
        if os.name != "posix":
            raise ValueError("programs can be players on Linux and macOS only")
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        try:
            self._process = subprocess.Popen(
                [*command],
                **pipes,
                bufsize=0,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
            self._watchdog = self._start_watchdog()
        except OSError as error:
            reason = error.strerror or str(error)
            raise Fault("crashed", f"cannot be started: {command[0]!r}: {reason}") from None
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._input = self._process.stdin
        os.set_blocking(self._input.fileno(), False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._process.stdout, selectors.EVENT_READ, self._keep_output)
        self._selector.register(self._process.stderr, selectors.EVENT_READ, self._keep_errors)
        self._output = b""
        self._errors = b""
        self._has_ended = False  # no output will come
        self.has_answered = False

    def write(self, text: str) -> None:
        """Write a text to the program; raise `Fault` if it reads nothing for so long."""
        try:
            count = self._input.write(text.encode())
        except BrokenPipeError:
            return  # the next read tells why
        if count is None or count < len(text.encode()):
            raise Fault("unreadable", "does not read its input")

    def end_input(self) -> None:
        """Close the input of the program."""
        with suppress(OSError):
            self._input.close()

    def start_deadline(
        self, seconds: float, processor_seconds: float | None = None, startup: float = 0.0
    ) -> "Deadline":
        """Start the time for an answer.

        Args:
            seconds: The most time to wait.
            processor_seconds: The most processor time that the program may use, where the system
                tells it.
            startup: The seconds that are added for the start of the program.
        """
        return Deadline(self._process.pid, seconds, processor_seconds, startup)

    def read_line(self, deadline: "Deadline") -> str:
        """Return the next line of output, without its end.

        Raises:
            Fault: No line arrives in time, or the line is too long or is not UTF-8.
        """
        line = self._next_line(deadline)
        if line is None:
            raise self._late_fault(deadline)
        return line

    def _next_line(self, deadline: "Deadline") -> str | None:
        """Return the next line of output, without its end, None if it does not arrive in time."""
        while b"\n" not in self._output:
            self._check_length()
            if self._has_ended:
                if self._output:
                    break  # the last line has no end
                raise Fault("crashed", self._describe_end(deadline))
            if deadline.is_over():
                return None
            self._receive(deadline.patience())
        line, _, self._output = self._output.partition(b"\n")
        return self._decode(line)

    def read_last_line(self, first: "Deadline", others: "Deadline") -> str:
        """Return the last line that the program writes before it ends, or before its time is over.

        Args:
            first: The time for the first line.
            others: The time for all further lines.

        Raises:
            Fault: The program writes no line, or the line is too long or is not UTF-8.
        """
        last: str = self.read_line(first)
        try:
            while (line := self._next_line(others)) is not None:
                last = line
        except Fault as fault:
            if fault.kind != "crashed":
                raise
        return last

    def wait(self, deadline: "Deadline") -> None:
        """Wait until the program ends well; raise `Fault` if it does not, or not in time."""
        while not self._has_ended and not deadline.is_over():
            self._receive(deadline.patience())
            if self._output:
                self.has_answered, self._output = True, b""  # nobody reads it
        if deadline.is_over():
            raise self._late_fault(deadline)
        end = self._describe_end(deadline)
        if self._process.poll() != 0:
            raise Fault("crashed", end)

    def kill(self, grace: float = GRACE) -> None:
        """End the program and its process group; it may end by itself within `grace` seconds."""
        self.end_input()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(grace)
        self._kill_group()
        self._process.wait()
        self._watchdog.communicate(b"ended\n")
        for key in [*self._selector.get_map().values()]:
            self._selector.unregister(key.fileobj)
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _start_watchdog(self) -> subprocess.Popen[bytes]:
        """Start a process that kills the group if this process ends, or kill the group now."""
        try:
            return _start_watchdog(self._process.pid)
        except BaseException:
            with self._process:  # closes its pipes, and waits for its end
                self._kill_group()
            raise

    def _receive(self, seconds: float) -> None:
        """Wait for output for some seconds, and keep what arrives."""
        for key, _ in self._selector.select(seconds):
            data = os.read(key.fd, 65_536)
            key.data(data)
            if not data:
                self._selector.unregister(key.fileobj)
                key.fileobj.close()  # type: ignore[union-attr]

    def _keep_output(self, data: bytes) -> None:
        self._output += data
        self._has_ended = not data

    def _keep_errors(self, data: bytes) -> None:
        self._errors = (self._errors + data)[-LONGEST_TAIL:]

    def _check_length(self) -> None:
        if len(self._output) > LONGEST_LINE:
            start = self._output[:30].decode(errors="replace")
            raise Fault(
                "unreadable", f"writes a line of more than {LONGEST_LINE} bytes: {start!r}…"
            )

    def _decode(self, line: bytes) -> str:
        if len(line) > LONGEST_LINE:
            self._output = line
            self._check_length()
        self.has_answered = True
        try:
            return line.decode("utf-8").rstrip("\r")
        except UnicodeDecodeError:
            raise Fault("unreadable", f"writes a line that is not UTF-8: {line[:30]!r}") from None

    def _late_fault(self, deadline: "Deadline") -> Fault:
        limit = f"{deadline}"
        overtime = self._wait_for_late_line(deadline)
        errors = self._error_text()
        if overtime is not None:
            return Fault("late", f"answers {1000 * overtime:.0f} ms after its {limit}{errors}")
        if self.has_answered or self._output:
            return Fault("late", f"does not answer within {limit}{errors}")
        return Fault(
            "silent",
            f"has written nothing after {limit}: it is still searching, or does not flush its "
            f"output{errors}",
        )

    def _wait_for_late_line(self, deadline: "Deadline") -> float | None:
        """Wait as long again, a second at most; return how late a line is, None without one."""
        begin = time.monotonic()
        end = begin + deadline.overtime()
        while b"\n" not in self._output and not self._has_ended:
            if time.monotonic() >= end or len(self._output) > LONGEST_LINE:
                return None
            self._receive(min(LOOK, max(0.0, end - time.monotonic())))
        return time.monotonic() - begin if self._output else None

    def _describe_end(self, deadline: "Deadline") -> str:
        """Describe how the program ended, with the last line of its stderr."""
        end = time.monotonic() + max(GRACE, deadline.remaining())
        while self._selector.get_map() and self._process.poll() is None and time.monotonic() < end:
            self._receive(LOOK)  # or a program that fills stderr would never end
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, end - time.monotonic()))
        while self._selector.get_map() and self._selector.select(0):
            self._receive(0)
        status = self._process.poll()
        if status is None:
            action = "closes its output"
        elif status < 0:
            action = f"is ended by signal {-status} ({signal.strsignal(-status)})"
        else:
            action = f"ends with status {status}"
        return f"{action}{self._error_text()}"

    def _error_text(self) -> str:
        """Return the last line of stderr as the end of a sentence, "" if there is none."""
        lines = self._errors.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; on stderr: {escape_control_characters(last)[:200]}" if last else ""


def _start_watchdog(group: int) -> subprocess.Popen[bytes]:
    """Start a process that kills a process group if this process ends, however it ends."""
    return subprocess.Popen(
        ["/bin/sh", "-c", WATCHDOG, "sh", str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class Deadline(StableRepr):
    """The time for an answer: seconds, and where the system tells it, processor time.

    The processor time is that of the process and of the children that it waited for. Linux tells it
    in /proc.
    """

    def __init__(
        self, process: int, seconds: float, processor_seconds: float | None, startup: float
    ) -> None:
        self._seconds = seconds
        self._startup = startup
        self._end = time.monotonic() + seconds + startup
        self._processor_file = Path(f"/proc/{process}/stat")
        self._processor_seconds = processor_seconds
        self._used_before = self._read_used()

    def __str__(self) -> str:
        if self.remaining() > 0:
            return f"{1000 * (self._processor_seconds or 0):.0f} ms of processor time"
        text = f"{1000 * self._seconds:.0f} ms"
        return f"{text} and {1000 * self._startup:.0f} ms for its start" if self._startup else text

    def remaining(self) -> float:
        """Return the seconds that remain, 0 or more."""
        return max(0.0, self._end - time.monotonic())

    def overtime(self) -> float:
        """Return the seconds to wait for an answer that is late."""
        return min(self._seconds, LONGEST_OVERTIME)

    def patience(self) -> float:
        """Return the seconds until the next look at the clocks."""
        if self._used_before is None:
            return self.remaining()
        return min(self.remaining(), LOOK)

    def is_over(self) -> bool:
        """Return whether one of the two times is used up."""
        if self.remaining() == 0:
            return True
        used = self._read_used()
        if used is None or self._used_before is None or self._processor_seconds is None:
            return False
        return used - self._used_before > self._processor_seconds

    def _read_used(self) -> float | None:
        """Return the processor time that the process has used; None if there is no limit."""
        if self._processor_seconds is None:
            return None
        try:
            fields = self._processor_file.read_text().rpartition(")")[2].split()
        except OSError:
            return None
        # User and system time of the process, then of its children; see proc(5), fields 14 to 17.
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
