"""`fob run` as a process of its own, and what it says."""

import datetime
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zoneinfo

PATIENCE = 60
PROGRAM = os.environ.get("FOB", ".build/debug/fob")
# Of the account that `set_up` makes.
ZONE = zoneinfo.ZoneInfo("Europe/Berlin")


class Fob:
    """A keychain, its bridge and its core, served at an address that stays over restarts.

    Where an option says {port}, it is that of the address.
    """

    def __init__(self, *options):
        self.state = tempfile.mkdtemp(prefix="fob-page-")
        self.port = free_port()
        self.options = [option.format(port=self.port) for option in options]
        self.process = None
        self.start()

    def start(self):
        """Returns when the page is served; of an earlier run's state it knows all."""
        command = [PROGRAM, "run", "--listen", f"127.0.0.1:{self.port}", "--state", self.state]
        self.process = subprocess.Popen(
            command + list(self.options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        self._lines, self._has_ended = [], False
        self._heard = threading.Condition()
        self._listener = threading.Thread(
            target=self._listen, args=(self.process, self._lines), daemon=True)
        self._listener.start()
        found = self.hears(r"the page is at (\S+)#code=\S+, its one-time code: (\S+)")
        self.url, self.code = found.group(1).rstrip("/"), found.group(2)

    def kill(self):
        """As a power cut: nothing is said, nothing is tidied up."""
        self.process.send_signal(signal.SIGKILL)
        self._bury()

    def end(self):
        """For good, with all that it kept."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self._bury()
        shutil.rmtree(self.state, ignore_errors=True)

    def hears(self, pattern, seconds=PATIENCE):
        """The first line of this run that the pattern matches, as soon as it is there."""
        def match():
            return next((m for m in (re.search(pattern, line) for line in self._lines) if m), None)

        with self._heard:
            self._heard.wait_for(lambda: match() or self._has_ended, seconds)
            found = match()
        if not found:
            raise AssertionError(f"fob did not say {pattern!r}:\n" + "".join(self._lines))
        return found

    def ask(self, path, body=None, method=None, token=None):
        """The API by the administrator's token, or another: what is true, whatever the page says.
        """
        request = urllib.request.Request(
            self.url + path, method=method or ("GET" if body is None else "POST"),
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json",
                     "Authorization": f"Bearer {token or self.token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            content = response.read()
        return json.loads(content) if content else None

    def is_refused(self, path, body=None, method=None):
        """The status of the refusal; None where it was granted."""
        try:
            self.ask(path, body, method)
        except urllib.error.HTTPError as refusal:
            return refusal.code
        return None

    @property
    def token(self):
        with open(os.path.join(self.state, "admin-token"), encoding="ascii") as file:
            return file.read().strip()

    @property
    def messages(self):
        """What contacts were sent, as the bench keeps it."""
        with open(os.path.join(self.state, "alerts.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    @property
    def mails(self):
        with open(os.path.join(self.state, "mails.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    @property
    def status(self):
        return self.ask("/v1/status")

    def set_up(self, pin, contacts):
        """An account with a keychain, a PIN and contacts, protected."""
        self.wait_for(lambda status: any(one["isLinked"] for one in status["devices"]))
        self.ask("/v1/account", {
            "name": "Owner", "email": "owner@example.org", "mobile": "+15555550100",
            "country": "US", "language": "en", "zone": "Europe/Berlin", "mayLocate": True})
        device = self.status["devices"][0]["device"]
        self.ask(f"/v1/devices/{device}/claim", {}, "PUT")
        self.ask("/v1/account/pin", {"pin": pin}, "PUT")
        for number, name in enumerate(contacts):
            self.ask("/v1/contacts", {
                "name": name, "numbers": [{"number": f"+1555555011{number}", "chosen": True}]})
        self.ask("/v1/protection", {}, "PUT")
        self.ask("/v1/account/set-up/finish", {})
        self.confirm_email()

    def confirm_email(self):
        """As by the link that is mailed."""
        self.ask("/v1/account/confirmation", {})
        link = urllib.parse.urlsplit(re.search(r"https?://\S+", self.mails[-1]["body"]).group(0))
        press = urllib.request.Request(f"{self.url}{link.path}?{link.query}", method="POST")
        with urllib.request.urlopen(press, timeout=PATIENCE):
            pass

    def wait_for(self, condition, seconds=PATIENCE):
        """Until the status is so; it is asked for again and again."""
        until = time.monotonic() + seconds
        while not condition(status := self.status):
            if time.monotonic() > until:
                raise AssertionError(f"the status is {json.dumps(status)}")
            time.sleep(0.05)
        return status

    def add_series(self, pin, description="Are you well?", minutes=30, **more):
        """Check-ins, the first due in so many minutes and answerable from now on."""
        due = datetime.datetime.now(ZONE) + datetime.timedelta(minutes=minutes)
        return self.ask("/v1/check-ins/series", {
            "description": description, "rule": {"kind": "once"}, "time": f"{due:%H:%M}",
            "start": f"{due:%Y-%m-%d}", "lead": 60, "pin": pin} | more)

    def has_had_an_alarm(self, pin):
        """A press, told to somebody, switched off and resumed from."""
        self.control(do="press")
        self.wait_for(lambda now: now["state"] == "EMERGENCY_SENT")
        self.ask("/v1/incidents/current/disarm", {"pin": pin})
        self.ask("/v1/incidents/current/resume", {})

    def control(self, **request):
        """What a hand does to the keychain, where the page is not asked to."""
        device = self.ask("/v1/bench")["keychains"][0]["device"]
        return self.ask(f"/v1/bench/keychains/{device}/control", request)

    def _bury(self):
        self.process.wait()
        self._listener.join()
        self.process.stdout.close()

    def _listen(self, process, lines):
        for line in process.stdout:
            with self._heard:
                lines.append(line)
                self._heard.notify_all()
        with self._heard:
            self._has_ended |= process is self.process
            self._heard.notify_all()


class Time:
    """What `--test-clock` asks: it is moved, and what falls due meanwhile is done."""

    def __init__(self):
        self._folder = tempfile.mkdtemp(prefix="fob-page-")
        self.path = os.path.join(self._folder, "clock")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen()
        self._first = threading.Thread(target=self._accept)
        self._first.start()

    def move(self, minutes):
        """From the first moment on, as a whole; never back."""
        self._first.join()
        self._say(minutes * 60_000_000)

    def end(self):
        self._first.join()
        self._connection.close()
        self._listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _accept(self):
        self._connection, _ = self._listener.accept()
        self._connection.settimeout(PATIENCE)
        self._lines = self._connection.makefile("r")
        self._say(0)

    def _say(self, offset):
        self._connection.sendall(json.dumps({"offset_us": offset}).encode() + b"\n")
        answer = json.loads(self._lines.readline() or "{}")
        if answer != {"done": offset}:
            raise AssertionError(f"the clock was not moved: {answer}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
