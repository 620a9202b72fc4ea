#!/usr/bin/env python3
"""Real processes on a machine that fails: kill -9 at each system call of the alarm path, errors and
short writes at each operation on a file, and what else a machine does.

    scripts/system-faults.py FOB [--kills N] [--sample] [--seed N] [--only NAME …]

The table says which fault was tried how often, and whether a press was lost or became two, fob
hung, nobody was told, or it did not say clearly what was wrong: each has to be 0, and no row
untried. (A call that was recorded by chance may never be made again; those are listed.) A fault is
named, as in `kill/bridge/press/pressed/commit/pwrite64/7`; `--only` takes a name, or the beginning
of some. `--sample` tries some of each, by chance.
"""

import argparse
import contextlib
import os
import pathlib
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

sys.dont_write_bytecode = True

from system_faults import machine, plan  # noqa: E402
from system_faults.far import FarWorld  # noqa: E402
from system_faults.rows import Table  # noqa: E402
from system_faults.world import ALARMS_OF_A_WORLD, Trouble, World  # noqa: E402

HERE = pathlib.Path(__file__).parent
# A user with no other process, whose limit of processes so is that of fob alone.
LONELY = 61_610
OWN_MOUNTS = "FOB_FAULTS_OWN_MOUNTS"
# Of a series that has failed so often, no more is tried: each may take a minute to fail.
ENOUGH = 3
# The number of a pty goes to whoever opens the next. While a keychain is dead its link may lead to
# that of another world, whose press its bridge would take: so none is born meanwhile.
BIRTHS = threading.RLock()


class Worker:
    """Worlds of its own, one of each kind, made anew when they are worn or in trouble."""

    def __init__(self, options, shim, table, number):
        self.options, self.shim, self.table, self.number = options, shim, table, number
        self.worlds = {}

    def world(self, special):
        kind = tuple(sorted(special.items()))
        world = self.worlds.get(kind)
        if world and len(world.alarms) >= ALARMS_OF_A_WORLD:
            self.discard(kind)
            world = None
        if not world:
            special = dict(special)
            if "user" in special:
                special["user"] += self.number
            kind_of_world = FarWorld if special.pop("far", False) else World
            with BIRTHS:
                world = self.worlds[kind] = kind_of_world(self.options.fob, self.shim, **special)
            world.await_linked()
            world.undisturbed()
        return kind, world

    def discard(self, kind):
        self.worlds.pop(kind).close()

    def close(self):
        for kind in list(self.worlds):
            self.discard(kind)

    def attempt(self, series, k):
        """Whether there was a k-th place; true in trouble, too."""
        kind, world = None, None
        try:
            with BIRTHS if series.kills_keychain else contextlib.nullcontext():
                kind, world = self.world(series.world)
                done = series.step(world, k)
            if done:
                self.table.tried(series.row)
            return done
        except Exception as error:
            self.table.tried(series.row)
            what = error.kind if isinstance(error, Trouble) else "hung"
            words = [f"{what.upper()}: {series.name}/{k}: {error}"]
            if not isinstance(error, Trouble):
                words.append(traceback.format_exc())
            if world:
                words += ["the bridge's and the core's last words:", world.tail(world.log),
                          "the keychain's:", world.tail(world.keychain_log, 3)]
                self.discard(kind)
            words.append(f"again: scripts/system-faults.py {self.options.named} "
                         f"--only {series.name}/{k}")
            self.table.trouble(series.row, what, "\n".join(words))
            print("\n".join(words), flush=True)
            raise Broken from None

    def play(self, series):
        broken = 0
        for k in self.places(series):
            try:
                if not self.attempt(series, k):
                    if not series.times and k >= series.last:
                        return
            except Broken:
                broken += 1
                if broken == ENOUGH:
                    return

    def places(self, series):
        if series.name in self.options.exactly:
            return [self.options.exactly[series.name]]
        if series.times:
            return range(1, series.times + 1)
        if self.options.sample:
            chance = random.Random(f"{self.options.seed} {series.name}")
            return [chance.randint(series.first, max(series.first, series.last))]
        return range(series.first, 10_000)


class Broken(Exception):
    """What was tried has failed, and is in the table."""


def play(options, shim, table, all_series):
    """On several workers, each with the next series that nobody has begun."""
    waiting = queue.SimpleQueue()
    for series in all_series:
        waiting.put(series)

    def work(number):
        worker = Worker(options, shim, table, number)
        try:
            while True:
                worker.play(waiting.get_nowait())
        except queue.Empty:
            pass
        finally:
            worker.close()

    threads = [threading.Thread(target=work, args=[number]) for number in range(options.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def chosen(series, options):
    """Those that --only names; one of them alone, where it says at which place."""
    if not options.only:
        return series
    found = []
    for one in series:
        for name in options.only:
            head, _, place = name.rpartition("/")
            if head == one.name and place.isdigit():
                options.exactly[one.name] = int(place)
            elif not one.name.startswith(name):
                continue
            found.append(one)
    return found


def killings(options, shim):
    found = []
    for place, kind in ("near", World), ("far", FarWorld):
        recording = kind(options.fob, shim)
        try:
            recording.await_linked()
            recording.undisturbed()
            found += plan.killed(recording, place, options.only)
        finally:
            recording.close()
    return chosen(found, options)


def run(options, folder, mount):
    shim = folder / "shim.so"
    subprocess.run(["gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
                    "-o", shim, HERE / "system_faults/shim.c", "-ldl"], check=True)
    folder.chmod(0o755)
    uid = LONELY if os.geteuid() == 0 else None
    if uid:
        # Another user can run it, wherever it was built.
        options.fob = shutil.copy(options.fob, folder / "fob")
    table, began = Table(), time.monotonic()
    others = list(plan.failing()) + list(plan.troubled(options.sample, mount, uid))
    others = chosen(others, options)
    needs_kills = not options.only or any("kill/".startswith(o[:5]) for o in options.only)
    deaths = killings(options, shim) if needs_kills else []
    if options.sample:
        chance = random.Random(options.seed)
        deaths = chance.sample(deaths, min(len(deaths), options.kills))
        places = [s for s in others if not s.times]
        others = chance.sample(places, min(len(places), 16)) + [s for s in others if s.times]
    if not options.sample and not options.only:
        for series in deaths:
            table.expect(series.row)
        for series in others:
            table.add(series.row)
    if not deaths + others:
        sys.exit("there is no such fault: --only takes the beginning of a name")
    play(options, shim, table, deaths + others)
    while table.kills < options.kills and deaths and not options.only and not table.troubles \
            and not options.sample:
        play(options, shim, table, killings(options, shim))
    print(table.text())
    print(f"{table.kills} kills at system calls, in {time.monotonic() - began:.0f} s"
          + (f", seed {options.seed}" if options.sample else ""))
    for words in table.troubles:
        print(words.splitlines()[0])
    if not (uid and mount):
        print("not tried, since it takes root: limits of threads, a full disk")
    return 1 if table.isBad else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fob", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--kills", type=int, help="at least so many (2000, of a sample 32)")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    options.exactly, options.named = {}, options.fob
    options.kills = options.kills or (32 if options.sample else 2000)
    machine.raise_own_limit(10_000)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
    with tempfile.TemporaryDirectory(prefix="fob-faults-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "small").mkdir()
        mount = str(folder / "small") if OWN_MOUNTS in os.environ else None
        if mount:
            machine.mount(mount)
        try:
            code = run(options, folder, mount)
        finally:
            if mount:
                subprocess.run(["umount", mount], check=True)
    sys.exit(code)


def with_own_mounts():
    """What root mounts is gone with this process, whatever becomes of it."""
    own = ["unshare", "--mount", "--propagation", "private"]
    if os.geteuid() == 0 and OWN_MOUNTS not in os.environ \
            and subprocess.run([*own, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        os.environ[OWN_MOUNTS] = "1"
        os.execvp(own[0], [*own, sys.executable, *sys.argv])


if __name__ == "__main__":
    with_own_mounts()
    main()
