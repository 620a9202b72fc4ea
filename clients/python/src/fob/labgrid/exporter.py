"""What labgrid's exporter does with keychains."""
import socket
import typing

import attr
from labgrid.remote.exporter import ResourceExport, exports

from .emulation import Emulation, line_of, program
from .relay import End, Relay, line, unix
from .resources import FobEmulatedKeychain, FobUSBKeychain

Words = typing.Dict[str, typing.Any]
Local = typing.Union[FobEmulatedKeychain, FobUSBKeychain]
KINDS: typing.Dict[str, typing.Callable[..., Local]] = {
    "FobEmulatedKeychain": FobEmulatedKeychain, "FobUSBKeychain": FobUSBKeychain}


def register() -> None:
    """Teaches it the two kinds."""
    for kind in KINDS:
        exports[kind] = KeychainExport


@attr.s(eq=False)
class KeychainExport(ResourceExport):
    """Serves a keychain's line, and its control socket where it has one, by TCP while a place that
    has it is acquired."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.local: Local = KINDS[self.cls](target=None, name=None, **self.local_params)
        self.data["cls"] = "NetworkFobKeychain"
        self._emulation: typing.Optional[Emulation] = None
        self._relays: typing.List[Relay] = []

    def _get_params(self) -> Words:
        ports = [relay.port for relay in self._relays] + [None, None]
        return {"host": self.host, "port": ports[0], "control_port": ports[1]}

    def _get_start_params(self) -> Words:
        """What is served anew once it differs: a port with another number, a keychain that died."""
        died = self._emulation is not None and self._emulation.has_ended
        return {"port": getattr(self.local, "port", None), "died": died}

    def _start(self, start_params: Words) -> None:
        try:
            if isinstance(self.local, FobUSBKeychain):
                port, speed = str(self.local.port), self.local.speed
                self._serve(lambda: line(port, speed), most=1)
                return
            if self.local.control is None:
                self._emulation = Emulation(self.local, program(self.local.program))
            control = str(self._emulation.control if self._emulation else self.local.control)
            resource, own = self.local, self._emulation
            # One that runs is asked when somebody comes: it may not be there yet.
            self._serve(lambda: line(own.line if own else line_of(resource)), most=1)
            self._serve(lambda: unix(control))
        except BaseException:
            self._stop(start_params)
            raise

    def _stop(self, start_params: Words) -> None:
        for relay in self._relays:
            relay.close()
        self._relays = []
        if self._emulation is not None:
            self._emulation.close()
            self._emulation = None

    def _serve(self, connect: typing.Callable[[], End], most: int = 16) -> None:
        family = socket.AF_INET6 if ":" in self.local.listen else socket.AF_INET
        listener = socket.create_server((self.local.listen, 0), family=family)
        self._relays.append(Relay(listener, connect, most))
