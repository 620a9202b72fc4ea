#!/usr/bin/env python3
"""An alarm receiver on this host: pysiaalarm, as Home Assistant has it. It says on which port it
listens, and then each event as it has read it, as JSON.

  python3 -m pip install pysiaalarm==3.2.2
  receiver.py PORT ACCOUNT [KEY]   PORT 0: any; KEY: 16, 24 or 32 characters, 0 to 9, A to F"""
import json
import logging
import sys
import threading

from pysiaalarm import SIAAccount, SIAClient


def told(event):
    is_contact_id = event.event_qualifier is not None
    # Each connection has a thread: the log keeps lines whole.
    logging.warning(json.dumps({
        "token": event.message_type.value, "isEncrypted": event.encrypted,
        "sequence": int(event.sequence), "account": event.account,
        "code": event.event_qualifier + event.event_type if is_contact_id else event.code,
        "zone": int(event.ri if is_contact_id else event.message or 0),
        "area": int(event.partition if is_contact_id else event.ri),
        "extended": [data.identifier + data.value for data in event.extended_data or []],
        "time": int(event.timestamp.timestamp())}))


logging.basicConfig(stream=sys.stdout, format="%(message)s")
port, account, *key = sys.argv[1:]
client = SIAClient("127.0.0.1", int(port), [SIAAccount(account, *key)], told)
client.start()
print(client.sia_server.server_address[1], flush=True)
threading.Event().wait()
