"""strace on one thread of a process: which calls it makes, and what one of them does instead."""

import collections
import pathlib
import re
import subprocess
import time

from fob_rig import PATIENCE


def threads(pid):
    """Numbers of threads by their names; those of one name are numbered in their order."""
    found = collections.defaultdict(list)
    for task in sorted(pathlib.Path(f"/proc/{pid}/task").iterdir(), key=lambda t: int(t.name)):
        try:
            name = (task / "comm").read_text().strip()
        except OSError:
            continue
        found[name.replace(" ", "-").replace("/", "-")].append(int(task.name))
    return {name if index == 0 else f"{name}.{index}": number
            for name, numbers in found.items() for index, number in enumerate(numbers)}


# Of /proc/PID/task/ID/stat: it ends, or a signal has ended it.
PF_EXITING, PF_SIGNALED = 0x4, 0x400
SIGKILL_BIT = 1 << 8


def is_dying(pid):
    """Whether a process that was killed is ending, before it can be waited for."""
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            flags = int((task / "stat").read_text().rpartition(")")[2].split()[6])
            pending = re.findall(r"(?:Sig|Shd)Pnd:\s+(\w+)", (task / "status").read_text())
        except OSError:
            # That thread has ended.
            continue
        if flags & (PF_EXITING | PF_SIGNALED) or any(int(p, 16) & SIGKILL_BIT for p in pending):
            return True
    return False


def words(inject=None, log="/dev/null", paths=()):
    """- inject: what strace's --inject takes; without it calls are recorded alone.
    - paths: only calls that have to do with these."""
    found = ["strace", "-qqq", "-o", str(log), "-e", "signal=none"]
    if inject:
        found += ["-e", f"trace={inject.split(':')[0]}", "-e", f"inject={inject}"]
    for path in paths:
        found += ["-P", str(path)]
    return found


class Strace:
    """Attached to a thread until it is stopped, or the process has died.

    - all: every thread of the process, also those to come; each has a count of its own."""

    def __init__(self, thread, inject=None, log="/dev/null", all=False, paths=()):
        self.log = log
        self.process = subprocess.Popen(
            [*words(inject, log, paths), *(["-f"] if all else []), "-p", str(thread)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        tasks = threads(thread).values() if all else [thread]
        end = time.monotonic() + PATIENCE
        while not all_traced(tasks):
            if time.monotonic() > end:
                raise SystemExit(f"strace does not attach: {self.process.stderr.read().decode()}")
            if self.process.poll() is not None:
                return
            time.sleep(0.001)

    @property
    def injected(self):
        return "(INJECTED)" in self.log.read_text(errors="replace")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            # It waits for a thread of a process that has died.
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()


def all_traced(tasks):
    """Those that have ended meanwhile do not count."""
    for task in tasks:
        try:
            if "TracerPid:\t0" in pathlib.Path(f"/proc/{task}/status").read_text():
                return False
        except OSError:
            pass
    return True


def recorded(log, since=""):
    """How often each call was made by the thread that makes most of them; and how often by the
    first thread before the first line with those words."""
    calls, before, first = collections.Counter(), collections.Counter(), None
    for line in log.read_text(errors="replace").splitlines():
        called = re.match(r"(\d+ +)?(\w+)\(", line)
        if not called or called.group(2) == "execve":
            continue
        if since and since in line:
            since = ""
        first = first or called.group(1)
        calls[called.groups()] += 1
        before[called.group(2)] += bool(since) and called.group(1) == first
    most = collections.Counter()
    for (_, call), count in calls.items():
        most[call] = max(most[call], count)
    return most, before
