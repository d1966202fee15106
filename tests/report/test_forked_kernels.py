"""Kernels that are forked from one process: they work like others, and none outlives its report."""

import os
import signal
import socket
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest
from conftest import start_python
from jupyter_client.manager import start_new_kernel
from psutil import Process, pid_exists, wait_procs

from kalahlab.report import forked_kernels, run
from kalahlab.report.forked_kernels import MOST_BYTES_OF_PATH, can_serve
from kalahlab.report.run import private_kernel
from kalahlab.report.sources import PACKAGE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks no kernels")
PROCESSES = "import os; print(os.getpid(), os.getppid())"
PATIENCE_S = 120
# A server whose kernels import themselves what they need. The imports of `prepare` would take two
# seconds, and tests of how processes end have one kernel for each server.
QUICK = """
import socket, sys
from kalahlab.report import forked_kernels

forked_kernels.prepare = lambda: None
forked_kernels.serve(socket.socket(fileno=int(sys.argv[1])))
"""
QUICK_SERVER = [sys.executable, "-c", QUICK]
# Prints the processes of a kernel and its launcher, and then waits to be killed.
REPORT = f"""
import sys
from jupyter_client.manager import start_new_kernel
from kalahlab.report import forked_kernels
from kalahlab.report.run import private_kernel
from kalahlab.report.sources import PACKAGE

forked_kernels.SERVER = {QUICK_SERVER!r}

def show(message):
    if message["msg_type"] == "stream":
        print(message["content"]["text"].strip(), manager.provisioner.pid, flush=True)

with private_kernel(PACKAGE.parent, forked=True):
    manager, client = start_new_kernel(kernel_name="python3")
    client.execute_interactive({PROCESSES!r}, output_hook=show)
    sys.stdin.read()
"""


@pytest.fixture(scope="module", autouse=True)
def own_servers(share_server):
    """Let reports have their own servers and ordinary kernels, as without `conftest.py`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONPATH", raising=False)
        patch.setattr(run, "can_serve", forked_kernels.can_serve)
        yield


@pytest.fixture(scope="module")
def server():
    """Fork kernels from the server of `conftest.py`, or from an own one if there is none."""

    @contextmanager
    def kernel_server(place, environment):
        place.symlink_to(os.environ["WARM_KERNELS"])
        yield

    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            if "WARM_KERNELS" in os.environ:
                patch.setattr(run, "kernel_server", kernel_server)
            stack.enter_context(private_kernel(PACKAGE.parent, forked=True))
        yield


@pytest.fixture
def start():
    """Return a function that starts a kernel and returns its manager and its client."""
    with ExitStack() as stack:

        def start():
            manager, client = start_new_kernel(kernel_name="python3", startup_timeout=PATIENCE_S)
            stack.callback(manager.shutdown_kernel, now=True)
            stack.callback(client.stop_channels)
            return manager, client

        yield start


def ask(client, code):
    """Run code in a kernel and return what it prints."""
    texts = []
    client.execute_interactive(
        code,
        output_hook=lambda message: texts.append(message["content"].get("text", "")),
        timeout=PATIENCE_S,
    )
    return "".join(texts).strip()


def ask_processes(client):
    """Return the numbers of a kernel's process and of its parent."""
    return [int(number) for number in ask(client, PROCESSES).split()]


def test_two_kernels_of_one_process_share_its_modules_but_no_names(server, start):
    clients = [start()[1] for _ in range(2)]
    processes, parents = zip(*map(ask_processes, clients), strict=True)
    assert len({*processes}) == 2
    assert len({*parents}) == 1
    assert Process(parents[0]).cmdline()[2:4] == [run.LAUNCHER, "serve"]
    for number, client in enumerate(clients):
        assert ask(client, "import sys; print('seaborn' in sys.modules)") == "True"
        ask(client, f"number = {number}")
    assert [ask(client, "print(number)") for client in clients] == ["0", "1"]


def test_a_kernel_has_the_folder_and_the_variables_of_its_launcher(
    server, start, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADDED", "a value")
    client = start()[1]
    assert (
        ask(client, "import os; print(os.getcwd(), os.environ['ADDED'])") == f"{tmp_path} a value"
    )


def test_ctrl_c_ends_a_cell_but_not_the_kernel(server, start):
    manager, client = start()
    endless = "print('begun', flush=True)\nwhile True: pass"
    request = client.execute(endless, stop_on_error=False)  # else the next request may be aborted
    while client.get_iopub_msg(PATIENCE_S)["content"].get("text") != "begun\n":
        pass
    manager.interrupt_kernel()
    reply = client.get_shell_msg(PATIENCE_S)
    while reply["parent_header"]["msg_id"] != request:  # an answer from the start of the kernel
        reply = client.get_shell_msg(PATIENCE_S)
    assert reply["content"]["ename"] == "KeyboardInterrupt"
    assert ask(client, "print(1 + 1)") == "2"


@pytest.mark.parametrize("victim", ["kernel", "launcher"])
def test_a_kernel_and_its_launcher_end_together(server, start, victim):
    manager, client = start()
    processes = {
        "kernel": Process(ask_processes(client)[0]),
        "launcher": Process(manager.provisioner.pid),
    }
    assert processes["kernel"] != processes["launcher"]
    processes[victim].kill()
    assert wait_procs(processes.values(), PATIENCE_S)[1] == []


def test_a_kernel_is_an_ordinary_one_after_the_server_has_ended(start, monkeypatch):
    monkeypatch.setattr(forked_kernels, "SERVER", QUICK_SERVER)
    with private_kernel(PACKAGE.parent, forked=True):
        forked = start()[1]
        server = Process(ask_processes(forked)[1])
        server.kill()
        server.wait(PATIENCE_S)
        manager, ordinary = start()
        assert ask_processes(ordinary) == [manager.provisioner.pid, os.getpid()]
        assert ask(forked, "print(1 + 1)") == ask(ordinary, "print(1 + 1)") == "2"


def test_a_kernel_is_an_ordinary_one_if_the_server_ends_before_it_answers(start, monkeypatch):
    @contextmanager
    def ending_server(place, environment):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place))
            listener.listen()
            Thread(target=lambda: listener.accept()[0].close(), daemon=True).start()
            yield

    monkeypatch.setattr(run, "kernel_server", ending_server)
    with private_kernel(PACKAGE.parent, forked=True):
        manager, client = start()
        assert ask_processes(client) == [manager.provisioner.pid, os.getpid()]


@pytest.mark.parametrize("ends", [signal.SIGKILL, None])
def test_nothing_runs_after_a_report_that_is_killed_or_ends(ends):
    with start_python(REPORT) as report:
        numbers = [int(number) for number in report.stdout.readline().split()]
        processes = [Process(number) for number in numbers]
        if ends:
            report.send_signal(ends)
        report.stdin.close()
        assert wait_procs(processes, PATIENCE_S)[1] == []
    assert not any(map(pid_exists, numbers))


def test_a_path_that_is_too_long_for_a_socket_is_not_served(tmp_path):
    room = MOST_BYTES_OF_PATH - len(str(tmp_path)) - 1
    assert can_serve(tmp_path / ("x" * room))
    assert not can_serve(tmp_path / ("x" * (room + 1)))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / ("x" * room)))
        with pytest.raises(OSError, match="too long"):
            listener.bind(str(Path(tmp_path, "x" * (room + 1))))
