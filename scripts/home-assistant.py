#!/usr/bin/env python3
"""A press in a real Home Assistant, by a real mosquitto that is killed under it.

  scripts/home-assistant.py FOB [--kills N]

Runs in the Python in which Home Assistant is installed (scripts/home-assistant.sh). Home Assistant
discovers a core with one emulated keychain; a press changes its alarm panel and starts an
automation, its buttons and its code do what they say, and the broker's death makes all of it
unavailable. Then the broker is killed N times while the button is pressed: each alarm is shown, and
nothing is shown that the core does not have."""
import argparse
import asyncio
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from fob_rig import PATIENCE, awaited, started
from owner_rig import PIN, free_port

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.components import device_automation
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component

KEYCHAIN = "8000000000000001"


class Bench:
    """The broker, a core with its keychain, and where they say what they do."""

    def __init__(self, fob, folder):
        self.fob, self.folder = fob, pathlib.Path(folder)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": folder}
        self.running = {}
        self.log = self.folder / "mosquitto.log"
        self.port, self.api = free_port(), free_port()
        (self.folder / "mosquitto.conf").write_text(
            f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {folder}/\nautosave_interval 1\nautosave_on_changes true\n")
        (self.folder / "channels.yaml").write_text(
            f'sinks: [{{type: mqtt, url: "mqtt://127.0.0.1:{self.port}",'
            " discovery: homeassistant, test: true}]\n")
        pin = self.folder / "pin"
        pin.touch(0o600)
        pin.write_text(PIN)

    def serve(self, name, *words):
        """One of fob's: it is ready then."""
        self.running[name] = started([self.fob, name, *words], self.folder / f"{name}.log",
                                     environment=self.environment)

    def start_broker(self):
        with open(self.log, "ab") as log:
            self.running["mosquitto"] = subprocess.Popen(
                ["mosquitto", "-v", "-c", self.folder / "mosquitto.conf"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill_broker(self):
        broker = self.running.pop("mosquitto")
        broker.send_signal(signal.SIGKILL)
        broker.wait()

    def start_core(self):
        state, token, line = (self.folder / name for name in ("state", "feed.token", "keychain"))
        self.serve("core", "--bench", "--pin-file", self.folder / "pin", "--config",
                   self.folder / "channels.yaml", "--state", state, "--listen",
                   f"127.0.0.1:{self.api}")
        token.touch(0o600)
        token.write_text(subprocess.run(
            [self.fob, "token", "create", "--scope", "feed", "--state", state], check=True,
            capture_output=True, text=True, env=self.environment).stdout)
        self.serve("emulate", "--link", line)
        self.serve("bridge", "--device", f"pty:{line}", "--core", f"http://127.0.0.1:{self.api}",
                   "--token-file", token)
        self.ctl("wait", "linked")

    def await_subscription(self, topic):
        broker = self.running["mosquitto"]
        awaited(lambda: f"\t{topic} (QoS" in self.log.read_text(errors="replace"), broker)

    def ctl(self, *words):
        done = subprocess.run([self.fob, "ctl", *words], capture_output=True, text=True,
                              env=self.environment, timeout=PATIENCE)
        if done.returncode:
            sys.exit(f"fob ctl {words}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    def core_state(self):
        """The alarm as the core itself says it."""
        path = self.folder / "fob/core.sock"
        return self.ctl("--socket", path, "status")["status"]["state"]

    def stop(self):
        for process in reversed(list(self.running.values())):
            process.terminate()
        for process in self.running.values():
            process.wait()


class House:
    """A Home Assistant with the MQTT integration, set up as its page does."""

    def __init__(self, folder):
        self.folder = folder
        self.changed = asyncio.Event()
        self.pressed = []
        # Every state of the panel, in order.
        self.panel = []

    async def start(self, port):
        self.hass = hass = core.HomeAssistant(self.folder)
        loader.async_setup(hass)
        hass.config_entries = config_entries.ConfigEntries(hass, {})
        await bootstrap.async_load_base_functionality(hass)
        hass.auth = await auth.auth_manager_from_config(hass, [], [])
        assert await async_setup_component(hass, "homeassistant", {})
        await hass.async_start()
        hass.bus.async_listen("state_changed", self.note)
        flow = await hass.config_entries.flow.async_init(
            "mqtt", context={"source": config_entries.SOURCE_USER})
        flow = await hass.config_entries.flow.async_configure(
            flow["flow_id"], {"broker": "127.0.0.1", "port": port})
        assert flow["type"] == "create_entry", flow
        await hass.async_block_till_done()

    @core.callback
    def note(self, event):
        new = event.data["new_state"]
        if new and new.domain == "alarm_control_panel":
            self.panel.append((new.state, new.attributes.get("incident")))
        self.changed.set()

    async def automate(self):
        device = device_registry.async_get(self.hass).async_get_device(
            {("mqtt", f"fob_fob_{KEYCHAIN}")})
        # As the editor of automations lists them.
        found = await device_automation.async_get_device_automations(
            self.hass, device_automation.DeviceAutomationType.TRIGGER, [device.id])
        trigger = next(one for one in found[device.id] if one["domain"] == "mqtt")
        assert (trigger["type"], trigger["subtype"]) == ("button_short_press", "button_1"), trigger
        trigger.pop("metadata", None)
        assert await async_setup_component(self.hass, "automation", {"automation": {
            "trigger": trigger, "action": {"event": "fob_was_pressed"}}})
        self.hass.bus.async_listen("fob_was_pressed", self.note_press)
        await self.hass.async_block_till_done()

    @core.callback
    def note_press(self, event):
        self.pressed.append(event)
        self.changed.set()

    def state(self, component, word):
        name = f"fob_fob_{word}" if component in ("alarm_control_panel", "button") \
            else f"fob_fob_{KEYCHAIN}_{word}"
        found = self.hass.states.get(f"{component}.{name}")
        return found.state if found else None

    async def wait(self, words, is_so):
        ends = time.monotonic() + PATIENCE
        while not is_so():
            self.changed.clear()
            left = ends - time.monotonic()
            try:
                await asyncio.wait_for(self.changed.wait(), max(0, left))
            except asyncio.TimeoutError:
                states = {s.entity_id: s.state for s in self.hass.states.async_all()}
                sys.exit(f"not within {PATIENCE} s: {words}\n{json.dumps(states, indent=1)}")

    async def wait_for(self, component, word, state):
        await self.wait(f"{component} {word} is {state}",
                        lambda: self.state(component, word) == state)

    async def call(self, domain, service, word, **data):
        await self.hass.services.async_call(
            domain, service, {"entity_id": f"{domain}.fob_fob_{word}", **data}, blocking=True)


async def discover(house, bench):
    await house.wait_for("alarm_control_panel", "alarm", "disarmed")
    await house.wait_for("binary_sensor", "link", "on")
    await house.wait_for("sensor", "battery", "87")
    await house.wait_for("sensor", "light", "idle")
    await house.wait_for("device_tracker", "position", "not_home")
    names = sorted(entity_registry.async_get(house.hass).entities)
    print(f"{len(names)} entities: {', '.join(names)}")
    await house.automate()
    await asyncio.to_thread(bench.await_subscription, f"fob/keychains/{KEYCHAIN}/press")


async def one_alarm(house, bench):
    began = time.monotonic()
    await asyncio.to_thread(bench.ctl, "press")
    await house.wait_for("alarm_control_panel", "alarm", "triggered")
    print(f"a press changes the panel within {(time.monotonic() - began) * 1e3:.0f} ms")
    await house.wait("the automation has run", lambda: len(house.pressed) == 1)
    await house.wait_for("sensor", "light", "accepted")
    message = house.hass.states.get("event.fob_fob_message")
    assert message.attributes["event_type"] == "raise", message
    assert message.attributes["text"].startswith("BENCH TEST: ALERT!"), message
    await house.call("button", "press", "acknowledge")
    await house.wait_for("sensor", "light", "acknowledged")
    await house.call("alarm_control_panel", "alarm_disarm", "alarm", code="0000")
    await house.call("alarm_control_panel", "alarm_disarm", "alarm", code=PIN)
    await house.wait_for("alarm_control_panel", "alarm", "disarmed")
    assert house.panel[-1][0] == "disarmed"
    assert await asyncio.to_thread(bench.core_state) == "EMERGENCY_ENDED"
    print("acknowledged by the button, and ended by the PIN alone")


async def death(house, bench):
    await asyncio.to_thread(bench.kill_broker)
    await house.wait_for("alarm_control_panel", "alarm", "unavailable")
    await house.wait_for("sensor", "battery", "unavailable")
    bench.start_broker()
    await house.wait_for("alarm_control_panel", "alarm", "disarmed")
    print("unavailable while the broker was dead, and right when it was back")


async def kills(house, bench, count):
    chance = random.Random(26)
    shown = 0
    for _ in range(count):
        press = asyncio.create_task(asyncio.to_thread(bench.ctl, "press"))
        await asyncio.sleep(chance.uniform(0, 0.15))
        await asyncio.to_thread(bench.kill_broker)
        await press
        await asyncio.sleep(chance.uniform(0, 0.5))
        bench.start_broker()
        await house.wait_for("alarm_control_panel", "alarm", "triggered")
        shown += 1
        while house.state("alarm_control_panel", "alarm") != "disarmed":
            # The code may be on its way when the broker dies: a person types it again.
            await house.call("alarm_control_panel", "alarm_disarm", "alarm", code=PIN)
            try:
                await asyncio.wait_for(house.changed.wait(), 2)
            except asyncio.TimeoutError:
                pass
            house.changed.clear()
    return shown


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("fob")
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ha") as folder:
        os.mkdir(f"{folder}/house")
        pathlib.Path(f"{folder}/house/configuration.yaml").touch()
        bench, house = Bench(os.path.abspath(options.fob), folder), House(f"{folder}/house")
        try:
            bench.start_broker()
            await asyncio.to_thread(bench.start_core)
            await house.start(bench.port)
            await discover(house, bench)
            await one_alarm(house, bench)
            await death(house, bench)
            shown = await kills(house, bench, options.kills)
            named = {incident for state, incident in house.panel if state == "triggered"}
            alarms = options.kills + 1
            print(f"{shown} of {options.kills} alarms shown after the broker's death,"
                  f" {len(named)} incidents named for {alarms} alarms")
            assert shown == options.kills and len(named) == alarms
        finally:
            bench.stop()
        await house.hass.async_stop(force=True)


asyncio.run(main())
