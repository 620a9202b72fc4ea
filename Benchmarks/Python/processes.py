"""Programs that are measured: where they run, and until when."""

import contextlib
import json
import os
import socket
import subprocess
import time

PATIENCE = 30


def go_first():
    """As fob-bench does for itself: its children inherit it."""
    with contextlib.suppress(OSError):
        os.setsid()
    with contextlib.suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as file:
        file.write("-15")
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)


@contextlib.contextmanager
def pinned():
    """What is started within has the last processor; who asks, the first ever after."""
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(processors)})
    yield
    os.sched_setaffinity(0, {min(processors)})


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def started(stack, command, log):
    """Runs until the stack ends; what it prints is in the file `log`."""
    output = stack.enter_context(open(log, "wb"))
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
    )

    def stop():
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
        process.kill()
        process.wait()

    stack.callback(stop)
    return process


def connected(stack, process, log, family, address):
    """As soon as that process listens there."""
    deadline = time.monotonic() + PATIENCE
    while True:
        client = socket.socket(family)
        try:
            client.connect(address)
            client.settimeout(PATIENCE)
            return stack.enter_context(client)
        except OSError:
            client.close()
        if process.poll() is not None or time.monotonic() > deadline:
            with open(log, encoding="utf-8", errors="replace") as text:
                raise ChildProcessError(f"{process.args[0]} did not start: {text.read()}")
        time.sleep(0.05)


def keep(part, rows, path):
    """The rows of a part, as results.py reads them."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump({part: rows}, file, ensure_ascii=False, indent=2)
