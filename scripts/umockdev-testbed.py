#!/usr/bin/python3
"""USB keychains that come and go in a testbed of umockdev, as lines on standard input say.

Run by umockdev-wrapper. Its first line of output is the testbed's folder, which a program sees
with LD_PRELOAD=libumockdev-preload.so.0 and UMOCKDEV_DIR set to it. Each line of input is answered
by a line:

  add SOCKET SERIAL NODE TARGET   SERIAL in the socket (1-1, 1-2) as NODE (ttyACM0), which is a
                                  link to TARGET: umockdev's own terminal is none for isatty(3)
  remove NODE                     pulled, from leaf to root
  end                             as the end of the input, which others may hold open
"""
import os
import sys

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

testbed = UMockdev.Testbed.new()
root = testbed.get_root_dir()
os.makedirs(root + "/dev", exist_ok=True)
plugged = {}


def add(socket, serial, node, target):
    ids = ["ID_BUS", "usb", "ID_VENDOR_ID", "1209", "ID_MODEL_ID", "0001"]
    ids += ["ID_SERIAL_SHORT", serial, "FOB_KEYCHAIN", "1", "ID_MM_DEVICE_IGNORE", "1"]
    device = testbed.add_device(
        "usb", socket, None,
        ["idVendor", "1209", "idProduct", "0001", "serial", serial,
         "manufacturer", "fob", "product", "fob keychain"],
        ["DEVTYPE", "usb_device", "DEVNAME", "/dev/bus/usb/255/00" + socket[-1]] + ids)
    interface = testbed.add_device(
        "usb", socket + ":1.0", device, [], ["DEVTYPE", "usb_interface", "DRIVER", "cdc_acm"])
    os.symlink(target, root + "/dev/" + node)
    port = testbed.add_device(
        "tty", node, interface, ["dev", "166:" + node[6:]],
        ["DEVNAME", "/dev/" + node, "DEVLINKS", "/dev/fob/" + serial] + ids)
    plugged[node] = [port, interface, device]
    for path in (device, interface, port):
        testbed.uevent(path, "add")


def remove(node):
    os.unlink(root + "/dev/" + node)
    for path in plugged.pop(node):
        testbed.uevent(path, "remove")
        testbed.remove_device(path)


print(root, flush=True)
for line in sys.stdin:
    words = line.split()
    if words == ["end"]:
        break
    {"add": add, "remove": remove}[words[0]](*words[1:])
    print("done", flush=True)
