#!/usr/bin/env python3
"""Descriptors, threads and memory of a bridge and its core stay as they are, whatever comes.

    scripts/leaks.py FOB --rounds N | --minutes N

A round is an alarm from press to resume, a plug pulled and pushed in, clients that ask, that stop
in the middle of a request, that send rubbish, and streams that are left. The first fifth of the
rounds fills what is kept for good. Then descriptors and threads may not grow at all, and memory by
a twentieth and 8 MiB.
"""

import argparse
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

from fob_rig import Lines, awaited


def sent(address, *pieces, read=True):
    """A connection of a client that sends these pieces and goes."""
    with socket.create_connection(address, timeout=60) as client:
        for piece in pieces:
            client.sendall(piece)
        return client.recv(4096) if read else b""


def play_round(number, paths, address, token):
    keychain, bridge = Lines(paths / "keychain.sock"), Lines(paths / "bridge.sock")
    event = keychain.ask("press")["event"]
    keychain.ask("wait", **{"for": "acked", "event": event, "within_ms": 60_000})
    bridge.ask("disarm", pin="2468")
    bridge.ask("resume")
    if number % 4 == 0:
        keychain.ask("unplug")
        keychain.ask("replug")
        keychain.ask("wait", **{"for": "linked", "within_ms": 60_000})
    get = "GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\n\r\n"
    assert b"200" in sent(address, get.format("/v1/status", address[1], token).encode())
    assert b"401" in sent(address, get.format("/v1/status", address[1], "fob_none").encode())
    sent(address, b"POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le", read=False)
    sent(address, os.urandom(200), read=False)
    sent(address, get.format("/v1/events", address[1], token).encode())
    listener = Lines(paths / "bridge.sock")
    listener.ask("subscribe")
    for client in (listener, keychain, bridge):
        client.close()


def figures(process):
    proc = pathlib.Path(f"/proc/{process.pid}")
    rollup = (proc / "smaps_rollup").read_text()
    return {"descriptors": len(os.listdir(proc / "fd")), "threads": len(os.listdir(proc / "task")),
            "memory": int(re.search(r"Pss_Anon:\s+(\d+)", rollup).group(1)) << 10}


def settled(process, limits):
    """What is left when all clients have gone: within the limits, or after a minute."""
    end = time.monotonic() + 60
    while True:
        now = figures(process)
        if all(now[name] <= limits[name] for name in limits) or time.monotonic() > end:
            return now
        time.sleep(0.2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fob")
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "pin").write_text("2468\n")
        (folder / "pin").chmod(0o600)
        environment = {**os.environ, "XDG_RUNTIME_DIR": scratch}
        (log := folder / "bridge.log").touch()

        def start(*arguments):
            return subprocess.Popen([options.fob, *arguments], env=environment,
                                    stdin=subprocess.DEVNULL, stdout=log.open("ab"))

        emulator = start("emulate", "--link", f"{folder}/line", "--store", f"{folder}/store")
        bridge = None
        try:
            awaited((folder / "line").is_symlink, emulator)
            bridge = start("bridge", "--device", f"pty:{folder}/line", "--state",
                           f"{folder}/state", "--pin-file", f"{folder}/pin", "--listen",
                           "127.0.0.1:0", "--json")
            found = lambda: re.search(rb'"listening":"http://127.0.0.1:(\d+)', log.read_bytes())
            awaited(found, bridge)
            address = ("127.0.0.1", int(found().group(1)))
            token = (folder / "state/admin-token").read_text().strip()
            play(options, bridge, folder / "fob", address, token)
        finally:
            for process in (bridge, emulator):
                if process:
                    process.terminate()
                    process.wait(60)


def play(options, bridge, paths, address, token):
    began, number, before = time.monotonic(), 0, None
    while True:
        share = max(number / options.rounds if options.rounds else 0,
                    (time.monotonic() - began) / 60 / options.minutes if options.minutes else 0)
        if before is None and share >= 0.2:
            before = figures(bridge)
        if share >= 1:
            break
        play_round(number, paths, address, token)
        number += 1
    limits = {"descriptors": before["descriptors"], "threads": before["threads"],
              "memory": before["memory"] * 21 // 20 + (8 << 20)}
    after = settled(bridge, limits)
    print(f"{number} rounds: {before} → {after}")
    grown = [name for name in limits if after[name] > limits[name]]
    if grown:
        sys.exit(f"grown: {', '.join(grown)}")


if __name__ == "__main__":
    main()
