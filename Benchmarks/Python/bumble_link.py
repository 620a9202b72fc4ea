#!/usr/bin/env python3
"""A notification through Bumble's virtual link for each line of standard input.

Answers with the nanoseconds until the subscriber's callback had it, and 1 where it was that one.
"""

import asyncio
import sys
import time

from bumble.controller import Controller
from bumble.device import Device, Peer
from bumble.gatt import Characteristic, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink

SERVICE = "50DB505C-8AC4-4738-8448-3B1D9CC09CC5"
BUTTON = "486F64C6-4B5F-4B3B-8AFF-EDE134A8446A"


async def linked():
    """Two stacks that know one another: the keychain's button, and the host's sight of it."""
    link = LocalLink()
    devices = []
    for name in "01":
        controller = Controller(name, link=link)
        host = Host(controller, AsyncPipeSink(controller))
        devices.append(Device(address=Address(f"F{name}:F1:F2:F3:F4:F5"), host=host))
    properties = Characteristic.Properties.READ | Characteristic.Properties.NOTIFY
    button = Characteristic(BUTTON, properties, Characteristic.READABLE, bytes(64))
    devices[1].add_service(Service(SERVICE, [button]))
    for device in devices:
        await device.power_on()
    await devices[1].start_advertising()
    peer = Peer(await devices[0].connect(devices[1].random_address))
    await peer.request_mtu(128)
    await peer.discover_services()
    await peer.discover_characteristics()
    return devices[1], button, peer.get_characteristics_by_uuid(button.uuid)[0]


async def main():
    keychain, button, seen = await linked()
    heard = asyncio.Queue()
    await seen.subscribe(lambda value: heard.put_nowait((time.perf_counter_ns(), value)))
    number = 0
    while await asyncio.to_thread(sys.stdin.readline):
        number += 1
        value = number.to_bytes(64, "little")
        began = time.perf_counter_ns()
        await keychain.notify_subscribers(button, value)
        at, came = await asyncio.wait_for(heard.get(), 10)
        print(at - began, int(came == value), flush=True)


asyncio.run(main())
