#!/usr/bin/env python3
"""From a press to its being durable on two of three PostgreSQL servers, beside a bare commit.

Three servers under Patroni on this machine (examples/cluster), and pgbench, which is libpq and
nothing else: a transaction of one INSERT of as many bytes as a batch of fob's has in the server's
log. In each round all of these take their turn, at the same rate:

  stage      from deciding a press until it is durable, in one process (`fob bench latency
             --store`), of which `work` is the committing thread's on a processor
  bare       pgbench, with as many bytes as those batches have
  press      from reading a press at a bridge until the ack of a `fob core --store` is there, so
             that HTTP between the two is in it
  sqlite     the same press at a core with SQLite
  press_bare pgbench, with as many bytes as the core's batches have
  fdatasync  fdatasync(2) of as many bytes

  FOB=.build/release/fob Benchmarks/Python/quorum.py --rounds 5 --presses 50 --rate 4
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from processes import started
from rack import Lines, Rack, figures

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "examples" / "cluster" / "cluster"
PGBENCH = "/usr/lib/postgresql/15/bin/pgbench"
LATENCY = re.compile(r"decided after ([0-9.]+) ms, durable ([0-9.]+) ms")


class Server:
    def __init__(self, url, folder):
        self.url, self.folder = url, pathlib.Path(folder)

    def ask(self, sql):
        words = ["psql", "--no-psqlrc", "-AtX", "-d", self.url, "-c", sql]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def beside(self, database):
        """The same server, another database."""
        place, options = self.url.split("?")
        return Server(f"{place.rpartition('/')[0]}/{database}?{options}", self.folder)

    def position(self):
        """Bytes of the server's log, and batches of the core."""
        log = self.ask("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
        return int(log), int(self.ask("SELECT batch FROM core"))

    def bare(self, size, count, rate):
        """Milliseconds of each transaction, without how late pgbench was."""
        script = self.folder / "bare.sql"
        script.write_text(f"INSERT INTO bare VALUES (repeat('x', {size}));\n", encoding="ascii")
        for old in self.folder.glob("bare.log*"):
            old.unlink()
        words = [PGBENCH, "-n", "-M", "prepared", "-f", script, "-t", count, "-R", rate, "-l"]
        subprocess.run(
            [*map(str, words), f"--log-prefix={self.folder}/bare.log", self.url], check=True,
            capture_output=True,
        )  # fmt: skip
        (log,) = self.folder.glob("bare.log*")
        rows = [line.split() for line in log.read_text(encoding="ascii").splitlines()]
        return [(int(row[2]) - int(row[6])) / 1000 for row in rows]


def flushed(path, size, count, rate):
    """Milliseconds of each write and fdatasync(2)."""
    took = []
    with open(path, "ab") as file:
        for _ in range(count):
            began = time.monotonic()
            os.write(file.fileno(), b"x" * size)
            os.fdatasync(file.fileno())
            took.append((time.monotonic() - began) * 1000)
            time.sleep(max(0, began + 1 / rate - time.monotonic()))
    return took


class Stage:
    """Decided to durable, by the stamps of a core and a keychain in one process."""

    def __init__(self, fob, server, given):
        self.fob, self.server, self.given = fob, server, given

    def presses(self, stack, number):
        """Milliseconds of each press, and of the committing thread's work for it; and the bytes
        that a batch had in the server's log."""
        server, seconds = self.server.beside(f"stage{number}"), self.given.presses / self.given.rate
        place = server.folder / f"stage{number}.json"
        running = started(
            stack, [
                self.fob, "bench", "latency", "--store", server.url, "--keychains", "1", "--rate",
                str(self.given.rate), "--duration", str(seconds), "--warm-up", "3", "--save",
                str(place),
            ], server.folder / f"stage{number}.log",
        )  # fmt: skip
        log = batches = 0
        while batches < 8 and running.poll() is None:
            time.sleep(0.05)
            with contextlib.suppress(subprocess.CalledProcessError, ValueError):
                log, batches = server.position()
        if running.wait():
            raise ValueError(f"the stage was not measured: {server.folder}/stage{number}.log")
        after = server.position()
        result = json.loads(place.read_text(encoding="utf-8"))
        samples = [each for block in result["blocks"] for each in block["samples"]]
        took = [(each["durable"] - each["decided"]) / 1000 for each in samples]
        work = [each["committing"] / 1000 for each in samples]
        return took, work, (after[0] - log) // max(1, after[1] - batches)


def make_databases(server, cluster, names):
    """By the superuser of whichever member takes writes."""
    address = server.ask("SELECT host(inet_server_addr())")
    for path in pathlib.Path(cluster).glob("*/member.env"):
        lines = path.read_text(encoding="utf-8").splitlines()
        words = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
        if not words["PATRONI_POSTGRESQL_LISTEN"].startswith(address + ":"):
            continue
        environment = os.environ | {"PGPASSWORD": words["PATRONI_SUPERUSER_PASSWORD"]}
        for name in names:
            subprocess.run(
                ["createdb", "-h", address, "-U", words["PATRONI_SUPERUSER_USERNAME"], "-O", "fob",
                 "-T", "template0", "-E", "UTF8", name], check=True, env=environment,
            )  # fmt: skip


class Core:
    def __init__(self, rack):
        self.rack, self.log = rack, rack.folder / "bridge0.log"
        self.control = Lines(rack.folder / "core.sock")

    def presses(self, count, rate):
        """Milliseconds from reading each press until its ack is there; each raises an alarm."""
        before = len(self.took())
        for made in range(1, count + 1):
            began = time.monotonic()
            self.rack.asking.must(do="press", hold_ms=40, serial=1)
            self.rack.until("it is durable", lambda: len(self.took()) >= before + made, 30)
            self.control.must(do="disarm", pin="2468")
            time.sleep(max(0, began + 1 / rate - time.monotonic()))
        return self.took()[before:]

    def took(self):
        stages = LATENCY.findall(self.log.read_text(encoding="utf-8"))
        return [float(durable) - float(decided) for decided, durable in stages]


def core_of(stack, fob, folder, name, *words):
    place = pathlib.Path(folder) / name
    place.mkdir()
    rack = Rack(fob, place, 1, 1, words)
    rack.start(stack)
    return Core(rack)


def measure(given, fob, folder, stack):
    cluster = pathlib.Path(folder) / "cluster"
    stack.callback(subprocess.run, [CLUSTER, "down", cluster], check=True, capture_output=True)
    subprocess.run([CLUSTER, "up", cluster], check=True, capture_output=True)
    url = subprocess.check_output([CLUSTER, "url", cluster], text=True).strip()
    os.environ["PGTARGETSESSIONATTRS"] = "read-write"
    server = Server(url, folder)
    core = core_of(stack, fob, folder, "quorum", "--store", url)
    embedded = core_of(stack, fob, folder, "sqlite")
    # Behind the core's start, which takes an empty database alone.
    server.ask("CREATE TABLE bare (body text)")
    server.ask("ALTER TABLE bare ALTER body SET STORAGE EXTERNAL")
    make_databases(server, cluster, [f"stage{number}" for number in range(given.rounds + 1)])
    stage = Stage(fob, server, given)
    _, _, stage_size = stage.presses(stack, given.rounds)
    core.presses(given.presses, given.rate)
    log, batches = server.position()
    core.presses(given.presses, given.rate)
    after = server.position()
    size = (after[0] - log) // max(1, after[1] - batches)
    embedded.presses(given.presses, given.rate)
    names = ("stage", "work", "bare", "press", "sqlite", "press_bare", "fdatasync")
    took = {name: [] for name in names}
    for number in range(given.rounds):
        durable, work, _ = stage.presses(stack, number)
        took["stage"] += durable
        took["work"] += work
        took["bare"] += server.bare(stage_size, given.presses, given.rate)
        took["press"] += core.presses(given.presses, given.rate)
        took["sqlite"] += embedded.presses(given.presses, given.rate)
        took["press_bare"] += server.bare(size, given.presses, given.rate)
        took["fdatasync"] += flushed(cluster / "flushed", size, given.presses, given.rate)
    rows = {name: figures(each, digits=2) for name, each in took.items()}
    ratios = {
        f"{a}_to_{b}": {part: round(rows[a][part] / rows[b][part], 2) for part in ("median", "p99")}
        for a, b in (("stage", "bare"), ("press", "press_bare"))
    }
    return {"bytes": {"stage": stage_size, "press": size}} | rows | ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--presses", type=int, default=50, help="in each round")
    parser.add_argument("--rate", type=float, default=4, help="a second")
    given = parser.parse_args()
    fob = os.path.abspath(os.environ.get("FOB", ".build/release/fob"))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        # PostgreSQL takes no root: its user has to be able to enter.
        os.chmod(folder, 0o755)
        print(json.dumps(measure(given, fob, folder, stack)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
