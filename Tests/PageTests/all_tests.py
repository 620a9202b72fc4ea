"""Plays every test: each of some browsers takes the next one of a queue, until none is left."""

import io
import multiprocessing
import os
import signal
import sys
import unittest

import page_test_case


def units():
    """What is taken at once, as names: a test, or a class whose tests share what it begins with."""
    found = {}
    for test in _tests(unittest.defaultTestLoader.discover(".")):
        group = type(test)
        shares = group.setUpClass.__func__ is not unittest.TestCase.setUpClass.__func__
        name = f"{group.__module__}.{group.__qualname__}" if shares else test.id()
        found[name] = found.get(name, 0) + 1
    # A class takes longest: nobody is to wait for one that began last.
    return sorted(found, key=lambda name: -found[name]), sum(found.values())


def _tests(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from _tests(one)
        else:
            yield one


def play(names, ends):
    """In a process with a browser of its own; says of each unit how it went and how it ended."""
    try:
        for name in iter(names.get, None):
            said = io.StringIO()
            result = unittest.TextTestRunner(said, verbosity=2).run(
                unittest.defaultTestLoader.loadTestsFromName(name))
            ends.put((said.getvalue(), result.testsRun, result.wasSuccessful()))
    finally:
        page_test_case.close_browser()


def main():
    # As Ctrl-C does: no browser is left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    names, expected = units()
    waiting, ends = multiprocessing.Queue(), multiprocessing.Queue()
    # One more than there are processors, as a page waits at times.
    browsers = [multiprocessing.Process(target=play, args=(waiting, ends), daemon=True)
                for _ in range(max(2, os.cpu_count()) + 1)]
    for name in names + [None] * len(browsers):
        waiting.put(name)
    for browser in browsers:
        browser.start()
    played, failed, left = 0, 0, len(names)
    while left:
        try:
            said, count, is_good = ends.get(timeout=1)
        except multiprocessing.queues.Empty:
            if any(browser.exitcode for browser in browsers):
                sys.exit("a browser's process has ended before its tests")
            continue
        print(said, end="", flush=True)
        played, failed, left = played + count, failed + (not is_good), left - 1
    for browser in browsers:
        browser.join()
    print(f"{played} of {expected} tests in {len(browsers)} browsers, failures in {failed}")
    sys.exit(bool(failed) or played != expected)


if __name__ == "__main__":
    main()
