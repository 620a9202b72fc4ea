/** The wire log, live: frames field by field, with filters; damage, repeats and gaps are said. */

import { h, setAttribute, setText } from "../dom.js";
import { number, preciseTimeOfDay, t } from "../texts.js";
import { follow } from "../model.js";
import { fold, isQuiet } from "./folding.js";
import { Presses, timeline, timelineUnderMouse } from "./press.js";
import { fieldsOf } from "./wirelog.js";
import { tellingFields } from "./telling.js";

/** So many rows stand in the document at most. */
const mostRows = 1_000;
/** New rows come together so often, ms: a bench of fifty keychains says hundreds a second. */
const showEvery = 250;
const columns = ["time", "device", "direction", "type", "fields"];

export const wire = {
  name: "wire",
  title: "wire.title",

  show(root, feed, signal, { log }) {
    const count = h("p", { class: "faint count" });
    const pause = h("button", { type: "button" });
    const body = h("tbody", {});
    const region = h("div",
      { class: "log", role: "region", tabindex: "0", "aria-labelledby": "wire-title" },
      h("table", {},
        h("thead", {}, h("tr", {}, columns.map((column) =>
          h("th", { scope: "col", class: column }, t(`wire.${column}`))))),
        body));
    const capture = h("a", { class: "button", download: true }, t("wire.capture"));
    root.classList.add("wire", "card");
    root.append(
      h("h2", { id: "wire-title" }, t("wire.title")),
      h("p", { class: "faint" }, t("wire.explanation")),
      filters(feed, log, signal),
      h("div", { class: "buttons" }, pause,
        h("button", { type: "button", on: { click: () => log.clear() } }, t("wire.clear")),
        capture),
      count, region);
    const presses = new Presses(feed);
    root.append(timelineUnderMouse(body, presses, signal));

    let isPaused = false;
    let waiting = [];
    let timer = null;
    let unseen = 0;

    function tell() {
      region.classList.toggle("one-device", log.devices.size < 2);
      setText(pause, isPaused ? t("wire.resume", { count: unseen }) : t("wire.pause"));
      setText(count, log.rows.length === 0 ? t("wire.nothing") : t("wire.count", {
        count: log.rows.length, rows: number(framesIn(body)),
        kept: number(log.rows.length),
      }));
      const device = log.filter.device;
      setAttribute(capture, "href",
        `/v1/bench/capture${device ? `?device=${encodeURIComponent(device)}` : ""}`);
    }

    /** Shows what has come; the newest is at the end, which stays in sight where it was. */
    function flush() {
      timer = null;
      if (isPaused) return tell();
      const isAtEnd = region.scrollTop + region.clientHeight >= region.scrollHeight - 8;
      const rows = waiting.slice(-mostRows);
      waiting = [];
      for (const row of rows) append(body, row, log, feed);
      trim(body, region);
      markCurrent(body);
      if (isAtEnd) region.scrollTop = region.scrollHeight;
      tell();
    }

    function showAll() {
      waiting = log.rows.filter((row) => log.shows(row));
      unseen = 0;
      if (body.contains(document.activeElement)) region.focus({ preventScroll: true });
      body.replaceChildren();
      const wasPaused = isPaused;
      isPaused = false;
      flush();
      isPaused = wasPaused;
      region.scrollTop = region.scrollHeight;
      tell();
    }

    pause.addEventListener("click", () => {
      isPaused = !isPaused;
      if (isPaused) tell();
      else showAll();
    });
    log.addEventListener("row", ({ detail: row }) => {
      if (isPaused) unseen += 1;
      else if (log.shows(row)) waiting.push(row);
      if (waiting.length > 2 * mostRows) waiting = waiting.slice(-mostRows);
      timer ??= setTimeout(flush, showEvery);
    }, { signal });
    log.addEventListener("rows", showAll, { signal });
    signal.addEventListener("abort", () => clearTimeout(timer));
    body.addEventListener("click", ({ target }) => toggle(target.closest("button"), presses));
    body.addEventListener("keydown", moveCurrent);
    showAll();
  },
};

/** Device, direction, type and text. They show what is filtered by, whoever set it. */
function filters(feed, log, signal) {
  const choice = (key, name) => {
    const select = h("select", { id: `wire-${key}` });
    select.addEventListener("change", () => log.want({ [key]: select.value }));
    return { select, field: h("div", {}, h("label", { for: `wire-${key}` }, t(name)), select) };
  };
  const device = choice("device", "wire.device");
  const to = choice("to", "wire.direction");
  const type = choice("type", "wire.type");
  to.select.append(
    h("option", { value: "" }, t("wire.both")),
    h("option", { value: "host" }, t("wire.toHost")),
    h("option", { value: "device" }, t("wire.toDevice")));
  const folding = h("input", { id: "wire-fold", type: "checkbox", checked: log.isFolding });
  folding.addEventListener("change", () => log.foldQuiet(folding.checked));
  const text = h("input", { id: "wire-text", type: "search" });
  let typing = null;
  text.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => log.want({ text: text.value.trim() }), 200);
  });

  function show() {
    const devices = (feed.bench?.keychains ?? []).map((keychain) => keychain.device);
    options(device.select, t("wire.all"), new Set([...devices, ...log.devices, log.filter.device]));
    options(type.select, t("wire.all"), new Set([...log.types, log.filter.type]));
    device.select.value = log.filter.device;
    to.select.value = log.filter.to;
    type.select.value = log.filter.type;
  }
  signal.addEventListener("abort", () => clearTimeout(typing));
  follow(log, ["rows", "names"], signal, show);
  follow(feed, ["bench"], signal, show);
  text.value = log.filter.text;
  return h("form", { class: "filters", on: { submit: (event) => event.preventDefault() } },
    device.field, to.field, type.field,
    h("div", {}, h("label", { for: "wire-text" }, t("wire.text")), text),
    h("div", { class: "fold-choice" }, folding, h("label", { for: "wire-fold" }, t("wire.fold"))));
}

/** Adds what is missing, so that an open list is not torn from a hand. */
function options(select, all, values) {
  if (!select.options.length) select.append(h("option", { value: "" }, all));
  const there = new Set([...select.options].map((option) => option.value));
  for (const value of [...values].filter((value) => !there.has(value)).sort()) {
    const text = value === "damaged" ? t("wire.damaged") : value;
    select.append(h("option", { value }, text));
  }
}

/** At the end; a quiet frame behind quiet ones goes into their fold. */
function append(body, row, log, feed) {
  if (!log.folds || !isQuiet(row)) return body.append(element(row, feed));
  let last = body.lastElementChild;
  while (last?.matches(".folded, .folded + .details")) last = last.previousElementSibling;
  if (!last?.matches(".fold")) {
    last = fold(feed, columns, (one) => element(one, feed));
    body.append(last);
  }
  last.take(row);
}

function element(row, feed) {
  if (row.kind === "gap") {
    return h("tr", { class: "gap" }, h("td", { colspan: columns.length, class: "error" },
      row.lost ? t("wire.gap", { count: row.lost }) : t("wire.gapUnknown")));
  }
  const isDamaged = row.kind === "damaged";
  const type = h("button",
    { type: "button", class: "type", tabindex: "-1", "aria-expanded": "false" },
    isDamaged ? t("wire.damaged") : row.type);
  const marks = [
    row.resent ? h("strong", { class: "warning" }, t("wire.resent")) : null,
    row.remark ? h("span", { class: "error" }, row.remark) : null,
    row.comment ? h("span", { class: "warning" }, row.comment) : null,
    isDamaged ? h("span", { class: "error" }, row.reason) : null,
  ].filter(Boolean);
  const fields = tellingFields(row).map(([name, text]) =>
    h("span", {}, h("span", { class: "faint" }, `${name} `), text));
  const line = h("tr", { class: isDamaged ? "damaged" : `to-${row.to}` },
    h("td", { class: "time figures" }, preciseTimeOfDay(feed.wallOf(row.at))),
    h("td", { class: "device figures" }, row.device),
    h("td", { class: "direction" }, t(row.to === "host" ? "wire.toHost" : "wire.toDevice")),
    h("td", { class: "type" }, type),
    h("td", { class: "fields" }, marks.concat(fields).flatMap((part) => [part, " "])));
  line.frame = row;
  return line;
}

/** Opens or closes all that is known of a row. */
function toggle(button, presses) {
  if (!button) return;
  const line = button.closest("tr");
  if (line.matches(".fold")) return line.toggle();
  const isOpen = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!isOpen));
  if (isOpen) line.nextElementSibling.remove();
  else line.after(details(line.frame, presses.of(line.frame)));
}

function details(row, press) {
  const head = row.kind === "damaged"
    ? [["crc_ok", row.crc_ok === undefined ? "–" : String(row.crc_ok)]]
    : [["seq", row.seq], ["version", row.version], ["resent", row.resent], ["auth", row.auth],
      ["crc_ok", row.crc_ok ?? true]];
  if (row.unread) head.push(["unread", row.unread]);
  head.push(["device", row.device], ["line", row.line]);
  const line = (name, text, raw) => h("tr", {},
    h("th", { scope: "row" }, name), h("td", {}, text), h("td", { class: "figures faint" }, raw));
  return h("tr", { class: "details" }, h("td", { colspan: columns.length },
    press ? timeline(press) : null,
    h("table", {},
      h("thead", {}, h("tr", {}, ["field", "value", "raw"].map((name) =>
        h("th", { scope: "col" }, t(`wire.${name}`))))),
      h("tbody", {},
        fieldsOf(row).map(([name, field]) => line(name, field.text, String(field.raw))),
        head.map(([name, value]) => line(name, String(value), "")))),
    h("p", { class: "raw" }, t("wire.bytes", { count: row.wire.length / 2 }), " ",
      h("code", {}, row.wire.replace(/../g, "$& ").trim()))));
}

/** What belongs to the row above it. */
const belongs = ".details, .folded";

/** How many frames the rows stand for. */
function framesIn(body) {
  return [...body.rows].reduce(
    (sum, row) => sum + (row.count ?? (row.matches(belongs) ? 0 : 1)), 0);
}

/** Takes the oldest rows away; a focus that stood there stays in the log. */
function trim(body, region) {
  let over = body.querySelectorAll(`:scope > tr:not(${belongs})`).length - mostRows;
  while (body.firstElementChild && (over > 0 || body.firstElementChild.matches(belongs))) {
    const first = body.firstElementChild;
    if (!first.matches(belongs)) over -= 1;
    if (first.contains(document.activeElement)) region.focus({ preventScroll: true });
    first.remove();
  }
}

const typeButtons = (body) => body.querySelectorAll(":scope > tr > td > button.type");

/** One row is a stop of the Tab key; the arrows go on from there. */
function markCurrent(body) {
  if (body.querySelector("button.type[tabindex='0']")) return;
  const buttons = typeButtons(body);
  buttons[buttons.length - 1]?.setAttribute("tabindex", "0");
}

function moveCurrent(event) {
  const steps = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };
  const step = steps[event.key];
  if (step === undefined || !event.target.matches("button.type")) return;
  event.preventDefault();
  const buttons = [...typeButtons(event.currentTarget)];
  const last = buttons.length - 1;
  const next = buttons[Math.min(last, Math.max(0, buttons.indexOf(event.target) + step))];
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
