"""The core on another host: a keychain, a bridge that relays, a core that it reaches by HTTP, and a
program that is told by webhook, too."""

import json
import pathlib
import random
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from fob_rig import PATIENCE
from system_faults.world import Receiver, World

sys.path.append(str(pathlib.Path(__file__).parents[2] / "examples/webhook"))
from receiver import refusal  # noqa: E402

SECRET = "a secret of this world alone, not live"
# Below those that the kernel gives to whoever connects: one that is free stays so over a restart.
PORTS = range(10_000, 32_000)


class FarReceiver(Receiver):
    """The other end of a webhook, too. What is not signed was not told."""

    EVERYONE = Receiver.EVERYONE | {"webhook:webhook"}

    def open(self, path):
        super().open(path)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                why = refusal(SECRET.encode(), self.headers, body, time.time())
                if not why:
                    receiver.hear(json.loads(body))
                self.send_response(400 if why else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=[0.05], daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/"

    def close(self):
        super().close()
        self.server.shutdown()
        self.server.server_close()


class FarWorld(World):
    """Its `core` is alone; `relay` is the bridge, which keeps nothing."""

    RECEIVER = FarReceiver
    FIRST_FILES = {"keychain": "/store", "core": "state/lock", "relay": "/line"}
    port = relay = None

    @property
    def processes(self):
        return {"keychain": self.keychain, "core": self.core, "relay": self.relay}

    @property
    def lives(self):
        return super().lives and self.relay.poll() is None

    def start_all(self):
        self.port = free_port()
        config = {"sinks": [{"type": "webhook", "url": self.receiver.url, "secret": SECRET,
                             "test": True}]}
        # JSON is YAML.
        (self.folder / "core.yaml").write_text(json.dumps(config))
        (self.folder / "core.yaml").chmod(0o600)
        self.start_keychain()
        self.start_core()
        made = subprocess.run(
            [self.fob, "token", "create", "--scope", "feed", "--state", self.folder / "state"],
            env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        (self.folder / "token").write_bytes(made.stdout)
        (self.folder / "token").chmod(0o600)
        self.start_relay()

    def start_core(self, through=(), may_end=False):
        self.core = self.start(
            ["core", "--bench", "--state", self.folder / "state", "--control",
             self.folder / "core.sock", "--config", self.folder / "core.yaml", "--log",
             self.folder / "told", "--pin-file", self.folder / "pin", "--listen",
             f"127.0.0.1:{self.port}"], self.log, through)
        self.to_core = self.connected(self.core, "core.sock", self.log, may_end)

    def start_relay(self, through=()):
        self.relay = self.start(
            ["bridge", "--device", f"pty:{self.folder}/line", "--core",
             f"http://127.0.0.1:{self.port}", "--token-file", self.folder / "token"],
            self.log, through)

    def start_again(self, who, through=(), may_end=False):
        if who != "relay":
            return super().start_again(who, through, may_end)
        self.relay.wait(PATIENCE)
        self.start_relay(through)
        return self.relay


def free_port():
    while True:
        with socket.socket() as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                server.bind(("127.0.0.1", port := random.choice(PORTS)))
                return port
            except OSError:
                pass
