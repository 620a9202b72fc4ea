"""What scripts share that play fob with real processes: its control sockets, start and patience."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time

# Ten times what the slowest machine needs: whoever waits so long has found something that hangs.
PATIENCE = 60

# Whoever starts a script from a thread that has signals blocked hands that on: what the script
# starts would not end when it is told to.
signal.pthread_sigmask(signal.SIG_SETMASK, set())


class Lines:
    """A control socket: one request, one answer."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.reader = self.socket.makefile("rb")

    def begin(self, do, **fields):
        """Asks without waiting."""
        self.socket.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")

    def answer(self):
        """None where the other end has died."""
        try:
            line = self.reader.readline()
        except ConnectionError:
            return None
        return json.loads(line) if line.endswith(b"\n") else None

    def ask(self, do, **fields):
        self.begin(do, **fields)
        answer = self.answer()
        if not answer or not answer.get("ok"):
            sys.exit(f"{do}: {answer}")
        return answer

    def close(self):
        self.reader.close()
        self.socket.close()


def awaited(condition, process):
    """Waits until that is so; fob has to live meanwhile."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit("fob does not start")
        time.sleep(0.05)


def started(words, log, through=(), environment=None):
    """A fob that says by a descriptor when it is ready, with these words in front of it.

    Returns its process once it is ready, or once it has ended before that."""
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            [*through, *map(str, words), "--ready-fd", str(writing)], pass_fds=[writing],
            stdin=subprocess.DEVNULL, stdout=log.open("ab"), stderr=subprocess.STDOUT,
            env=environment)
        os.close(writing)
        writing = None
        # Not select(2), which knows descriptors below 1024 alone.
        ready = select.poll()
        ready.register(reading, select.POLLIN)
        if not ready.poll(PATIENCE * 1000):
            process.kill()
            process.wait()
        elif not os.read(reading, 64):
            process.wait()
        return process
    finally:
        os.close(reading)
        if writing is not None:
            os.close(writing)
