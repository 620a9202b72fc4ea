"""The page as a person has it: what is there by role and name, what it says, what it looks like."""

import importlib.util
import json
import os
import pathlib
import re
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, StaleElementReferenceException, TimeoutException)
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 60
SCREENSHOTS = os.environ.get("SCREENSHOTS", ".build/page-screenshots")

# The package is there for this file alone.
AXE = pathlib.Path(
    importlib.util.find_spec("axe_playwright_python").submodule_search_locations[0], "axe.min.js")

# What may have a role, before the browser itself says which it has.
CANDIDATES = {
    "button": "button, summary, [role=button], input[type=submit]",
    "link": "a[href], [role=link]",
    "textbox": "input:not([type]), input[type=text], input[type=email], input[type=tel],"
               " input[type=password], input[type=search], textarea, [role=textbox]",
    "checkbox": "input[type=checkbox], [role=checkbox], [role=switch]",
    "radio": "input[type=radio], [role=radio]",
    "combobox": "select, [role=combobox]",
    "slider": "input[type=range]",
    "file": "input[type=file]",
    "progressbar": "progress, [role=progressbar]",
    "heading": "h1, h2, h3, h4",
    "alert": "[role=alert]",
    "status": "[role=status], output",
    "dialog": "dialog, [role=dialog], [role=alertdialog]",
    "table": "table",
    "row": "tr",
    "image": "[role=img], img",
    "region": "section, [role=region]",
    "tab": "[role=tab]",
    "listitem": "li",
    "main": "main",
}

# Elements that are to be seen and, where a dialog asks, belong to it; the name is asked of the
# browser only where it may fit.
VISIBLE = """
const [selector, name] = arguments;
const asked = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
const flat = (text) => String(text ?? "").replace(/\\s+/g, " ").trim();
const named = (element) => [
  element.textContent, element.value, element.getAttribute("aria-label"), element.title,
  ...(element.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent),
  ...[...(element.labels ?? [])].map((label) => label.textContent),
  element.querySelector?.("caption, legend, figcaption")?.textContent,
].map(flat).some((text) => text.includes(name));
return [...(asked.matches?.(selector) ? [asked] : []), ...asked.querySelectorAll(selector)]
  .filter((element) => element.checkVisibility({ visibilityProperty: true })
    && (name === null || named(element)));
"""

# Beyond a side of the window, or wider than the part that it belongs to. What is beyond the left
# side as a whole is there for ears alone.
CUT = """
const width = document.documentElement.clientWidth;
const scrolls = (element) => {
  for (let one = element.parentElement; one !== document.body && one; one = one.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(one).overflowX)) return true;
  }
  return false;
};
const isCut = (element) => {
  const box = element.getBoundingClientRect();
  if (box.width <= 1 || box.right < 0) return false;
  const { overflowX } = getComputedStyle(element);
  const isFull = element.scrollWidth > element.clientWidth + 1;
  if (isFull && /hidden|clip/.test(overflowX)) return true;
  if (isFull && overflowX === "visible"
    && element.matches("button, .button, .card, .hero, .person, dialog, td, th, dd")) return true;
  return (box.right > width + 1 || box.left < -1) && !scrolls(element);
};
const leavesDrawing = (text) => {
  const [box, drawing] = [text, text.closest("svg")].map((one) => one.getBoundingClientRect());
  return box.width > 0 && (box.right > drawing.right + 1 || box.left < drawing.left - 1);
};
return [...document.body.querySelectorAll("*")].filter((element) =>
  element.checkVisibility() && (element instanceof HTMLElement ? isCut(element)
    : element.matches("text") && leavesDrawing(element)))
  .map((element) => element.outerHTML.slice(0, 160));
"""

# Words of which a part stands in another line.
BROKEN = """
const found = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (!node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
  for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    const rows = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
    if (rows.size > 1) found.push(word);
  }
}
return found;
"""


def browser():
    """Headless Chromium as Debian has it, which keeps its log and all that it asks the network."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                     "--window-size=1280,900", "--lang=en-GB", "--disable-gpu",
                     "--disable-background-networking", "--no-first-run"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # What it says goes nowhere, so that a log of a test has what the test has to say.
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class Page:
    """One tab."""

    def __init__(self, driver, url):
        self.driver, self.url = driver, url
        self._messages = []

    def open(self, path="/"):
        self.driver.get(self.url + path)

    def until(self, condition, what, seconds=PATIENCE):
        """Waits for a condition, and returns what it came to."""
        wait = WebDriverWait(
            self.driver, seconds, poll_frequency=0.05,
            # What moves as rows come is tried again.
            ignored_exceptions=(StaleElementReferenceException, ElementClickInterceptedException))
        try:
            return wait.until(lambda _: condition())
        except TimeoutException:
            raise AssertionError(f"{what}; the page says:\n{self.text}") from None

    # What is there

    def all(self, role, name=None):
        """What is to be seen of that role and accessible name; a pattern may be anywhere in it.

        A row has no name that a browser tells: here it is what stands in it.
        """
        text = name if isinstance(name, str) else None
        found = self.driver.execute_script(VISIBLE, CANDIDATES[role], text)
        return [element for element in found if _is_named(element, name)]

    def find(self, role, name=None, seconds=PATIENCE):
        return self.until(
            lambda: next(iter(self.all(role, name)), None), f"no {role} {name!r}", seconds)

    def has(self, role, name=None):
        return bool(self.all(role, name))

    def lacks(self, role, name=None, seconds=PATIENCE):
        self.until(lambda: not self.has(role, name), f"there still is a {role} {name!r}", seconds)

    @property
    def text(self):
        """What is to be read now; of a dialog, where one asks."""
        return self.driver.execute_script(
            "return ([...document.querySelectorAll('dialog:modal')].at(-1)"
            " ?? document.body).innerText") or ""

    def says(self, pattern, seconds=PATIENCE):
        """Waits until it is to be read somewhere; the text, or a pattern."""
        expression = _pattern(pattern)
        return self.until(
            lambda: expression.search(self.text), f"the page does not say {pattern!r}", seconds)

    def says_no_more(self, pattern, seconds=PATIENCE):
        expression = _pattern(pattern)
        self.until(
            lambda: not expression.search(self.text), f"the page still says {pattern!r}", seconds)

    def is_saying(self, pattern):
        return bool(_pattern(pattern).search(self.text))

    # What a person does

    def press(self, name, role="button"):
        """Once it can be pressed."""
        def pressed():
            element = next((one for one in self.all(role, name) if is_on(one)), None)
            if element:
                self.click(element)
            return element is not None

        self.until(pressed, f"no {role} {name!r} to press")

    def click(self, element):
        """As a person does, once neither the page's foot nor a table's head covers it."""
        self.driver.execute_script("arguments[0].scrollIntoView({ block: 'nearest' })", element)
        element.click()

    def follow(self, name):
        self.press(name, "link")

    def write(self, label, text):
        """Into the field of that label, in place of what is there."""
        element = self.find("textbox", label)
        element.clear()
        element.send_keys(text)

    def attach(self, label, path):
        """A file, as by the dialog of the browser."""
        self.find("file", label).send_keys(path)

    def choose(self, label, option):
        """Of a list."""
        Select(self.find("combobox", label)).select_by_visible_text(option)

    def type(self, keys):
        """On the keyboard, wherever the focus is."""
        ActionChains(self.driver).send_keys(keys).perform()

    def hold(self, name, role="button"):
        """Puts a finger on it and leaves it there."""
        ActionChains(self.driver).click_and_hold(self.find(role, name)).perform()

    def point_at(self, element):
        """By the mouse, without a press."""
        ActionChains(self.driver).move_to_element(element).perform()

    def let_go(self):
        ActionChains(self.driver).release().perform()

    @property
    def focused(self):
        return self.driver.switch_to.active_element.accessible_name

    # How it looks

    def looks(self, scheme="light", width=1280, height=900, motion="no-preference"):
        """Dark or light, as wide as a desk or a telephone, with motion or without."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion}]})
        # A telephone's bars lie over the page and take no room.
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700})

    def shoot(self, name):
        os.makedirs(SCREENSHOTS, exist_ok=True)
        self.driver.save_screenshot(os.path.join(SCREENSHOTS, name + ".png"))

    @property
    def overflow(self):
        """By how many pixels the document is wider than its window."""
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    @property
    def processor_time(self):
        """Seconds that the browser's process of this document has computed."""
        self.driver.execute_cdp_cmd("Performance.enable", {})
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        self.driver.execute_cdp_cmd("Performance.disable", {})
        return next(metric["value"] for metric in metrics if metric["name"] == "ProcessTime")

    @property
    def cut(self):
        """What is cut off or stands out at a side, as HTML; what scrolls by itself does not."""
        return self.driver.execute_script(CUT)

    @property
    def broken(self):
        """Words of which a part stands in another line."""
        return self.driver.execute_script(BROKEN)

    def violations(self, rules=None):
        """What axe finds, a line each; by all of its rules, or by these alone."""
        if not self.driver.execute_script("return Boolean(window.axe)"):
            self.driver.execute_script(AXE.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script(
            "const [rules, done] = arguments;"
            "axe.run(document, { resultTypes: ['violations'],"
            " runOnly: rules ? { type: 'rule', values: rules } : undefined })"
            ".then((result) => done(result.violations))", rules)
        return [
            f"{one['id']}: {one['help']}: " + "; ".join(node["html"] for node in one["nodes"][:3])
            for one in found]

    # What the browser has noted

    def complaints(self):
        """Errors of scripts and what the Content-Security-Policy has stopped, since the last look.

        A request that was refused is an answer, and no complaint.
        """
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and entry["source"] != "network"
            or "Content Security Policy" in entry["message"]]

    def strangers(self):
        """Addresses that were asked for, of any host but the page's own, since the last look."""
        hosts = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                hosts.append(message["params"]["request"]["url"])
        own = urllib.parse.urlsplit(self.url).netloc
        # The browser draws a field of its own with pictures that are in no network.
        return [
            url for url in hosts
            if not url.startswith("data:") and urllib.parse.urlsplit(url).netloc != own]


def is_on(element):
    """Whether it does something; what is off may keep the focus and say so."""
    return element.is_enabled() and element.get_attribute("aria-disabled") != "true"


def _pattern(text):
    return text if isinstance(text, re.Pattern) else re.compile(re.escape(text))


def _is_named(element, name):
    if name is None:
        return True
    found = element.text if element.tag_name == "tr" else element.accessible_name
    return found == name if isinstance(name, str) else bool(name.search(found))
