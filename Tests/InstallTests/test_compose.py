"""compose.yaml is what docker-compose takes, and its services start what there is."""

from __future__ import annotations

import re
import shutil
import socket
import tempfile
import unittest
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from processes import Running, awaited, free_port
from repository import FOB, ROOT, ended, said_by

CONTAINERS = ROOT / "containers"
COMPOSE = CONTAINERS / "compose.yaml"


def services() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return read


class ComposeTests(unittest.TestCase):
    def test_docker_compose_takes_it(self) -> None:
        status, said = self.read(COMPOSE.read_text())
        self.assertEqual((status, said), (0, ""))

    def test_docker_compose_refuses_a_field_that_there_is_not(self) -> None:
        status, said = self.read(COMPOSE.read_text().replace("    restart:", "    restarts:"))
        self.assertNotEqual(status, 0)
        self.assertIn("restarts", said)

    def read(self, text: str) -> tuple[int, str]:
        """What docker-compose says of it, where make deb has been."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, ".build/deb").mkdir(parents=True)
            shutil.copytree(CONTAINERS, Path(folder, "containers"))
            planted = Path(folder, "containers/compose.yaml")
            planted.write_text(text)
            return ended("docker-compose", "--file", planted, "config", "--quiet")

    def test_docker_compose_takes_that_of_each_host_of_a_cluster(self) -> None:
        cluster = ROOT / "examples/cluster"
        with tempfile.TemporaryDirectory() as folder:
            hosts = Path(folder, "hosts")
            said = said_by(cluster / "cluster", "files", hosts, "10.0.0.1", "10.0.0.2", "10.0.0.3")
            self.assertIn("postgres://fob@10.0.0.1:5432,10.0.0.2:5432,10.0.0.3:5432/fob", said)
            for host in (hosts / number for number in "123"):
                for name in ("compose.yaml", "Containerfile"):
                    shutil.copy(cluster / name, host)
                self.assertEqual((host / "member.env").stat().st_mode & 0o777, 0o600)
                self.assertEqual(
                    ended("docker-compose", "--file", host / "compose.yaml", "config", "--quiet"),
                    (0, ""))

    def test_every_option_is_one_of_its_command(self) -> None:
        checked = 0
        for name, service in services().items():
            if service["image"] != "fob" or "entrypoint" in service:
                continue
            known = set(re.findall(r"--[a-z-]+", said_by(FOB, service["command"][0], "--help")))
            given = {word for word in service["command"] if word.startswith("--")}
            self.assertLessEqual(given, known, name)
            checked += 1
        self.assertEqual(checked, 3)

    def test_every_file_that_it_mounts_is_there(self) -> None:
        mounted = [volume.split(":")[0] for service in services().values()
                   for volume in service.get("volumes", []) if volume.startswith(".")]
        self.assertGreaterEqual(len(mounted), 6)
        for path in mounted:
            self.assertTrue((CONTAINERS / path).exists(), path)
        context = services()["core"]["build"]
        self.assertEqual((CONTAINERS / context["context"] / context["dockerfile"]).resolve(),
                         CONTAINERS / "Containerfile")

    def test_nothing_is_reached_from_other_hosts_and_every_image_has_its_version(self) -> None:
        for name, service in services().items():
            for port in service.get("ports", []):
                self.assertTrue(port.startswith("127.0.0.1:"), f"{name}: {port}")
            if service["image"] != "fob":
                self.assertRegex(service["image"], r":v?\d+\.\d+\.\d+$")
            else:
                self.assertEqual((service["read_only"], service["cap_drop"]), (True, ["ALL"]))

    def test_names_in_the_configurations_are_services(self) -> None:
        text = (CONTAINERS / "prometheus/prometheus.yml").read_text()
        text += (CONTAINERS / "grafana/provisioning/datasources/prometheus.yaml").read_text()
        named = set(re.findall(r"(?:\"|//)(\w+):\d+", text))
        self.assertEqual(named, {"core", "prometheus"})
        self.assertLessEqual(named, set(services()))

    def test_mosquitto_takes_its_configuration(self) -> None:
        text = (CONTAINERS / "mosquitto.conf").read_text()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.chmod(0o755)
            (folder / "data").mkdir(0o777)
            (folder / "data").chmod(0o777)
            config = folder / "mosquitto.conf"
            port = free_port()
            config.write_text(text.replace("/mosquitto/data/", f"{folder / 'data'}/")
                              .replace("listener 1883", f"listener {port} 127.0.0.1"))
            broker = Running(folder, "mosquitto", "mosquitto", "-c", config)
            try:
                with awaited("mosquitto", lambda: socket.create_connection(("127.0.0.1", port))):
                    pass
            finally:
                broker.end()
            self.assertIn(" running\n", broker.said)
            self.assertNotIn("Error", broker.said)

    def test_tokens_are_made_once_each_for_its_reader(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "bin").mkdir()
            (folder / "bin/fob").symlink_to(FOB)
            (folder / "tokens").mkdir()
            core = Running(folder, "core", FOB, "core", "--bench", "--state", folder / "state",
                           "--control", folder / "core.sock", "--listen", "127.0.0.1:0")
            try:
                core.until("the API is at")
                script = services()["tokens"]["command"][0].replace(
                    "/run/tokens", str(folder / "tokens")).replace("$$", "$")
                for _ in range(2):
                    said_by("sh", "-euc", script, STATE_DIRECTORY=str(folder / "state"),
                            PATH=f"{folder / 'bin'}:/usr/bin:/bin")
                kept = {path.name: path.stat().st_mode & 0o777
                        for path in (folder / "tokens").iterdir()}
                # Prometheus is another user in its container; the bridge is the core's.
                self.assertEqual(kept, {"bridge": 0o600, "prometheus": 0o644})
                listed = said_by(FOB, "token", "list", "--state", folder / "state")
                self.assertEqual(len(re.findall(r"\b(feed|observe)\b", listed)), 2, listed)
            finally:
                core.end()


if __name__ == "__main__":
    unittest.main()
