#!/usr/bin/env python3
"""An emergency from its trigger to its end by the HTTP API, and its story.

    fob core --state /tmp/fob-example --config examples/core.yaml --listen 127.0.0.1:8787
    FOB_SECRET=example-secret-of-no-live-receiver examples/webhook/receiver.py --port 8788
    examples/python/press_to_end.py http://127.0.0.1:8787 /tmp/fob-example/admin-token

Needs a core that has no account yet. An automatic trigger has a countdown of 120 s: so long it
waits before somebody is told.
"""

import argparse
import json
import sys
import threading
import time
import urllib.error
import urllib.request

KEYCHAIN = "8000000000000001"
PIN = "4711"


class API:
    def __init__(self, url, token):
        self.url = url
        self.token = token

    def request(self, method, path, body=None, headers=None):
        request = urllib.request.Request(self.url + path, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return request

    def ask(self, method, path, body=None):
        try:
            with urllib.request.urlopen(self.request(method, path, body), timeout=20) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            problem = json.load(error)
            sys.exit(f"{method} {path}: {error.code} {problem['code']}: {problem['detail']}")


class Follower(threading.Thread):
    """The event stream, each line once and in order, whatever becomes of the connection."""

    def __init__(self, api, drop_once):
        super().__init__(daemon=True)
        self.api = api
        self.last = None
        self.retry = 1.0
        self.drop_once = drop_once
        self.events = []
        self.news = threading.Condition()

    def run(self):
        while True:
            try:
                self.read()
            except urllib.error.HTTPError as error:
                print(f"stream: refused, {error.code}", flush=True)
                if error.code in (401, 403):
                    return
            except (OSError, ValueError):
                pass
            time.sleep(self.retry)

    def read(self):
        headers = {} if self.last is None else {"Last-Event-ID": self.last}
        request = self.api.request("GET", "/v1/events", headers=headers)
        # The core says that it lives; more silence than this, and the connection is dead.
        with urllib.request.urlopen(request, timeout=60) as stream:
            if self.last is not None:
                print(f"stream: resumed after {self.last}", flush=True)
            fields = {}
            for raw in stream:
                line = raw.decode().rstrip("\r\n")
                if line:
                    name, _, value = line.partition(":")
                    fields[name] = value.removeprefix(" ")
                    continue
                self.take(fields)
                if self.drop_once and fields.get("event") == "incidentOpened":
                    self.drop_once = False
                    print("stream: dropped on purpose", flush=True)
                    return
                fields = {}

    def take(self, fields):
        if "retry" in fields:
            self.retry = int(fields["retry"]) / 1000
        if "event" not in fields:
            return
        with self.news:
            if "id" in fields:
                self.last = fields["id"]
            self.events.append((fields["event"], json.loads(fields["data"])))
            self.news.notify_all()

    def wait(self, name, patience, **facts):
        """The first event of that name with these facts."""

        def found():
            for event, data in self.events:
                if event == name and facts.items() <= data.get("facts", {}).items():
                    return data
            return None

        with self.news:
            if not self.news.wait_for(found, timeout=patience):
                sys.exit(f"in vain for {name} {facts}")
            return found()


def set_up(api):
    api.ask(
        "POST",
        "/v1/account",
        {
            "name": "Owner",
            "email": "owner@example.org",
            "mobile": "+15555550100",
            "country": "GB",
            "zone": "Europe/London",
        },
    )
    api.ask("PUT", "/v1/account/pin", {"pin": PIN})
    number = {"number": "+15555550101", "chosen": True}
    contact = api.ask("POST", "/v1/contacts", {"name": "Contact 1", "numbers": [number]})
    api.ask("PUT", f"/v1/devices/{KEYCHAIN}/claim")
    api.ask("PUT", "/v1/protection")
    api.ask("POST", "/v1/account/set-up/finish")
    print(f"account: made, with {contact['name']}; {KEYCHAIN} is claimed", flush=True)
    return contact["id"]


def tell_story(document):
    print(f"story of {document['id']}: {document['endReason']}")
    for line in document["log"]:
        told = [line["name"], line.get("detail"), line.get("contact"), line.get("who")]
        print(" ", line["at"]["time"], *(word for word in told if word))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="the core, as in http://127.0.0.1:8787")
    parser.add_argument("token_file", help="the file with an administrator token")
    parser.add_argument("--drop", action="store_true", help="drop the stream once, and resume")
    options = parser.parse_args()
    with open(options.token_file, encoding="ascii") as file:
        api = API(options.url, file.read().strip())

    follower = Follower(api, options.drop)
    follower.start()
    follower.wait("status", 20)
    contact = set_up(api)

    # The key makes the request safe to repeat: it opens no second incident.
    trigger = {"source": "checkIn", "device": KEYCHAIN, "key": f"python-{time.time_ns()}"}
    print("trigger:", api.ask("POST", "/v1/triggers", trigger)["state"], flush=True)
    opened = follower.wait("incidentOpened", 20)
    follower.wait("stateChanged", 150, to="EMERGENCY_SENT")
    print("told: EMERGENCY_SENT", flush=True)

    api.ask("POST", "/v1/incidents/current/acknowledge", {"contact": contact})
    print(f"acknowledged: by {contact}", flush=True)
    answer = api.ask("POST", "/v1/incidents/current/disarm", {"pin": PIN})
    print("disarmed:", answer["state"], flush=True)
    api.ask("POST", "/v1/incidents/current/resume")
    follower.wait("resumed", 20)

    ids = [data["id"] for _, data in follower.events if "id" in data]
    whole = ids == list(range(ids[0], ids[0] + len(ids)))
    print(f"stream: {len(ids)} lines,", "each once and in order" if whole else "with gaps")
    tell_story(api.ask("GET", f"/v1/incidents/{opened['incident']}"))
    if not whole:
        sys.exit(1)


if __name__ == "__main__":
    main()
