"""Keychains for labgrid: resources, drivers, and what its exporter exports.

An environment names this module under `imports`; `python3 -m fob.labgrid` is labgrid-exporter that
knows keychains. Needs labgrid: pip install fob-bench[labgrid]."""
from .drivers import FobButtonDriver, FobKeychainDriver, FobPowerDriver
from .frames import FobFramesDriver
from .resources import FobEmulatedKeychain, FobUSBKeychain, NetworkFobKeychain

__all__ = [
    "FobButtonDriver", "FobEmulatedKeychain", "FobFramesDriver", "FobKeychainDriver",
    "FobPowerDriver", "FobUSBKeychain", "NetworkFobKeychain",
]
