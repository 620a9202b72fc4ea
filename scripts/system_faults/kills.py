"""kill -9 at each call to the system that a thread makes for an alarm."""

import collections
import struct

from fob_rig import PATIENCE
from system_faults.strace import Strace, is_dying, recorded, threads, words
from system_faults.world import PIN, Trouble

# How a press comes about; which is which round's turn.
MANNERS = ("pressed", "late", "again")
# The first attempt to attach finds a thread within a call, which goes on under this name.
NOT_OURS = {"restart_syscall", "exit", "exit_group", "rt_sigreturn"}


def calls(world, who, phase, manner="pressed"):
    """Which calls each thread makes in that phase, from what on: {(thread, call): (0, count)}."""
    if phase == "start":
        return calls_of_start(world, who)
    alarm = Alarm(world, phase, manner)
    process = world.processes[who]
    tracers, logs = [], {}
    for name, number in threads(process.pid).items():
        logs[name] = world.folder / f"calls-{name}"
        tracers.append(Strace(number, log=logs[name]))
    alarm.act()
    for tracer in tracers:
        tracer.stop()
    alarm.finish()
    found = collections.Counter()
    if manner == "late":
        # The line's threads come and go.
        found.update({("all", call): 1 for call in ("read", "write", "poll", "timerfd_settime")})
    for name, log in logs.items():
        # Who asks makes the calls of the control socket, over and over.
        if name != "control" or (who != "keychain" and phase != "press"):
            for call, count in recorded(log)[0].items():
                found[name, call] += count
    return {target: (0, count) for target, count in found.items() if target[1] not in NOT_OURS}


class Alarm:
    """One alarm from press to resume, of which one phase is troubled."""

    def __init__(self, world, phase, manner="pressed"):
        self.world, self.phase, self.manner = world, phase, manner
        self.event = self.incident = self.answer = None
        if phase == "press":
            self.prepare()
        else:
            self.incident = world.verify(world.press())
        self.before = {event for alarm in world.alarms for event in alarm}
        if phase == "resume":
            world.ask_core("disarm", pin=PIN)
            world.receiver.wait(self.incident, "closing")

    def prepare(self):
        if self.manner == "late":
            self.world.ask_keychain("unplug")
        elif self.manner == "again":
            self.incident = self.world.verify(self.world.press())

    def act(self):
        """Returns when all is done, or one of them has died of it."""
        if self.phase == "press":
            self.press()
        else:
            fields = {"pin": PIN} if self.phase == "disarm" else {}
            self.answer = self.world.asked(self.world.to_core, self.phase, **fields)
            if self.answer and self.phase == "disarm":
                receiver = self.world.receiver
                self.world.until(
                    lambda: not self.world.lives or
                    receiver.told(self.incident, "closing") >= receiver.EVERYONE,
                    "the end is not told", "untold")

    def press(self):
        world = self.world
        answer = world.asked(world.to_keychain, "press", hold_ms=30)
        self.event = answer and answer.get("event")
        if self.event:
            world.expect(self.event, joins=self.manner == "again")
            if self.manner == "late" and world.keychain.poll() is None:
                world.asked(world.to_keychain, "replug")
            if world.keychain.poll() is None:
                self.settle()

    def settle(self):
        """Until the light says that people were told, or one of them has died. The core is not
        asked, so that its calls are those of the alarm."""
        world = self.world

        def is_over():
            if not world.lives:
                return True
            answer = world.asked(world.to_keychain, "state")
            return not answer or answer["shown"] == "accepted" and answer["unacked"] == 0
        world.until(is_over, "the light never says that people were told")

    def finish(self):
        """All is as it has to be, whoever has died; both live again."""
        world = self.world
        if self.phase == "press":
            if not self.event:
                self.take_what_is_kept()
            if self.event:
                self.incident = world.verify(self.event)
            else:
                world.verify_rows()
                if not self.incident:
                    return
        else:
            self.verify_answer()
        world.clear(self.incident)

    def verify_answer(self):
        """What was answered to be durable is so."""
        if not self.answer or not self.answer.get("durable"):
            return
        reached = {"disarm": ("EMERGENCY_ENDED", "NO_EMERGENCY"), "resume": ("NO_EMERGENCY",)}
        if (state := self.world.state) not in reached[self.phase]:
            raise Trouble("lost", f"{self.phase} was answered {self.answer}, and it is {state}")

    def take_what_is_kept(self):
        """A keychain that died of its press has kept it, or has not. What it has, comes."""
        world = self.world
        kept = set(world.kept) - self.before
        world.until(lambda: world.ask_keychain("state")["unacked"] == 0, "events stay unacked")
        came = {row["event"] for row in world.rows("presses")} - self.before
        if kept - came:
            raise Trouble("lost", f"presses {kept} were kept, {came} came")
        if len(came) > 1:
            raise Trouble("doubled", f"one press became {came}")
        for self.event in came:
            world.expect(self.event, joins=self.manner == "again")


def stored(world):
    """Numbers of the presses in the keychain's memory: slots of 68 bytes from 64 on."""
    memory = (world.folder / "store").read_bytes()
    found = []
    for at in range(64, len(memory) - 67, 68):
        body, crc = memory[at:at + 64], struct.unpack_from("<I", memory, at + 64)[0]
        number, kind = struct.unpack_from("<QB", body, 8)
        if kind == 1 and crc32c(body) == crc:
            found.append(f"{number >> 32}.{number & 0xFFFFFFFF}")
    return found


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def kill(world, who, phase, manner, thread, call, k):
    """Whether it has died of that call; None where there is no such thread."""
    if phase == "start":
        return kill_in_start(world, who, call, k)
    alarm = Alarm(world, phase, manner)
    process = world.processes[who]
    number = process.pid if thread == "all" else threads(process.pid).get(thread)
    tracer = number and Strace(number, f"{call}:signal=KILL:when={k}", all=thread == "all")
    alarm.act()
    if tracer:
        tracer.stop()
    has_died = gone(world, who)
    if has_died:
        again(world, who)
    alarm.finish()
    return has_died if number else None


def gone(world, who):
    """A process that was killed may not have ended yet."""
    process = world.processes[who]
    if process.poll() is None and not is_dying(process.pid):
        return False
    process.wait(PATIENCE)
    return True


def again(world, who):
    if who == "keychain":
        world.keychain.wait(PATIENCE)
        world.kept = stored(world)
    world.start_again(who)
    if who == "keychain":
        world.await_linked()


# A start that finds an open alarm, and a press that came since

def left_alarm(world, who):
    """The other end is there; the next start finds an alarm, and what is kept for it."""
    world.verify(world.press())
    process = world.processes[who]
    if who != "keychain":
        process.kill()
        process.wait()
        return world.press(joins=True)
    world.ask_keychain("unplug")
    event = world.press(joins=True)
    process.kill()
    process.wait()
    return event


def settled_start(world, is_enough=lambda: False):
    """Waits until a start has done what it has to, was killed in it, or that is enough."""
    def is_over():
        answer = world.asked(world.to_keychain, "state")
        return not world.lives or not answer or is_enough() or \
            answer["shown"] == "accepted" and answer["unacked"] == 0
    world.until(is_over, "the light never says that people were told")


def kill_in_start(world, who, call, k):
    event = left_alarm(world, who)
    through = [*words(f"{call}:signal=KILL:when={k}"), "-D", "-f"]
    process = world.start_again(who, through, may_end=True)
    if process.poll() is None:
        settled_start(world)
    has_died = process.poll() is not None or gone(world, who)
    # Whoever lives is traced, and would die of what follows.
    process.kill()
    again(world, who)
    world.clear(world.verify(event))
    return has_died


def calls_of_start(world, who):
    """{("all", call): (count before the state is touched, count)}"""
    event = left_alarm(world, who)
    log = world.folder / "calls"
    process = world.start_again(who, [*words(log=log), "-D", "-f"], may_end=True)
    settled_start(world)
    process.kill()
    again(world, who)
    world.clear(world.verify(event))
    calls, before = recorded(log, world.FIRST_FILES[who])
    return {("all", call): (before[call], count) for call, count in calls.items()
            if call not in NOT_OURS and count > before[call]}
