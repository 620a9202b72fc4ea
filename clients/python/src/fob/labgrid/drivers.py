"""What a keychain does for labgrid: its button as a digital output, its power, all the rest."""
import math
import pathlib
import shutil
import socket
import tempfile
import time
import typing

import attr
from labgrid.driver.common import Driver
from labgrid.factory import target_factory
from labgrid.protocol import DigitalOutputProtocol, PowerProtocol, ResetProtocol
from labgrid.step import step
from labgrid.util.proxy import proxymanager

from ..control import Control
from ..errors import FobError, Refused
from ..guard import Guard
from ..keychain import Keychain, State
from .emulation import Emulation, line_of, program
from .relay import Relay, tcp
from .resources import FobEmulatedKeychain, FobUSBKeychain, NetworkFobKeychain

# Seconds that a keychain may take to boot.
PATIENCE = 20.0
# Seconds in which a contact bounces.
BOUNCE = 0.05
# Millivolts of a battery that is taken out: the least that fob takes.
NO_BATTERY = 1


@target_factory.reg_driver
@attr.s(eq=False)
class FobKeychainDriver(Driver):
    """A keychain, wherever it is: `press`, every control request by `keychain`, and its line.

    keychain is a fob.Keychain. line: the device spec of its line, for fob.Bench(device=…) and fob
    bridge --device. control_path: its control socket, also of one at an exporter, for fob ctl
    --socket; None of a real keychain. All three are there while the driver is active.
    """

    bindings = {"resource": {FobEmulatedKeychain, FobUSBKeychain, NetworkFobKeychain}}

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._emulation: typing.Optional[Emulation] = None
        self._relay: typing.Optional[Relay] = None
        self._folder: typing.Optional[pathlib.Path] = None
        self._guard: typing.Optional[Guard] = None
        self._forget()

    @property
    def program(self) -> str:
        """fob on this host."""
        tool = self.target.env.config.get_tool("fob") if self.target.env else "fob"
        return program(getattr(self.resource, "program", None), tool)

    @Driver.check_active
    @step(result=True, args=["hold_ms"])
    def press(self, hold_ms: typing.Optional[int] = None) -> str:
        """Presses and releases, as fob.Keychain.press; returns the event."""
        return self.keychain.press(hold_ms)

    def on_activate(self) -> None:
        try:
            self._open()
        except BaseException:
            self.on_deactivate()
            raise

    def on_deactivate(self) -> None:
        if self._relay is not None:
            self._relay.close()
        if self._emulation is not None:
            self._emulation.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._guard is not None:
            self._guard.done()
        self._relay, self._emulation, self._folder, self._guard = None, None, None, None
        self._forget()

    def _forget(self) -> None:
        self.line, self.keychain = "", Keychain(None, "", "other")
        self.control_path: typing.Optional[pathlib.Path] = None

    def _open(self) -> None:
        board = "other"
        if isinstance(self.resource, NetworkFobKeychain):
            self._open_remote(self.resource)
        elif isinstance(self.resource, FobUSBKeychain):
            self.line = f"serial:{self.resource.port}?baud={self.resource.speed}"
        elif self.resource.control is not None:
            self.line, board = line_of(self.resource), self.resource.board
            self.control_path = pathlib.Path(self.resource.control)
        else:
            self._emulation = Emulation(self.resource, self.program)
            self.line, board = self._emulation.line, self.resource.board
            self.control_path = self._emulation.control
        control = None if self.control_path is None else Control(self.control_path)
        self.keychain = Keychain(control, self.line, board)

    def _open_remote(self, resource: NetworkFobKeychain) -> None:
        """A control socket here that leads to the one at the exporter."""
        if resource.port is None:
            raise FobError(f"{resource.host} serves this keychain only while its place is acquired")
        host, port = proxymanager.get_host_and_port(resource)
        self.line = f"tcp:[{host}]:{port}" if ":" in host else f"tcp:{host}:{port}"
        if resource.control_port is None:
            return
        there = proxymanager.get_host_and_port(resource, force_port=resource.control_port)
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-"))
        self._guard = Guard(self._folder)
        self.control_path = self._folder / "keychain.sock"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(str(self.control_path))
        listener.listen()
        self._relay = Relay(listener, lambda: tcp(*there))


@target_factory.reg_driver
@attr.s(eq=False)
class FobButtonDriver(Driver, DigitalOutputProtocol):
    """The button: set(True) closes and holds it, set(False) lets go, get() says whether it is
    held."""

    bindings = {"driver": FobKeychainDriver}

    @Driver.check_active
    @step(result=True)
    def get(self) -> bool:
        return bool(self.driver.keychain.state["held"])

    @Driver.check_active
    @step(args=["status"])
    def set(self, status: bool) -> None:
        keychain = self.driver.keychain

        def is_so(state: State) -> bool:
            return bool(state["held"]) == bool(status)

        keychain.until(is_so, lambda: set_finger(keychain, bool(status)))
        time.sleep(BOUNCE)
        keychain.until(is_so)


def set_finger(keychain: Keychain, is_on: bool) -> None:
    """A digital output may be set to what it is; a keychain refuses that."""
    try:
        keychain.hold() if is_on else keychain.release()
    except Refused:
        state = keychain.state
        if state["stuck"] or (is_on and not state["held"]):
            raise


@target_factory.reg_driver
@attr.s(eq=False)
class FobPowerDriver(Driver, PowerProtocol, ResetProtocol):
    """The battery: off() takes it out, on() puts it in and returns once the board has booted.

    cycle() cuts the power for `delay` seconds; reset() pulls the board's reset pin. battery: per
    cent that on() puts in, where not this driver has taken it out.
    """

    bindings = {"driver": FobKeychainDriver}
    delay: float = attr.ib(default=2.0, validator=attr.validators.instance_of((int, float)))
    battery: int = attr.ib(default=87, validator=attr.validators.instance_of(int))

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._taken: typing.Optional[int] = None

    @Driver.check_active
    @step()
    def on(self) -> None:
        keychain = self.driver.keychain
        if keychain.state["millivolts"] <= NO_BATTERY:
            percent = self.battery if self._taken is None else self._taken
            keychain.until(has_booted, lambda: keychain.battery(percent))
        self._taken = None

    @Driver.check_active
    @step()
    def off(self) -> None:
        keychain = self.driver.keychain
        state = keychain.state
        if state["millivolts"] > NO_BATTERY:
            self._taken = state["battery"]
            keychain.until(lambda now: not now["powered"],
                           lambda: keychain.battery(millivolts=NO_BATTERY))

    @Driver.check_active
    @step()
    def cycle(self) -> None:
        keychain = self.driver.keychain
        if keychain.state["powered"]:
            ms = max(1, math.ceil(self.delay * 1000))
            keychain.until(has_booted, lambda: keychain.power_cut(ms), PATIENCE + self.delay)
        else:
            self.on()

    @Driver.check_active
    @step()
    def reset(self) -> None:
        self.driver.keychain.reset()

    @Driver.check_active
    @step(result=True)
    def get(self) -> bool:
        return bool(self.driver.keychain.state["powered"])


def has_booted(state: State) -> bool:
    """One without power has no number of a boot."""
    return "boot" in state
