"""All that is tried: what it is called, in which row it counts, and how often."""

import os

from system_faults import errors, kills, machine

PARTS = {"near": ("bridge", "keychain"), "far": ("core", "relay")}
WORLDS = {"near": {}, "far": {"far": True}}


class Series:
    """A fault at its first, second … place, until there is no such place any more.

    - step: (world, k) → whether it was done; false where there is no k-th place.
    - world: what is special of its world: `far`, `listen`, `user`, `base`."""

    def __init__(self, name, row, step, first=1, last=None, times=None, world=None):
        self.name, self.row, self.step, self.first = name, row, step, first
        # As far as was seen; it goes on while there are more.
        self.last = last or 0
        # Not counted by its places, but done so often.
        self.times = times
        self.world = world or {}
        self.kills_keychain = name.startswith("kill/keychain/")


def phases(place):
    """Of an alarm whose core is near, in the bridge, or far."""
    for who in PARTS[place]:
        yield from ((who, "press", manner) for manner in kills.MANNERS)
        yield from ((who, phase, "pressed") for phase in ("disarm", "resume", "start"))


def killed(recording, place, only):
    """Every call of every thread in every phase, as recorded in this world."""
    for who, phase, manner in phases(place):
        prefix = f"kill/{who}/{phase}/{manner}"
        if only and not any(prefix.startswith(o) or o.startswith(prefix) for o in only):
            continue
        found = kills.calls(recording, who, phase, manner)
        for (thread, call), (before, count) in sorted(found.items()):
            yield Series(
                f"{prefix}/{thread}/{call}", f"kill {who}: {call}",
                lambda world, k, of=(who, phase, manner, thread, call): kills.kill(world, *of, k),
                before + 1, count, world=WORLDS[place])


def failing():
    for place in errors.CALLS:
        for call, error in errors.kinds(place):
            row = f"{error}: {call}, {place}"
            once = {"place": place, "call": call, "error": error}
            for phase, fail in (("press", errors.fail_once), ("start", errors.fail_start),
                                ("stop", errors.fail_stop)):
                def step(world, k, fail=fail, once=once, lasts=False):
                    return fail(world, *once.values(), k, lasts)
                yield Series(f"{error}/{phase}/{place}/{call}", row, step)
                # What is interrupted for ever is tried for ever.
                if error != "EINTR":
                    yield Series(
                        f"{error}+/{phase}/{place}/{call}", row,
                        lambda world, k, step=step: step(world, k, lasts=True), last=1)
    yield Series("short/press", "short writes", errors.shorten, last=40)
    yield Series("short+/press", "short writes",
                 lambda world, k: errors.shorten(world, k, True), last=40)
    for error in ("EIO", "EINTR", "ENOLCK"):
        yield Series(f"lock-{error}/press", "locks refused",
                     lambda world, k, e=error: errors.refuse_lock(world, e, k), last=4)
        yield Series(f"lock-{error}+/press", "locks refused",
                     lambda world, k, e=error: errors.refuse_lock(world, e, k, True), last=1)


def troubled(is_sample, mount, uid):
    """- mount: a folder that is a small tmpfs; none where it cannot be mounted.
    - uid: of a user with no other process; none where that cannot be had."""
    few, many = (1, 1) if is_sample else (10, 30)
    for place, parts in PARTS.items():
        for who in parts:
            yield Series(f"stop/{who}", f"SIGSTOP, {who}",
                         lambda world, k, who=who: machine.stop(world, who, k), times=few,
                         world=WORLDS[place])
    for step in list(machine.STEPS)[::2 if is_sample else 1]:
        yield Series(f"clock/{step}", "clock steps",
                     lambda world, k, step=step: machine.clock(world, step, k), times=few)
    shorts = ["descriptors", "memory", "file-size"] + (["threads"] if uid else [])
    for what in shorts:
        yield Series(f"limit/{what}", f"limit: {what}",
                     lambda world, k, what=what: machine.short_of(world, what, k),
                     times=few, world={"user": uid} if what == "threads" else None)
    for option, row, amounts, user in (
            ("nofile", "descriptors", range(4, 100, 4), None),
            ("as", "memory", [n << 20 for n in range(100, 1000, 50)], None),
            ("nproc", "threads", range(6, 60, 3), uid)):
        if option == "nproc" and not uid:
            continue
        for amount in [a for i, a in enumerate(amounts) if not is_sample or i % 9 == 1]:
            yield Series(
                f"start/{option}={amount}", f"limit: {row}",
                lambda world, k, o=option, a=amount: machine.start_short_of(world, o, a, k),
                times=1, world={"user": user} if user else None)
    yield Series("hang/disk", "disk that hangs", machine.hanging_disk, times=few)
    count = 2000 if is_sample else 10_000
    yield Series("connections", "10,000 connections" if not is_sample else "connections",
                 lambda world, k: machine.connections(world, count), times=few,
                 world={"listen": True})
    yield Series("slow", "slow clients", lambda world, k: machine.slow_clients(world, 200),
                 times=few, world={"listen": True})
    if os.path.isdir("/dev/shm"):
        yield Series("tmpfs/press", "tmpfs folder", on_tmpfs, times=many,
                     world={"base": "/dev/shm"})
    if mount:
        yield Series("tmpfs/full", "full disk", machine.full_disk, times=few,
                     world={"base": mount})


def on_tmpfs(world, k):
    """An alarm, and a bridge that is killed at some call of its commit."""
    assert kills.kill(world, "bridge", "press", "pressed", "commit", "pwrite64", k % 10 + 1)
    return True
