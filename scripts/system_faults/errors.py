"""EIO, ENOSPC, EINTR and short writes at each operation on a file, once or from then on."""

import errno
import os
import re

from system_faults.kills import Alarm, left_alarm, settled_start
from system_faults.strace import Strace, words
from system_faults.world import Trouble

# Not fcntl, by which SQLite locks: what gives a lock back is never refused for a file of this
# machine, and SQLite then holds it until it closes the file.
CALLS = {
    "store": {
        "pwrite64": ("EIO", "ENOSPC"), "fdatasync": ("EIO", "ENOSPC", "EINTR"),
        "pread64": ("EIO",),
        "fsync": ("EIO", "ENOSPC", "EINTR"), "ftruncate": ("EIO", "ENOSPC", "EINTR"),
        "openat": ("EIO", "ENOSPC", "EINTR", "EMFILE"), "newfstatat": ("EIO",),
        "read": ("EIO", "EINTR"), "unlink": ("EIO",), "lseek": ("EIO",), "mmap": ("ENOMEM",),
    },
    "told": {"write": ("EIO", "ENOSPC", "EINTR")},
    "log": {"write": ("EIO", "ENOSPC", "EINTR")},
    # EIO of read says that a pty is gone for good.
    "line": {"read": ("EINTR",), "write": ("EIO", "EINTR"), "openat": ("EIO", "EINTR"),
             "ioctl": ("EIO", "EINTR")},
}

# The second is made in a start and in a stop, beside whatever else happens.
DATABASES = ("fob.sqlite", "fob.sqlite.backup.part", "fob.sqlite.backup")


def paths(world, place):
    """Of the files that are meant."""
    if place == "store":
        state = world.folder / "state"
        return [state, *(state / f"{name}{end}" for name in DATABASES
                         for end in ("", "-wal", "-shm", "-journal"))]
    if place == "line":
        return [world.folder / "line", os.path.realpath(world.folder / "line")]
    return [world.folder / "told" if place == "told" else world.log]


def kinds(place):
    return [(call, error) for call, errors in CALLS[place].items() for error in errors]


def fail_once(world, place, call, error, k, lasts=False):
    """The k-th such call of an alarm fails, and with `lasts` each after it.

    Returns whether there was one."""
    alarm = Alarm(world, "press")
    log = world.folder / "injected"
    log.write_bytes(b"")
    tracer = Strace(world.core.pid, f"{call}:error={error}:when={k}{'+' if lasts else ''}",
                    log, all=True, paths=paths(world, place))
    if lasts and place == "store":
        told_all_the_same(world, alarm, lambda: tracer.injected)
    elif lasts:
        alarm.event = world.press()
        world.until(lambda: tracer.injected or not world.lives or is_told(world),
                    "a call that fails is never made")
    else:
        alarm.act()
    tracer.stop()
    injected = tracer.injected
    survived(world)
    alarm.finish()
    # What was said to be durable is so: it is there after the process has died.
    if injected:
        world.core.kill()
        world.core_again()
        world.verify_rows()
    return injected


def is_told(world):
    state = world.ask_keychain("state")
    return state["shown"] == "accepted" and state["unacked"] == 0


def told_all_the_same(world, alarm, has_failed):
    """The disk takes nothing: people are told, and nothing claims what is not so."""
    before = len(world.receiver.messages)
    alarm.event = world.press()
    with world.receiver.news:
        heard = world.receiver.news.wait_for(lambda: len(raised(world, before)) == 2, 60)
    if not heard and world.lives:
        raise Trouble("untold", "nobody is told while the disk fails")
    world.until(lambda: not world.lives or is_told(world) or has_failed()
                and isinstance(world.status.get("storageFailure"), str), "neither durable nor said",
                "unclear")
    if not world.lives or is_told(world):
        return
    said = world.status.get("storageFailure")
    if isinstance(said, str):
        clear(said)
        world.until(lambda: "NOT DURABLE: cannot " in world.tail(world.log, 200),
                    "the failure is not on the output", "unclear")
        state = world.ask_keychain("state")
        if state["unacked"] == 0 and isinstance(world.status.get("storageFailure"), str):
            raise Trouble("lost", f"acked and not durable: {state}")


def raised(world, since):
    return {message["contact"]["id"] for message in world.receiver.messages[since:]
            if message.get("kind") == "raise"}


def clear(words):
    """Names what was done, the file and why; or that nothing came back as yet."""
    if not re.search(r"cannot .*fob\.sqlite[^:]*: .{4,}|the store does not answer", words):
        raise Trouble("unclear", words)


def survived(world):
    """A process that could not go on has said why, and begins again."""
    if world.lives:
        return
    ended(world)
    world.core_again()


def ended(world):
    lines = world.tail(world.log, 3).splitlines()
    code = world.core.wait()
    if code < 0 or code in (0, 1) or not any(
            re.match(r"(fob|Error): .*(/|\b[a-z]+\b).*: .+", line)
            or "error while loading shared libraries" in line for line in lines):
        raise Trouble("unclear", f"it ended with {code}, saying: {lines}")


def fail_start(world, place, call, error, k, lasts=False):
    """As above, in a start that finds an alarm."""
    event = left_alarm(world, "bridge")
    log = world.folder / "injected"
    log.write_bytes(b"")
    inject = f"{call}:error={error}:when={k}{'+' if lasts else ''}"
    through = [*words(inject, log, paths(world, place)), "-D", "-f"]
    process = world.start_again("bridge", through, may_end=True)

    def is_injected():
        return "(INJECTED)" in log.read_text(errors="replace")
    if process.poll() is None:
        settled_start(world, lambda: lasts and is_injected())
        process.kill()
        process.wait()
    else:
        ended(world)
    world.core_again()
    world.clear(world.verify(event))
    return is_injected()


def fail_stop(world, place, call, error, k, lasts=False):
    """As above, in a stop amid an alarm: it ends in time, and the next start finds all."""
    event = world.press()
    world.verify(event)
    log = world.folder / "injected"
    log.write_bytes(b"")
    tracer = Strace(world.core.pid, f"{call}:error={error}:when={k}{'+' if lasts else ''}",
                    log, all=True, paths=paths(world, place))
    world.core.terminate()
    world.until(lambda: not world.lives, "it does not stop")
    tracer.stop()
    code = world.core.wait()
    # What could not be written of its output ends any command with 74.
    unwritten = place == "log" and tracer.injected and code == os.EX_IOERR
    if code != 0 and not unwritten:
        raise Trouble("unclear", f"a stop ends with {code}: {world.tail(world.log, 3)}")
    world.core_again()
    world.clear(world.verify(event))
    return tracer.injected


def shorten(world, k, lasts=False):
    """The k-th write of an alarm takes a part only, and with `lasts` each after it."""
    return by_shim(world, SHORT, k, lasts)


def refuse_lock(world, error, k, lasts=False):
    """The k-th lock of an alarm is refused, and with `lasts` each after it."""
    return by_shim(world, LOCK, k, lasts, getattr(errno, error))


# Where their fields begin in shim.c, and where it counts what it did.
SHORT, LOCK = (1, 4), (5, 9)


def by_shim(world, fields, k, lasts, *error):
    at, counted = fields
    alarm = Alarm(world, "press")
    world.set_faults(counted - 1, 0, 0)
    world.set_faults(at, k, FOREVER if lasts else k, *error)
    if lasts and fields == LOCK:
        told_all_the_same(world, alarm, lambda: world.fault(counted) > 0)
    else:
        alarm.act()
    survived(world)
    world.set_faults(at, 0)
    alarm.finish()
    return world.fault(counted) > 0


FOREVER = 1 << 40
