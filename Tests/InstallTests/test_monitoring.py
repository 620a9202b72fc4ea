"""A core as compose.yaml has it, beside Debian's Prometheus and Alertmanager with its files."""

from __future__ import annotations

import functools
import json
import re
import tempfile
import unittest
import urllib.parse
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from processes import Running, awaited, fetched, free_port
from repository import FOB, ROOT, said_by

CONTAINERS = ROOT / "containers"
DASHBOARD = CONTAINERS / "grafana/dashboards/fob.json"


def queries() -> dict[str, str]:
    """Of each query of the dashboard the panel."""
    return {target["expr"]: panel["title"]
            for panel in json.loads(DASHBOARD.read_text())["panels"]
            for target in panel["targets"]}


class MonitoringTests(unittest.TestCase):
    folder: Path

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "run").mkdir(0o700)
        self.ports = {name: free_port()
                      for name in ("core", "alertmanager", "prometheus", "keychain", "nobody")}

    def start(self, name: str, *command: str | Path) -> Running:
        running = Running(self.folder, name, *command,
                          environment={"XDG_RUNTIME_DIR": str(self.folder / "run")})
        self.addCleanup(running.end)
        return running

    def at(self, name: str) -> str:
        return f"127.0.0.1:{self.ports[name]}"

    def put(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def start_core(self) -> tuple[Running, str]:
        """By compose.yaml's channels, and one that nobody answers; its token for Prometheus."""
        channels = (CONTAINERS / "core.yaml").read_text().replace(
            "127.0.0.1:9093", self.at("alertmanager"))
        channels += (f"  - type: webhook\n    url: http://{self.at('nobody')}/\n    test: true\n"
                     f"    secret: {'example-' * 4}\n")
        core = self.start(
            "core", FOB, "core", "--bench", "--state", self.folder / "state", "--config",
            self.put("core.yaml", channels), "--listen", self.at("core"), "--host", "core")
        core.until("the API is at")
        tokens = [said_by(FOB, "token", "create", "--scope", scope, "--state",
                          self.folder / "state").strip() for scope in ("feed", "observe")]
        self.put("bridge.token", tokens[0] + "\n")
        self.put("prometheus.token", tokens[1] + "\n")
        return core, tokens[1]

    def start_keychain(self) -> Running:
        keychain = self.start("keychain", FOB, "emulate", "--on", f"tcp:{self.at('keychain')}")
        keychain.until("keychain 8000000000000001 on")
        self.start("bridge", FOB, "bridge", "--device", f"tcp:{self.at('keychain')}", "--core",
                   f"http://{self.at('core')}", "--token-file", "bridge.token")
        self.ask_keychain("wait", "linked")
        return keychain

    def ask_keychain(self, *words: str) -> str:
        return said_by(FOB, "ctl", "--socket", self.folder / "run/fob/keychain.sock", *words)

    def start_prometheus(self) -> None:
        text = (CONTAINERS / "prometheus/prometheus.yml").read_text()
        for old, new in (("core:8787", self.at("core")), ("core:9093", self.at("alertmanager")),
                         ("/run/tokens/prometheus", str(self.folder / "prometheus.token")),
                         ("interval: 5s", "interval: 500ms")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        # An alert is raised in the moment in which it would become pending.
        rules = (CONTAINERS / "prometheus/fob.rules.yml").read_text()
        self.put("fob.rules.yml", re.sub(r"for: \w+", "for: 0s", rules))
        config = self.put("prometheus.yml", text)
        said_by("promtool", "check", "config", config)
        self.start("prometheus", "prometheus", f"--config.file={config}",
                   f"--storage.tsdb.path={self.folder / 'tsdb'}",
                   f"--web.listen-address={self.at('prometheus')}")
        awaited("Prometheus", lambda: fetched(f"http://{self.at('prometheus')}/-/ready"))

    def start_alertmanager(self) -> None:
        self.start("alertmanager", "prometheus-alertmanager",
                   f"--config.file={CONTAINERS / 'alertmanager.yml'}",
                   f"--storage.path={self.folder / 'alerts'}", "--cluster.listen-address=",
                   f"--web.listen-address={self.at('alertmanager')}")
        awaited("Alertmanager", lambda: fetched(f"http://{self.at('alertmanager')}/-/ready"))

    def values(self, query: str) -> list[Any]:
        answer = json.loads(fetched(f"http://{self.at('prometheus')}/api/v1/query?"
                                    + urllib.parse.urlencode({"query": query})))
        self.assertEqual(answer["status"], "success", query)
        found: list[Any] = answer["data"]["result"]
        return found

    def alerts(self) -> set[str]:
        """Those that Alertmanager has."""
        return {alert["labels"]["alertname"] for alert in json.loads(
            fetched(f"http://{self.at('alertmanager')}/api/v2/alerts"))}

    def test_what_the_dashboard_asks_is_answered_and_what_fails_is_raised(self) -> None:
        self.start_alertmanager()
        core, token = self.start_core()
        keychain = self.start_keychain()
        self.start_prometheus()
        awaited("a linked keychain", lambda: self.values("fob_devices_linked == 1"))
        self.ask_keychain("press")
        # By the core's own channel.
        awaited("the alarm at Alertmanager", lambda: "FobEmergency" in self.alerts())
        awaited("the alarm at Prometheus",
                lambda: self.values('fob_emergency_state{state="EMERGENCY_SENT"} == 1'))

        for query, panel in queries().items():
            awaited(f"{panel}: {query}", functools.partial(self.values, query))
        served = set(re.findall(r"^# TYPE (\w+)", fetched(
            f"http://{self.at('core')}/metrics", token), re.M))
        rules = yaml.safe_load((CONTAINERS / "prometheus/fob.rules.yml").read_text())["groups"]
        for query in [*queries(), *(rule["expr"] for group in rules for rule in group["rules"])]:
            asked = set(re.findall(r"\bfob_\w+", query))
            self.assertLessEqual(asked, served, query)
        self.assertLessEqual(served, set(re.findall(r"\bfob_\w+", " ".join(queries()))),
                             "what the core serves is on the dashboard")

        awaited("a channel that fails", lambda: "FobDeliveryFailing" in self.alerts())
        self.assertEqual(self.alerts() & {"FobKeychainNotLinked", "FobCoreDown"}, set())
        keychain.end()
        awaited("a keychain that is gone", lambda: "FobKeychainNotLinked" in self.alerts())
        core.end()
        awaited("a core that is gone", lambda: "FobCoreDown" in self.alerts())
        # Nothing holds back the alarm of a person.
        active = fetched(f"http://{self.at('alertmanager')}/api/v2/alerts?inhibited=false")
        self.assertIn("FobEmergency", active)


if __name__ == "__main__":
    unittest.main()
