"""A headless Chromium of Debian's that looks at fob's page, as a person does."""

import contextlib
import re
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from processes import PATIENCE

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"

#: Nothing of the browser's own is to be measured, nor to leave this host.
OPTIONS = [
    "--headless=new",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--window-size=1280,900",
]

LOGIN = """
const [code, done] = arguments;
fetch("/v1/session", {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
}).then((answer) => done(answer.status), (error) => done(String(error)));
"""


def browser(stack, folder):
    """Until the stack ends; its profile is in the folder."""
    options = Options()
    options.binary_location = CHROMIUM
    for word in [*OPTIONS, f"--user-data-dir={folder}"]:
        options.add_argument(word)
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    stack.callback(driver.quit)
    driver.set_script_timeout(PATIENCE)
    driver.set_page_load_timeout(PATIENCE)
    return driver


def served(process, log):
    """The page's address and its one-time code, as fob says them."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with open(log, encoding="utf-8", errors="replace") as text:
            said = text.read()
        found = re.search(r"the page is at (\S+)/#code=\S+, its one-time code: (\S+)", said)
        if found:
            return found.groups()
        time.sleep(0.02)
    raise ChildProcessError(f"fob serves no page: {said}")


def enter(driver, url, code):
    """Logs the browser in, on a file of the page that does nothing by itself."""
    driver.get(url + "/page/icon.svg")
    status = driver.execute_async_script(LOGIN, code)
    if status != 204:
        raise ValueError(f"the code was answered {status}")


def until(driver, script, *arguments):
    """What the script returns, as soon as it is anything."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = driver.execute_script(script, *arguments)
        if found is not None and found is not False:
            return found
        time.sleep(0.01)
    raise TimeoutError(f"in vain: {script.strip()}")
