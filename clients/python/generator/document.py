"""The OpenAPI document, from a core that is started for it."""
import json
import pathlib
import tempfile
import typing
import urllib.request

from fob.process import Process


def served(program: str) -> typing.Dict[str, typing.Any]:
    """What /v1/openapi.json of a fresh core says."""
    with tempfile.TemporaryDirectory(prefix="fob-") as name:
        folder = pathlib.Path(name)
        core = Process(folder, "core", program, [
            "core", "--bench", "--json", "--state", str(folder / "state"),
            "--control", str(folder / "core.sock"), "--listen", "127.0.0.1:0"])
        try:
            core.start()
            url = core.said("listening")["listening"]
            with urllib.request.urlopen(f"{url}/v1/openapi.json", timeout=30) as answer:
                document: typing.Dict[str, typing.Any] = json.load(answer)
                return document
        finally:
            core.stop()
