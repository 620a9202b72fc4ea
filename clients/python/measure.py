#!/usr/bin/env python3
"""Measures the client beside curl, and how soon `until` sees a decision.

  measure.py [ROUNDS]       FOB names the program; 300 rounds without a number

Requests: one of curl and one of each client in turn, GET /v1/status of one bench, each on a kept
connection and each on a new one. curl's time is its own time_total: from the start of its request
to the last byte, without the start of its process. On a kept connection curl asks twice, and its
second request counts. Decisions: from the stamp of the log entry that says EMERGENCY_SENDING to
the moment at which this process has it."""
import asyncio
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "src"))

import fob  # noqa: E402
from fob import api  # noqa: E402

Times = typing.Dict[str, typing.List[float]]


def curl(bench: fob.Bench, configuration: str) -> typing.List[float]:
    """Microseconds of two requests of one curl: a new connection, and the same one again."""
    said = subprocess.run(
        ["curl", "-s", "-K", configuration, "-w", "%{json}\n", "-o", "/dev/null",
         bench.url + "/v1/status", "-o", "/dev/null", bench.url + "/v1/status"],
        stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line)["time_total"] * 1e6 for line in said.splitlines()]


async def requests(bench: fob.Bench, rounds: int, configuration: str) -> Times:
    found: Times = {}
    kept, kept_async = bench.api, fob.AsyncClient(bench.url, bench.token)

    def add(name: str, begun: int) -> None:
        found.setdefault(name, []).append((time.perf_counter_ns() - begun) / 1000)

    for _ in range(rounds):
        fresh, again = curl(bench, configuration)
        found.setdefault("curl, new connection", []).append(fresh)
        found.setdefault("curl, kept connection", []).append(again)
        begun = time.perf_counter_ns()
        with fob.Client(bench.url, bench.token) as client:
            client.ask(api.status.get())
            add("Client, new connection", begun)
        begun = time.perf_counter_ns()
        kept.ask(api.status.get())
        add("Client, kept connection", begun)
        begun = time.perf_counter_ns()
        async with fob.AsyncClient(bench.url, bench.token) as other:
            await other.ask(api.status.get())
            add("AsyncClient, new connection", begun)
        begun = time.perf_counter_ns()
        await kept_async.ask(api.status.get())
        add("AsyncClient, kept connection", begun)
    kept_async.close()
    return found


def decisions(bench: fob.Bench, rounds: int) -> typing.List[float]:
    found: typing.List[float] = []
    for _ in range(rounds):
        bench.keychain.press()
        seen = bench.alarm.until("EMERGENCY_SENDING")
        if seen.decided is not None:
            found.append(seen.seen - seen.decided)
        bench.alarm.until("EMERGENCY_SENT")
        bench.calm()
    return found


def row(name: str, times: typing.List[float]) -> str:
    ordered = sorted(times)
    return (f"{name:32} median {statistics.median(times):7.0f} µs   "
            f"p90 {ordered[len(ordered) * 9 // 10]:7.0f} µs   {len(times)} times")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with fob.Bench() as bench, tempfile.NamedTemporaryFile("w") as file:
        # On a command line others could read the token.
        file.write(f'header = "Authorization: Bearer {bench.token}"\n')
        file.flush()
        for name, times in asyncio.run(requests(bench, rounds, file.name)).items():
            print(row(name, times))
        print(row("until, behind the decision", decisions(bench, rounds // 5)))


if __name__ == "__main__":
    main()
