"""What else a machine does to a process: stops it, sets its clock, and gives it little of
descriptors, threads, memory, disk and connections."""

import contextlib
import os
import pathlib
import random
import resource
import select
import signal
import socket
import subprocess
import time

from fob_rig import PATIENCE
from system_faults.errors import clear, ended, raised
from system_faults.kills import Alarm, left_alarm
from system_faults.strace import Strace
from system_faults.world import PIN, Trouble

STEPS = {"+1s": 1, "-1s": -1, "+1h": 3600, "-1h": -3600, "-1d": -86400, "+10y": 315_360_000,
         "-10y": -315_360_000}
STOPPED_SECONDS = 2


def stop(world, who, k):
    """Stands still in the middle of a press."""
    process = world.processes[who]
    world.to_keychain.begin("press", hold_ms=30)
    time.sleep(random.Random(k).uniform(0.015, 0.035))
    process.send_signal(signal.SIGSTOP)
    # So long is the fault.
    time.sleep(STOPPED_SECONDS)
    process.send_signal(signal.SIGCONT)
    answer = world.to_keychain.answer()
    if not answer or not answer["ok"]:
        raise Trouble("lost", f"the press was answered by {answer}")
    world.expect(answer["event"])
    world.clear(world.verify(answer["event"]))
    return True


def clock(world, step, k):
    """The wall clock is set in the middle of a press, and back after it."""
    alarm = Alarm(world, "press", ("pressed", "late", "again")[k % 3])
    world.to_keychain.begin("press", hold_ms=30)
    time.sleep(random.Random(k).uniform(0, 0.05))
    world.set_faults(0, STEPS[step] * 1_000_000)
    alarm.event = world.to_keychain.answer()["event"]
    world.expect(alarm.event, joins=alarm.manner == "again")
    if alarm.manner == "late":
        world.ask_keychain("replug")
    alarm.finish()
    world.undisturbed()
    world.set_faults(0, 0)
    world.undisturbed()
    return True


def limit(world, what, now):
    """Of the bridge's process from now on, by its own user; the hard limit stays."""
    subprocess.run([*world.become, "prlimit", f"--pid={world.core.pid}", f"--{what}={now}:"],
                   check=True)


LIMITS = {
    "descriptors": ("nofile", resource.RLIMIT_NOFILE), "threads": ("nproc", resource.RLIMIT_NPROC),
    "memory": ("as", resource.RLIMIT_AS), "file-size": ("fsize", resource.RLIMIT_FSIZE),
}


def short_of(world, what, k):
    """A press, and one that comes by a line that is made anew, with no more of that to be had."""
    proc = pathlib.Path(f"/proc/{world.core.pid}")
    now = {
        "descriptors": lambda: len(os.listdir(proc / "fd")) + k - 1,
        "threads": lambda: 1,
        "memory": lambda: os.sysconf("SC_PAGE_SIZE") * (int(
            (proc / "statm").read_text().split()[0]) + 64 * (k - 1)),
        "file-size": lambda: 512 * k,
    }[what]()
    option, number = LIMITS[what]
    before = resource.prlimit(world.core.pid, number)[0] if not world.become else 4096
    limit(world, option, now)
    since = len(world.receiver.messages)
    event = world.press()
    await_told(world, since, f"nobody is told without {what}")
    if what == "file-size":
        said_not_durable(world, event)
    elif world.lives:
        world.ask_keychain("unplug")
        world.ask_keychain("replug")
    if world.lives:
        limit(world, option, "unlimited" if before == resource.RLIM_INFINITY else before)
    else:
        ended(world)
        world.core_again()
    world.clear(world.verify(event))
    world.undisturbed()
    return True


def await_told(world, since, words):
    news = world.receiver.news
    with news:
        told = news.wait_for(
            lambda: len(raised(world, since)) == 2 or not world.lives, PATIENCE)
    if not told:
        raise Trouble("untold", words)


def said_not_durable(world, event):
    world.until(lambda: world.status.get("storageFailure"), "no failure is said", "unclear")
    clear(world.status["storageFailure"])
    if world.ask_keychain("state")["shown"] == "accepted":
        raise Trouble("lost", f"the light claims {event} to be durable")


def start_short_of(world, what, amount, k):
    """A start that finds an alarm, under a limit from its beginning: it says what it lacks, or
    does what it has to."""
    event = left_alarm(world, "bridge")
    process = world.start_again("bridge", ["prlimit", f"--{what}={amount}:{amount}"], may_end=True)
    if process.poll() is None:
        # It may lack something later on, and ends then.
        world.until(lambda: not world.lives or world.ask_keychain("state")["shown"] == "accepted"
                    or "cannot" in world.tail(world.log, 3), "it starts and does nothing")
        process.kill()
        process.wait()
    else:
        ended(world)
    world.core_again()
    world.clear(world.verify(event))
    return True


def hanging_disk(world, k):
    """What is to be flushed hangs for seconds: people are told meanwhile."""
    tracer = Strace(world.core.pid, f"fdatasync:delay_enter={STOPPED_SECONDS * 1_000_000}:when=1",
                    world.folder / "injected", all=True)
    since, began = len(world.receiver.messages), time.monotonic()
    event = world.press()
    await_told(world, since, "nobody is told while the disk hangs")
    if time.monotonic() - began >= STOPPED_SECONDS:
        raise Trouble("hung", "people are told once the disk goes on")
    world.clear(world.verify(event))
    tracer.stop()
    return "fdatasync" in tracer.log.read_text()


def full_disk(world, k):
    """The folder is on a tmpfs of its own; what is left of it is taken away, and given back."""
    filling = world.folder / "filling"
    with filling.open("wb", buffering=0) as file:
        for size in (1 << 16, 512):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    since = len(world.receiver.messages)
    # The log was given its room before: it lasts for a time.
    event = world.press()
    await_told(world, since, "nobody is told while the disk is full")
    world.until(lambda: world.ask_keychain("state")["unacked"] == 0
                or world.status.get("storageFailure"), "neither durable nor said", "unclear")
    if said := world.status.get("storageFailure"):
        clear(said)
    filling.unlink()
    world.clear(world.verify(event))
    return True


# Clients

def head(world, path="/v1/status"):
    token = (world.folder / "state/admin-token").read_text().strip()
    return (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{world.port}\r\n"
            f"Authorization: Bearer {token}\r\n\r\n").encode()


@contextlib.contextmanager
def crowd(world, count):
    """So many connections, as many as there are of those that are let in; then they are gone, and
    all is as before."""
    with contextlib.ExitStack() as opened:
        yield connect(world, count, opened)
    world.undisturbed()


def connect(world, count, opened):
    clients = []
    for number in range(count):
        client = opened.enter_context(socket.socket())
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", world.port))
        clients.append(client)
        if number % 64 == 63:
            connecting = select.poll()
            connecting.register(client, select.POLLOUT)
            connecting.poll(1000)
    return clients


def connections(world, count):
    """So many connections that ask nothing: the press is told, the alarm ends, who has a token is
    served."""
    with crowd(world, count):
        event = world.press()
        end_by_api(world, world.verify(event))
    return True


def served(world, request, what):
    with socket.create_connection(("127.0.0.1", world.port), timeout=PATIENCE) as client:
        client.sendall(request)
        if b" 200 " not in (answer := client.recv(4096)):
            raise Trouble("hung", f"{what} is answered {answer[:200]}")


def end_by_api(world, incident):
    """By the token, which is served as ever."""
    served(world, head(world), "a request with a token")
    body = b'{"pin":"%s"}' % PIN.encode()
    words = head(world, "/v1/incidents/current/disarm").replace(b"GET", b"POST")[:-2]
    words += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    served(world, words, "disarm")
    world.clear(incident)


def slow_clients(world, count):
    """Heads that come byte by byte, and answers that nobody reads."""
    words, at = head(world), 0

    def dribble(clients, count):
        nonlocal at
        for at in range(at, min(len(words) - 4, at + count)):
            for client in clients:
                try:
                    client.send(words[at:at + 1])
                except OSError:
                    pass
    with crowd(world, count) as clients:
        dribble(clients, 20)
        event = world.press()
        dribble(clients, 20)
        incident = world.verify(event)
        dribble(clients, 20)
        end_by_api(world, incident)
    return True


def raise_own_limit(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, max(soft, count + 1000)) if hard != resource.RLIM_INFINITY else count + 1000
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def mount(folder):
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder], check=True)
