"""Keychains as labgrid's resources: what they are and where, without anything that they do."""
import os
import stat
import termios
import typing

import attr
from labgrid.factory import target_factory
from labgrid.resource.common import NetworkResource, Resource
from labgrid.resource.udev import USBResource

from ..keychain import IN_QEMU

TEXT, NUMBER = attr.validators.instance_of(str), attr.validators.instance_of(int)
TEXT_OR_NONE, NUMBER_OR_NONE = attr.validators.optional(TEXT), attr.validators.optional(NUMBER)
# What udev/70-fob.rules takes for a keychain, as udev's database has it.
IDS = {"ID_VENDOR_ID": "1209", "ID_MODEL_ID": "0001", "ID_VENDOR": "fob",
       "ID_MODEL": "fob_keychain"}


@target_factory.reg_resource
@attr.s(eq=False)
class FobEmulatedKeychain(Resource):
    """An emulated keychain of this host.

    control: the control socket of one that runs, which is used as it stands; without it each driver
    that is activated, and each place that is acquired, has a new one. line: of one that runs, where
    another spec than its own leads there. program, board (as of fob emulate), battery in per cent
    and gps are those of fob emulate. listen: the address on which an exporter serves it.
    """

    control: typing.Optional[str] = attr.ib(default=None, validator=TEXT_OR_NONE)
    line: typing.Optional[str] = attr.ib(default=None, validator=TEXT_OR_NONE)
    program: typing.Optional[str] = attr.ib(default=None, validator=TEXT_OR_NONE)
    board: str = attr.ib(default="simulated",
                         validator=attr.validators.in_(["simulated", *IN_QEMU]))
    battery: int = attr.ib(default=87, validator=NUMBER)
    gps: typing.Optional[str] = attr.ib(default=None, validator=TEXT_OR_NONE)
    listen: str = attr.ib(default="127.0.0.1", validator=TEXT)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.poll()

    def poll(self) -> None:
        """One that is to be there may not be."""
        self.avail = self.control is None or is_socket(self.control)


@target_factory.reg_resource
@attr.s(eq=False)
class FobUSBKeychain(USBResource):
    """A keychain on this host's USB: its serial port, whatever its number is now.

    match: as {"ID_SERIAL_SHORT": "8000000000000001"}, its serial number; any other property of udev
    will do. speed: of a serial converter. listen: the address on which an exporter serves it.
    """

    speed: int = attr.ib(default=115200, validator=NUMBER)
    listen: str = attr.ib(default="127.0.0.1", validator=TEXT)

    def __attrs_post_init__(self) -> None:
        if not hasattr(termios, f"B{self.speed}"):
            raise ValueError(f"speed {self.speed} is none that a serial port has")
        self.match["SUBSYSTEM"] = "tty"
        self.match["@SUBSYSTEM"] = "usb"
        super().__attrs_post_init__()

    def filter_match(self, device: typing.Any) -> bool:
        """A keychain by the udev rule, or by its words where the rule is not installed."""
        known = device.properties
        return known.get("FOB_KEYCHAIN") == "1" or all(
            known.get(name) == value for name, value in IDS.items())

    @property
    def port(self) -> typing.Optional[str]:
        """As /dev/ttyACM0; None while it is not plugged in."""
        return None if self.device is None else str(self.device.device_node)


@target_factory.reg_resource
@attr.s(eq=False)
class NetworkFobKeychain(NetworkResource):
    """A keychain that an exporter serves while its place is acquired.

    port: its line. control_port: its control socket; None of a real keychain, which has none.
    """

    port: typing.Optional[int] = attr.ib(default=None, validator=NUMBER_OR_NONE)
    control_port: typing.Optional[int] = attr.ib(default=None, validator=NUMBER_OR_NONE)


def is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode)
    except OSError:
        return False
