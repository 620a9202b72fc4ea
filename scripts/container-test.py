#!/usr/bin/env python3
"""Builds the container image of a Debian package and plays compose.yaml's own services with it.

  scripts/container-test.py [DEB]   as root; .build/deb/fob.deb where none is named

Needs buildah, podman and crun. No registry is asked: the image stands on a bare Debian of
scripts/bare-debian.sh (SYSTEM=FOLDER). The services of other images are not run: see
Tests/InstallTests/test_monitoring.py. LIBRARIES=FOLDER is mounted at the same place, for a program
that was linked to Swift's libraries there; a package of `make deb` needs none."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
BASE = "docker.io/library/debian:12-slim"
PATIENCE = 60
# Namespaces of its own: no address or mount of this machine is touched. crun knows cgroups of the
# second version alone.
APART = ["unshare", "--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child", "bash", "-euc",
         """mount -t proc proc /proc
            if ! mountpoint -q /sys/fs/cgroup || ! [ -e /sys/fs/cgroup/cgroup.procs ]; then
              umount -R /sys/fs/cgroup || true
              mount -t cgroup2 none /sys/fs/cgroup
            fi
            ip link set lo up
            exec "$@" """, "--"]


def run(*words: str | Path) -> str:
    ended = subprocess.run([str(word) for word in words], text=True, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} ends with {ended.returncode}:\n{ended.stdout}")
    return ended.stdout


def build(deb: Path, folder: Path) -> None:
    """The base is imported, and the image built upon it."""
    system = run(ROOT / "scripts/bare-debian.sh", *filter(None, [os.environ.get("SYSTEM")]))
    base = folder / "base.tar"
    run("tar", "--numeric-owner", "-C", system.strip().splitlines()[-1], "-cf", base, ".")
    run("podman", "import", "--quiet", base, BASE)
    base.unlink()
    (folder / "context").mkdir()
    shutil.copy(deb, folder / "context/fob.deb")
    run("buildah", "bud", "--isolation", "chroot", "--format", "docker", "--pull-never",
        "--file", ROOT / "containers/Containerfile", "--tag", "fob", folder / "context")


class Services:
    """Those of compose.yaml that are fob's."""

    def __init__(self) -> None:
        self.services = yaml.safe_load((ROOT / "containers/compose.yaml").read_text())["services"]
        image = json.loads(run("podman", "image", "inspect", "localhost/fob"))[0]
        self.check = image["Healthcheck"]["Test"][1]
        if image["User"] != "fob":
            sys.exit(f"the image's user is {image['User']}")

    def start(self, name: str, *options: str) -> str:
        service = self.services[name]
        words = ["podman", "run", "--name", name, "--pull", "never", "--network", "host",
                 "--cgroups=disabled", "--no-healthcheck", "--ulimit", "host"]
        # As compose gives each service the names of the others.
        words += [word for other in self.services for word in ("--add-host", f"{other}:127.0.0.1")]
        words += [f"--cap-drop={cap}" for cap in service["cap_drop"]]
        words += [f"--security-opt={option.replace(':true', '')}"
                  for option in service["security_opt"]]
        words += ["--read-only", "--read-only-tmpfs=false"] if service["read_only"] else []
        # podman gives the folder to the container's user by U, where docker takes uid and gid.
        words += [f"--tmpfs={mount.replace('uid=8787,gid=8787', 'U')}"
                  for mount in service["tmpfs"]]
        for volume in service.get("volumes", []):
            source, rest = volume.split(":", 1)
            words += ["--volume", f"{(ROOT / 'containers' / source).resolve()}:{rest}"
                      if source.startswith(".") else volume]
        libraries = os.environ.get("LIBRARIES")
        words += ["--volume", f"{libraries}:{libraries}:ro"] if libraries else []
        words += [f"--entrypoint={json.dumps(service['entrypoint'])}"
                  ] if "entrypoint" in service else []
        return run(*words, *options, "localhost/fob",
                   *(word.replace("$$", "$") for word in service["command"]))

    def await_healthy(self, name: str) -> None:
        end = time.monotonic() + PATIENCE
        while subprocess.run(
                ["podman", "exec", name, "sh", "-c", f"ls /run/fob/fob/*.sock && {self.check}"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            if time.monotonic() > end:
                sys.exit(f"{name} is not healthy:\n{run('podman', 'logs', name)}")
            time.sleep(0.2)


def play(services: Services) -> None:
    print(run("podman", "run", "--rm", "--pull", "never", "--network", "none", "--cgroups=disabled",
              "--no-healthcheck", "--ulimit", "host", *(
                  ["--volume", f"{os.environ['LIBRARIES']}:{os.environ['LIBRARIES']}:ro"]
                  if "LIBRARIES" in os.environ else []), "localhost/fob").splitlines()[-1])
    services.start("core", "--detach")
    services.await_healthy("core")
    services.start("tokens", "--rm")
    services.start("keychain", "--detach")
    services.await_healthy("keychain")
    services.start("bridge", "--detach")
    run("podman", "exec", "keychain", "fob", "ctl", "wait", "linked")
    event = json.loads(run("podman", "exec", "keychain", "fob", "ctl", "press"))["event"]
    run("podman", "exec", "keychain", "fob", "ctl", "wait", "acked", "--event", event)
    end = time.monotonic() + PATIENCE
    while '"state":"EMERGENCY_SENT"' not in run(
            "podman", "exec", "core", "fob", "ctl", "--socket", "/run/fob/fob/core.sock",
            "status"):
        if time.monotonic() > end:
            sys.exit("nobody was told")
    if "#code=" not in run("podman", "exec", "core", "fob", "code"):
        sys.exit("fob code gives no link to the page")
    print("a press at the keychain's container became an alarm at the core's")
    for name in ("bridge", "keychain", "core"):
        run("podman", "stop", "--time", "10", name)
        code = run("podman", "inspect", "--format", "{{.State.ExitCode}}", name).strip()
        if code != "0":
            sys.exit(f"{name} ends with {code} where it is told to stop")
    print("core, keychain and bridge end with 0 by SIGTERM")


def main() -> None:
    if os.geteuid() != 0:
        sys.exit("container-test.py: podman needs root here")
    if os.environ.get("FOB_APART") is None:
        deb = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / ".build/deb/fob.deb").resolve()
        with tempfile.TemporaryDirectory(prefix="fob-container-") as name:
            folder = Path(name)
            (folder / "storage.conf").write_text(
                f'[storage]\ndriver = "vfs"\nrunroot = "{folder}/run"\n'
                f'graphroot = "{folder}/root"\n')
            os.environ["CONTAINERS_STORAGE_CONF"] = str(folder / "storage.conf")
            build(deb, folder)
            print("the image is built", flush=True)
            status = subprocess.run([*APART, sys.executable, "-B", __file__],
                                    env={**os.environ, "FOB_APART": "1"}).returncode
            sys.exit(status)
    play(Services())


main()
