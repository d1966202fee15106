"""Kernels that start at once: one process imports what notebooks need, and is forked for each.

Each kernel would otherwise spend three seconds on the same imports. Jupyter starts a launcher,

    python -m kalahlab.report.forked_kernels SOCKET ARGUMENT...

which sends the arguments of the kernel to the server at the socket. The server forks the kernel.
From then on the launcher acts for the kernel: it forwards signals, and each of the two ends with
the other. The launcher also ends with the process that started it, as a kernel would. If there is
no server any more, the launcher itself becomes the kernel.
"""

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from threading import Thread

from kalahlab.formatting import to_json

MODULES = (
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "ipykernel.debugger",  # this and the next two are loaded by each kernel at its start
    "IPython.extensions.storemagic",
    "tornado.platform.asyncio",
    "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg",
    "pandas.io.formats.style",
    "seaborn",
    "scipy.optimize",
    "kalahlab.draw.pdf",
    "kalahlab.experiments.settings",
    "kalahlab.matches.tournament",
    "kalahlab.report.artifacts",
    "kalahlab.report.exercises",
    "kalahlab.solver.exact_solver",
    "kalahlab.widgets.explorer",
)
"""What most notebooks import, or load with their figures. A notebook imports the rest itself."""

SERVER = [sys.executable, "-m", __name__, "serve"]  # and the number of its socket
PARENT_CHECK_S = 1.0  # between two looks whether a process that started a launcher has ended
MOST_BYTES = 1 << 20  # of the arguments and the environment of a kernel
MOST_BYTES_OF_PATH = 107  # of a socket, in Linux


def can_serve(place: Path) -> bool:
    """Return whether processes can be forked safely here, and a socket can have this path."""
    return sys.platform == "linux" and len(os.fsencode(place)) <= MOST_BYTES_OF_PATH


@contextmanager
def kernel_server(place: Path, environment: dict[str, str]) -> Iterator[None]:
    """Run the server with a socket at `place`; it ends with the context, or with this process."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()  # from here on, launchers can connect, and wait for their kernel
        server = subprocess.Popen(
            [*SERVER, str(listener.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
            env=environment,
            start_new_session=True,  # Ctrl-C is for the process that started this one
        )
    # Only the server has the socket now, so that launchers notice if the server ends.
    try:
        yield
    finally:
        server.communicate()


def serve(listener: socket.socket) -> None:
    """Fork kernels until standard input ends, which is when the process that started this ends."""
    Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    prepare()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no process waits for a kernel
    while True:
        launcher = listener.accept()[0]
        if not os.fork():
            listener.close()  # else launchers would wait for a kernel if the server ends
            become_kernel(launcher)
        launcher.close()


def prepare() -> None:
    """Import the modules, and load the compiled kernels of the engine."""
    gc.disable()
    # Else the debugger warns that it cannot stop in modules of Python. Jupyter sets this, too.
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    for module in MODULES:
        import_module(module)
    from kalahlab import engine
    from kalahlab.evaluators.kalah import store_difference
    from kalahlab.games.kalah import Kalah
    from kalahlab.search import Depth

    game = Kalah(3, 2)
    for search in engine.ALGORITHMS.values():
        search(game, game.start(), store_difference, Depth(3))
    gc.enable()
    gc.freeze()  # kernels never look for garbage among what has been imported


def become_kernel(launcher: socket.socket) -> None:
    """Run a kernel with the arguments that a launcher sends; do not return."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    message, outputs, *_ = socket.recv_fds(launcher, MOST_BYTES, 3)
    sys.argv, environment, folder, sys.path[:] = json.loads(message)
    for number, output in enumerate(outputs):
        os.dup2(output, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # The kernel would end at once: its parent is not the process that started the launcher.
    os.environ.pop("JPY_PARENT_PID", None)
    tempfile.tempdir = None
    # Both have looked for a kernel when they were imported, and there was none.
    inline = "module://matplotlib_inline.backend_inline"
    import_module("matplotlib").rcParams["backend"] = environment.get("MPLBACKEND", inline)
    import_module("pandas").set_option("display.max_columns", 20)
    launcher.sendall(str(os.getpid()).encode())
    Thread(target=lambda: (launcher.recv(1), os._exit(1)), daemon=True).start()
    try:
        import_module("ipykernel.kernelapp").launch_new_instance()
    finally:
        os._exit(0)


def launch(place: str) -> None:
    """Act for a kernel that the server forks. If there is no server, run a kernel here."""
    parent = os.getppid()
    with socket.socket(socket.AF_UNIX) as server:
        try:
            server.connect(place)
            path = [folder for folder in sys.path if folder != os.getcwd()]  # IPython adds it
            message = to_json([sys.argv, dict(os.environ), os.getcwd(), path])
            socket.send_fds(server, [message.encode()], [0, 1, 2])
            kernel = int(server.recv(20))
        except (OSError, ValueError):  # nothing is received if the server ends
            runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, frame: os.kill(kernel, number))
        server.settimeout(PARENT_CHECK_S)
        while os.getppid() == parent:
            with suppress(TimeoutError):
                server.recv(1)  # nothing is sent; it returns when the kernel ends
                return


if __name__ == "__main__":
    task = sys.argv.pop(1)
    if task == "serve":
        serve(socket.socket(fileno=int(sys.argv[1])))
    launch(task)
