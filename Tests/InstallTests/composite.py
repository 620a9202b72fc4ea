"""Plays a composite action of GitHub's as a runner would: what this repository's action uses."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]


@dataclass
class Ended:
    """How an action ended: its status, what its steps said, and the actions that it has used."""

    status: int = 0
    said: str = ""
    steps: list[str] = field(default_factory=list)
    used: list[dict[str, Any]] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)


class Composite:
    def __init__(self, path: Path) -> None:
        self.action: dict[str, Any] = yaml.safe_load(path.read_text())

    def play(self, workspace: Path, temp: Path, environment: dict[str, str],
             **inputs: str) -> Ended:
        known = self.action["inputs"]
        unknown = set(inputs) - set(known)
        missing = {name for name, one in known.items() if one.get("required")} - set(inputs)
        if unknown or missing:
            raise ValueError(f"unknown {unknown}, missing {missing}")
        values = {f"inputs.{name}": inputs.get(name, one.get("default", ""))
                  for name, one in known.items()}
        values["runner.temp"] = str(temp)
        ended = Ended()
        for step in self.action["runs"]["steps"]:
            if not is_due(step.get("if", "success()"), values, ended.status):
                continue
            ended.steps.append(step["name"])
            if "uses" in step:
                ended.used.append({"uses": step["uses"], **{
                    name: filled(value, values) for name, value in step["with"].items()}})
                continue
            self._run(step, workspace, temp, environment, values, ended)
        ended.outputs = {name: filled(one["value"], values)
                         for name, one in self.action["outputs"].items()}
        return ended

    def _run(self, step: dict[str, Any], workspace: Path, temp: Path,
             environment: dict[str, str], values: dict[str, str], ended: Ended) -> None:
        if step["shell"] != "bash":
            raise ValueError(step["shell"])
        script, output = temp / "step.sh", temp / "step.output"
        script.write_text(filled(step["run"], values))
        output.write_text("")
        run = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=workspace,
            env={**os.environ, **environment, "RUNNER_TEMP": str(temp),
                 "GITHUB_OUTPUT": str(output),
                 **{name: filled(value, values) for name, value in step.get("env", {}).items()}},
            text=True, timeout=60, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        ended.said += run.stdout
        ended.status = ended.status or run.returncode
        for name, value in re.findall(r"^(\w+)=(.*)$", output.read_text(), re.M):
            values[f"steps.{step['id']}.outputs.{name}"] = value


def filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda name: values.get(name.group(1), ""), text)


def is_due(condition: str, values: dict[str, str], status: int) -> bool:
    """Conditions of the forms that the action has, joined by &&."""
    parts = condition.split(" && ")
    due = True if any(part in ("failure()", "success()") for part in parts) else status == 0
    for part in parts:
        compared = re.fullmatch(r"([\w.-]+) (==|!=) '([^']*)'", part)
        if part == "failure()":
            due = due and status != 0
        elif part == "success()":
            due = due and status == 0
        elif compared:
            name, operator, text = compared.groups()
            due = due and (values[name] == text) == (operator == "==")
        else:
            raise ValueError(f"a condition of another form: {part}")
    return due
