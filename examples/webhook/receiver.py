#!/usr/bin/env python3
"""Receives fob's webhook: believes no message that is not signed, and tells each one once.

    FOB_SECRET=example-secret-of-no-live-receiver examples/webhook/receiver.py --port 8788

Keys of told messages are kept in memory here; keep yours where your work is kept, so that a repeat
after a restart is known, too.
"""

import argparse
import hashlib
import hmac
import json
import os
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST_BYTES = 64 * 1024
MOST_KEYS = 10_000
# Seconds that the two clocks, and the way between, may be apart.
TOLERANCE = 5 * 60


def refusal(secret, headers, body, now):
    """Why the message is not believed; None where it is."""
    timestamp = headers.get("Fob-Timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return "no timestamp"
    if abs(now - int(timestamp)) > TOLERANCE:
        return "old timestamp"
    key = headers.get("Idempotency-Key", "")
    if not key:
        return "no idempotency key"
    # Of the key, too: else who has heard one message could have it told again under another key.
    signed = b"\n".join([b"v2", timestamp.encode(), key.encode(), body])
    expected = "v2=" + hmac.new(secret, signed, hashlib.sha256).hexdigest()
    # In constant time, so that nobody guesses it byte by byte.
    given = headers.get("Fob-Signature-2", "").encode()
    if not hmac.compare_digest(given, expected.encode()):
        return "wrong signature"
    return None


class Told:
    """Which messages were told. One that is asked for again is told no second time."""

    def __init__(self):
        self.keys = OrderedDict()
        self.lock = threading.Lock()

    def once(self, key, tell):
        with self.lock:
            if key in self.keys:
                return False
            tell()
            # Only now: had telling failed, the sender's repeat would have been told.
            self.keys[key] = True
            if len(self.keys) > MOST_KEYS:
                self.keys.popitem(last=False)
            return True


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            return self.answer(411, "say Content-Length")
        if len(length) > 9 or int(length) > MOST_BYTES:
            return self.answer(413, "too long")
        body = self.rfile.read(int(length))
        reason = refusal(self.server.secret, self.headers, body, time.time())
        if reason:
            print(f"refused: {reason}", flush=True)
            return self.answer(401, reason)
        try:
            message = json.loads(body)
            words = f"{message['kind']} to {message['contact']['name']}: {message['text']}"
        except (ValueError, KeyError, TypeError):
            print("refused: no message", flush=True)
            return self.answer(422, "no message")
        key = self.headers["Idempotency-Key"]
        if self.server.told.once(key, lambda: print(f"told: {words}", flush=True)):
            return self.answer(200, "told")
        print(f"known: {key}", flush=True)
        return self.answer(200, "told before")

    def answer(self, status, words):
        text = (words + "\n").encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        if status in (411, 413):
            # What is left of the body was not read.
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Says nothing: what matters is printed above."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8788, help="0: a free one, which is printed")
    options = parser.parse_args()
    secret = os.environ.get("FOB_SECRET", "")
    if len(secret) < 32:
        parser.error("FOB_SECRET is the sink's secret, 32 characters or more")
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Receiver)
    server.daemon_threads = True
    server.secret = secret.encode()
    server.told = Told()
    print(f"receives at http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
