#!/usr/bin/env python3
"""How long until an alarm is accepted: fob core beside Alertmanager, in one run, in turn.

Both are asked by this client, over one connection each that stays open: fob by POST /v1/triggers,
which it answers when the trigger is durable, and Alertmanager by POST /api/v2/alerts, which it
answers when the alert is in memory. What the same disk takes to keep one page stands beside them.
One wrong answer ends the run, and so does a trigger that is not in fob's log.
"""

import argparse
import contextlib
import json
import os
import shutil
import socket
import statistics
import tempfile
import time

from processes import connected, free_port, go_first, keep, pinned, started

KEYCHAIN = "8000000000000001"
ALERTMANAGER = "prometheus-alertmanager"


class Connection:
    """One connection that is kept, and no more work than a request and its answer."""

    def __init__(self, stack, command, log, port):
        process = started(stack, command, log)
        self.socket = connected(stack, process, log, socket.AF_INET, ("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = f"HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"

    def bytes(self, method, path, body):
        text = "" if body is None else json.dumps(body, separators=(",", ":"))
        head = f"{method} {path} {self.head}Content-Type: application/json\r\n"
        return f"{head}Content-Length: {len(text)}\r\n\r\n{text}".encode()

    def send(self, request):
        self.socket.sendall(request)
        answer = self.socket.recv(65536)
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer += self.more()
        head = answer[:end].lower()
        at = head.find(b"\r\ncontent-length:")
        if at < 0:
            raise ValueError(f"an answer without a length: {head!r}")
        length = int(head[at + 17 :].split(b"\r\n", 1)[0])
        while len(answer) < end + 4 + length:
            answer += self.more()
        return int(head[9:12]), answer[end + 4 :]

    def more(self):
        chunk = self.socket.recv(65536)
        if not chunk:
            raise ConnectionError("the connection was closed")
        return chunk

    def must(self, method, path, body=None):
        status, answer = self.send(self.bytes(method, path, body))
        if not 200 <= status < 300:
            raise ValueError(f"{method} {path}: {status} {answer!r}")
        return json.loads(answer)


class Contender:
    """Requests that each say something new, and how long each answer took."""

    def __init__(self, connection, make, expected):
        self.connection = connection
        self.make = make
        self.expected = expected
        self.microseconds = []

    def block(self, numbers, counts):
        for number in numbers:
            request = self.make(number)
            began = time.perf_counter_ns()
            status, answer = self.connection.send(request)
            took = time.perf_counter_ns() - began
            if status != self.expected or (status == 202 and b'"durable":true' not in answer):
                raise ValueError(f"request {number}: {status} {answer!r}")
            if counts:
                self.microseconds.append(took / 1000)


class Disk:
    """A page written in place and synchronised: the least that durable can cost."""

    PAGE = 4096

    def __init__(self, path, pages):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        # So that no write makes the file longer, which would cost more.
        os.write(self.file, bytes(self.PAGE * pages))
        os.fsync(self.file)
        self.bytes = b"x" * self.PAGE
        self.microseconds = []

    def block(self, numbers, counts):
        for number in numbers:
            began = time.perf_counter_ns()
            os.pwrite(self.file, self.bytes, self.PAGE * number)
            os.fdatasync(self.file)
            took = time.perf_counter_ns() - began
            if counts:
                self.microseconds.append(took / 1000)


def fob_core(stack, folder, fob):
    port = free_port()
    state = os.path.join(folder, "state")
    command = [fob, "core", "--state", state, "--control", os.path.join(folder, "core.sock")]
    command += ["--listen", f"127.0.0.1:{port}"]
    connection = Connection(stack, command, os.path.join(folder, "fob.log"), port)
    with open(os.path.join(state, "admin-token"), encoding="ascii") as file:
        connection.head += f"Authorization: Bearer {file.read().strip()}\r\n"
    number = {"number": "+15555550101", "chosen": True}
    owner = {"name": "Owner", "email": "owner@example.org", "mobile": "+15555550100"}
    connection.must("POST", "/v1/account", owner | {"country": "GB"})
    connection.must("PUT", "/v1/account/pin", {"pin": "4711"})
    connection.must("POST", "/v1/contacts", {"name": "Contact 1", "numbers": [number]})
    connection.must("PUT", f"/v1/devices/{KEYCHAIN}/claim")
    connection.must("PUT", "/v1/protection")

    def trigger(number):
        body = {"source": "fall", "device": KEYCHAIN, "key": f"accept-{number}"}
        return connection.bytes("POST", "/v1/triggers", body)

    return Contender(connection, trigger, 202)


def require_all(core, total):
    """Every trigger is in the log: the first one opened the incident, the others joined it."""
    found = 0
    after = 0
    while after is not None:
        page = core.must("GET", f"/v1/log?limit=200&after={after}")
        names = [line["name"] for line in page["lines"]]
        found += names.count("incidentOpened") + names.count("triggerAdded")
        after = page.get("next")
    if found != total:
        raise ValueError(f"{found} triggers are in the log, of {total}")


def alertmanager(stack, folder):
    """None where it is not installed."""
    if not shutil.which(ALERTMANAGER):
        return None
    port = free_port()
    config = os.path.join(folder, "alertmanager.yml")
    with open(config, "w", encoding="ascii") as file:
        file.write("route: {receiver: none}\nreceivers: [{name: none}]\n")
    command = [
        ALERTMANAGER,
        f"--config.file={config}",
        f"--storage.path={os.path.join(folder, 'alertmanager')}",
        f"--web.listen-address=127.0.0.1:{port}",
        "--cluster.listen-address=",
    ]
    connection = Connection(stack, command, os.path.join(folder, "alertmanager.log"), port)

    def alert(number):
        labels = {"alertname": "Emergency", "device": KEYCHAIN, "key": f"accept-{number}"}
        return connection.bytes("POST", "/api/v2/alerts", [{"labels": labels}])

    return Contender(connection, alert, 200)


def figures(contender):
    ordered = sorted(contender.microseconds)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.99)]


def rows(ours, peers):
    made = []
    for which, name in enumerate(("median", "p99")):
        for peer, contender in peers.items():
            row = {"name": f"accept, {name}", "unit": "µs", "peerName": peer}
            row["ours"] = figures(ours)[which]
            if contender:
                row["peer"] = figures(contender)[which]
            made.append(row)
    return made


def table(made):
    heads = ["what", "ours, durable", "peer", "peer's", "ratio", ""]
    lines = [heads, ["---"] * len(heads)]
    for row in made:
        peer = row.get("peer")
        figure, ratio = (f"{peer:.1f}", f"{row['ours'] / peer:.2f}") if peer else ("–", "–")
        ours = f"{row['ours']:.1f} {row['unit']}"
        verdict = "" if peer else "not measured"
        lines.append([row["name"], ours, row["peerName"], figure, ratio, verdict])
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        cells = (
            cell + ("-" if cell == "---" else " ") * (width - len(cell))
            for cell, width in zip(line, widths)
        )
        print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary, a release build")
    parser.add_argument("--results", help="the JSON file that keeps the rows")
    parser.add_argument("--requests", type=int, default=2000, help="of each, counted")
    parser.add_argument("--warm-up", type=int, default=200, help="of each, before them")
    parser.add_argument("--block", type=int, default=50, help="of one, in its turn")
    options = parser.parse_args()
    go_first()
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        with contextlib.ExitStack() as stack:
            with pinned():
                ours = fob_core(stack, folder, options.fob)
                peer = alertmanager(stack, folder)
            total = options.warm_up + options.requests
            disk = Disk(os.path.join(folder, "disk"), total)
            turns = [contender for contender in (ours, peer, disk) if contender]
            warm_up = (0, options.warm_up, False)
            for first, end, counts in warm_up, (options.warm_up, total, True):
                for start in range(first, end, options.block):
                    numbers = range(start, min(start + options.block, end))
                    for contender in turns:
                        contender.block(numbers, counts)
            require_all(ours.connection, total)
    peers = {"alertmanager, in memory alone": peer, "a page and fdatasync": disk}
    made = rows(ours, peers)
    table(made)
    print(
        f"\n{len(ours.microseconds)} requests of each, in turns of {options.block}. fob answers"
        " when the trigger is durable; Alertmanager when the alert is in memory alone: a crash"
        " loses it."
    )
    if options.results:
        keep("accept", made, options.results)


if __name__ == "__main__":
    main()
