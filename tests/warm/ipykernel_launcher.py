"""What `python -m ipykernel_launcher` runs under `pytest -n`: a kernel that starts at once.

The tests start some sixty kernels, and each would spend three seconds on the same imports. Here
one process has imported what notebooks do, and is forked for each kernel. Jupyter's own process
stands for the kernel: it passes signals on, and either ends with the other."""

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
    """Until standard input ends, which is when the tests do."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(place)
        server.listen()  # who asks now waits
        Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        rehearse()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a kernel
        while True:
            launcher = server.accept()[0]
            if not os.fork():
                become_kernel(launcher)
            launcher.close()


def rehearse() -> None:
    """Import what notebooks do, and what only a search and a picture load."""
    rooms = (room.name for room in walk_packages([str(PACKAGE)], "kalahlab."))
    for module in [*LIBRARIES.split(), *rooms]:
        if not module.endswith("__main__"):
            import_module(module)
    from matplotlib.figure import Figure

    from kalahlab import Kalah, engine
    from kalahlab.draw.artifacts import Artifacts
    from kalahlab.evaluators.kalah import store_difference
    from kalahlab.search import Depth
    from kalahlab.widgets.runtime import digest

    game = Kalah(3, 2)
    for search in engine.ALGORITHMS.values():
        search(game, game.start(), store_difference, Depth(2))
    digest()
    with tempfile.TemporaryDirectory() as folder:
        kept = Artifacts(1, folder)
        kept.figure("line", Figure().subplots(), "A chart.")
        kept.figure("dot", DOT, "A picture.")


def become_kernel(launcher: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    told, outputs, *_ = socket.recv_fds(launcher, 1 << 20, 3)
    sys.argv, environment, folder, sys.path[:] = json.loads(told)
    for number, output in enumerate(outputs):
        os.dup2(output, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    del os.environ["JPY_PARENT_PID"]  # it would end, having another parent than that
    tempfile.tempdir = None
    import_module("matplotlib").rcParams["backend"] = environment.get("MPLBACKEND", INLINE)
    import_module("pandas").set_option("display.max_columns", 20)  # its own choice in a kernel
    launcher.sendall(str(os.getpid()).encode())
    Thread(target=lambda: (launcher.recv(1), os._exit(1)), daemon=True).start()
    try:
        import_module("ipykernel.kernelapp").launch_new_instance()
    finally:
        os._exit(0)


def launch(place: str) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(place)
        told = json.dumps([sys.argv, dict(os.environ), os.getcwd(), sys.path])
        socket.send_fds(server, [told.encode()], [0, 1, 2])
        kernel = int(server.recv(20))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, frame: os.kill(kernel, number))
        server.recv(1)  # nothing comes, until it ends


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
    if sys.path[0] == os.getcwd():
        del sys.path[0]  # as the module does whose name this has
    ours = find_spec("kalahlab")
    if PLACE in os.environ and ours and Path(ours.origin or "").parent == PACKAGE:
        launch(os.environ[PLACE])
    else:  # the kernel of another checkout
        sys.path.remove(str(Path(__file__).parent))
        runpy.run_module("ipykernel_launcher", run_name="__main__", alter_sys=True)
