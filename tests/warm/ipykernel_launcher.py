"""The module that `python -m ipykernel_launcher` runs under `pytest -n`: kernels start at once.

The tests start some sixty kernels, and each would spend three seconds on the same imports. Instead,
one process imports the modules that notebooks need, and is forked for each kernel. The process that
Jupyter started acts for the kernel: it forwards signals, and each of the two ends with the other.
"""

import json
import os
import runpy
import signal
import socket
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from threading import Thread

PLACE = "WARM_KERNELS"  # the variable with the path of the socket
PACKAGE = Path(__file__).parents[2] / "kalahlab"
LIBRARIES = "ipykernel.kernelapp ipykernel.ipkernel ipykernel.debugger seaborn sklearn.linear_model"
INLINE = "module://matplotlib_inline.backend_inline"
DOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="9">a</text></svg>'


def serve(place: str) -> None:
    """Fork kernels until standard input ends, which is when the tests do."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()  # from here on, launchers wait
        Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        rehearse()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no process waits for a kernel
        while True:
            launcher = server.accept()[0]
            if not os.fork():
                become_kernel(launcher)
            launcher.close()


def rehearse() -> None:
    """Import the modules of notebooks, and those that are loaded by a search and a picture."""
    modules = (module.name for module in walk_packages([str(PACKAGE)], "kalahlab."))
    for module in [*LIBRARIES.split(), *modules]:
        if not module.endswith("__main__"):
            import_module(module)
    from matplotlib.figure import Figure

    from kalahlab import Kalah, engine
    from kalahlab.evaluators.kalah import store_difference
    from kalahlab.report.artifacts import Artifacts
    from kalahlab.search import Depth
    from kalahlab.widgets.runtime import runtime_digest

    game = Kalah(3, 2)
    for search in engine.ALGORITHMS.values():
        search(game, game.start(), store_difference, Depth(2))
    runtime_digest()
    with tempfile.TemporaryDirectory() as folder:
        artifacts = Artifacts(1, folder)
        artifacts.figure("line", Figure().subplots(), "A chart.")
        artifacts.figure("dot", DOT, "A picture.")


def become_kernel(launcher: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    message, outputs, *_ = socket.recv_fds(launcher, 1 << 20, 3)
    sys.argv, environment, folder, sys.path[:] = json.loads(message)
    for number, output in enumerate(outputs):
        os.dup2(output, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    del os.environ["JPY_PARENT_PID"]  # the kernel would end, as its parent is another process
    tempfile.tempdir = None
    import_module("matplotlib").rcParams["backend"] = environment.get("MPLBACKEND", INLINE)
    import_module("pandas").set_option("display.max_columns", 20)  # pandas's default in a kernel
    launcher.sendall(str(os.getpid()).encode())
    Thread(target=lambda: (launcher.recv(1), os._exit(1)), daemon=True).start()
    try:
        import_module("ipykernel.kernelapp").launch_new_instance()
    finally:
        os._exit(0)


def launch(place: str) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(place)
        message = json.dumps([sys.argv, dict(os.environ), os.getcwd(), sys.path])
        socket.send_fds(server, [message.encode()], [0, 1, 2])
        kernel = int(server.recv(20))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, frame: os.kill(kernel, number))
        server.recv(1)  # nothing is sent; it returns when the kernel ends


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    if sys.path[0] == os.getcwd():
        del sys.path[0]  # like the module of this name in ipykernel
    spec = find_spec("kalahlab")
    if PLACE in os.environ and spec and Path(spec.origin or "").parent == PACKAGE:
        launch(os.environ[PLACE])
    else:  # the kernel of another checkout
        sys.path.remove(str(Path(__file__).parent))
        runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
