"""The fixtures bench, keychain, alarm, wire and fob_seed; docs/how-to/python.md has them all.

An installed fob-bench brings them by itself: then this file may go."""

pytest_plugins = ["fob.plugin"]
