#!/usr/bin/env python3
"""What a person waits for on fob's page, in a headless Chromium on this host.

A press is timed from the pointer's event on the page's button to the first frame in which the page
shows what the keychain's light shows now: HTTP, the firmware's debouncing of 15 ms, the line, the
core's commit, the line back, the event stream and a frame of the browser lie between. The first
view is timed from the beginning of the navigation, nothing in the cache, to the frame in which
status and keychain stand there. The weight is what both documents load, as it comes over the line.
"""

import argparse
import contextlib
import os
import statistics
import tempfile
import time
import urllib.request

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from browser import browser, enter, served, until
from processes import go_first, keep, started

PIN = "4711"
BUTTON = "#hand button.press"
LIGHT = "#hand .shown"

#: After the frame in which the status view and the keychain stand in the document.
FIRST_VIEW = f"""
(() => {{
  const isThere = () => document.querySelector("#main h1") && document.querySelector("{BUTTON}");
  const look = () => {{
    if (!isThere()) return requestAnimationFrame(look);
    const {{ port1, port2 }} = new MessageChannel();
    port1.onmessage = () => {{ window.firstView = performance.now(); }};
    port2.postMessage(null);
  }};
  requestAnimationFrame(look);
}})();
"""

#: From the pointer's event to after the first frame with another state of the light.
WATCH = """
const [button, light] = arguments;
let since = null;
let before = "";
button.addEventListener("pointerdown", (event) => {
  [since, before, window.lit] = [event.timeStamp, light.textContent, null];
}, true);
new MutationObserver(() => {
  if (since === null || light.textContent === before) return;
  const began = since;
  since = null;
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.lit = performance.now() - began; };
    port2.postMessage(null);
  });
}).observe(light, { childList: true, characterData: true, subtree: true });
"""

VERB = """
const [verb, body, done] = arguments;
fetch(`/v1/incidents/current/${verb}`, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
}).then((answer) => done(answer.status), (error) => done(String(error)));
"""

LOADED = """
return ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
  .map((entry) => entry.name).filter((name) => !new URL(name).pathname.startsWith("/v1/"));
"""


def perform(driver, verb, **body):
    status = driver.execute_async_script(VERB, verb, body)
    if status != 200:
        raise ValueError(f"{verb} was answered {status}")


def first_views(driver, url, count):
    """Milliseconds, each on a document of its own."""
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    script = driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": FIRST_VIEW}
    )
    times = []
    for _ in range(count):
        driver.get(url + "/")
        times.append(until(driver, "return window.firstView ?? null"))
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
    return times


def presses(driver, url, count):
    """Milliseconds, each press an alarm of its own that is ended before the next."""
    driver.get(url + "/")
    until(driver, f"return document.querySelector('{BUTTON}') ? true : null")
    button = driver.find_element(By.CSS_SELECTOR, BUTTON)
    light = driver.find_element(By.CSS_SELECTOR, LIGHT)
    idle = until(driver, "return arguments[0].textContent || null", light)
    driver.execute_script(WATCH, button, light)
    times = []
    for _ in range(count):
        ActionChains(driver, duration=0).click_and_hold(button).perform()
        times.append(until(driver, "return window.lit ?? null"))
        ActionChains(driver, duration=0).release().perform()
        perform(driver, "disarm", pin=PIN)
        perform(driver, "resume")
        until(driver, "return arguments[0].textContent === arguments[1]", light, idle)
        # The contact has to be quiet again.
        time.sleep(0.3)
    return times


def weight(driver, url):
    """Bytes of every file that either document loads, as a browser is sent them."""
    names = set()
    for document in ("/", "/bench"):
        driver.get(url + document)
        # What modules load comes after the load event.
        until(driver, "return document.querySelector('#main h1') ? true : null")
        names.update(driver.execute_script(LOADED))
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.addheaders = [("Accept-Encoding", "gzip")]
    return sum(len(opener.open(name).read()) for name in names)


def measure(options, folder):
    with contextlib.ExitStack() as stack:
        log = os.path.join(folder, "fob.log")
        pin = os.path.join(folder, "pin")
        with open(os.open(pin, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(PIN + "\n")
        command = [options.fob, "run", "--listen", "127.0.0.1:0", "--pin-file", pin]
        process = started(stack, command + ["--state", os.path.join(folder, "state")], log)
        url, code = served(process, log)
        driver = browser(stack, os.path.join(folder, "profile"))
        enter(driver, url, code)
        weighed = weight(driver, url)
        views = first_views(driver, url, options.views)
        lit = presses(driver, url, options.presses)
    ordered = sorted(lit)

    def row(name, ours, unit="ms"):
        return {"name": name, "ours": ours, "unit": unit}

    return [
        row("press on the page → LED on the page, median", statistics.median(lit)),
        row("press on the page → LED on the page, p90", ordered[int(0.9 * len(ordered))]),
        row("first view of the page complete, median", statistics.median(views)),
        row("weight of the page", weighed / 1000, "KB"),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary, a release build")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    parser.add_argument("--presses", type=int, default=40)
    parser.add_argument("--views", type=int, default=20)
    options = parser.parse_args()
    go_first()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(options, folder)
    keep("page", rows, options.results)
    for each in rows:
        print(f"{each['name']}: {each['ours']:.1f} {each['unit']}")


if __name__ == "__main__":
    main()
