/** All devices at a glance: those of the status, the emulated ones, and lines that stay closed. */

import { h, keyed, setAttribute, setText } from "../dom.js";
import { number, t } from "../texts.js";
import { follow } from "../model.js";
import { often } from "./often.js";
import { wordOfShown } from "../keychain/shown.js";

const columns = ["device", "line", "link", "firmware", "battery", "fix", "shown", "heard"];

export const devices = {
  name: "devices",
  title: "devices.title",

  /** `model` has the status; a device that is chosen filters `log`. */
  show(root, feed, signal, { model, log }) {
    const body = h("tbody", {});
    const table = h("table", {},
      h("caption", { class: "faint" }, t("devices.caption")),
      h("thead", {}, h("tr", {}, columns.map((column) =>
        h("th", { scope: "col" }, t(`devices.${column}`))))),
      body);
    const none = h("p", { class: "faint" }, t("devices.none"));
    root.classList.add("devices", "card");
    root.append(h("h2", {}, t("devices.title")), none, h("div", { class: "wide" }, table));

    function show() {
      const rows = rowsOf(model, feed);
      none.hidden = rows.length > 0;
      table.hidden = rows.length === 0;
      keyed(body, rows, (row) => row.key, () => make(log),
        (element, row) => update(element, row, log));
    }
    // Of fifty keychains many speak at once.
    const soon = often(show, 250, signal);
    follow(model, ["status"], signal, soon);
    follow(feed, ["bench", "shown"], signal, soon);
    follow(log, ["rows"], signal, show);
    const ticking = setInterval(soon, 1_000);
    signal.addEventListener("abort", () => clearInterval(ticking));
  },
};

/** One row for each device, and for each line that has none. */
function rowsOf(model, feed) {
  const rows = new Map();
  const row = (device, key = device) => {
    if (!rows.has(key)) rows.set(key, { key, device });
    return rows.get(key);
  };
  const shift = model.status ? model.age : 0;
  const charges = new Map(model.status?.links.map((one) => [one.device, one.batteryPercent]));
  for (const one of model.status?.devices ?? []) {
    const line = (kind) => one.lines.find((line) => line.kind === kind);
    Object.assign(row(one.device), {
      isBench: one.isBench, isLinked: one.isLinked, firmware: one.firmware,
      link: aged(line("link"), shift, one.isLinked), battery: aged(line("battery"), shift),
      percent: charges.get(one.device) ?? null,
      fix: aged(line("gps"), shift), heardAt: one.heardAt?.instant ?? null,
    });
  }
  const byLine = new Map();
  for (const one of feed.bench?.keychains ?? []) {
    byLine.set(one.line, one.device);
    Object.assign(row(one.device), { isEmulated: true, line: one.line, state: one.state });
  }
  for (const one of feed.bench?.lines ?? []) {
    // Closed, a line knows no device; of an emulated one it is known all the same.
    const device = one.device ?? byLine.get(one.spec) ?? null;
    const there = row(device, device ?? `line ${one.spec}`);
    there.line = one.spec;
    there.obstacle = one.isOpen ? null : one.obstacle ?? t("devices.closed");
  }
  for (const there of rows.values()) {
    showLight(there, feed);
    there.heard = there.heardAt === undefined || there.heardAt === null || !feed.bench
      ? null : (feed.now - there.heardAt) / 1000;
  }
  return [...rows.values()];
}

/** As the host has heard it; unheard, as an emulated keychain says, or what was heard at last. */
function showLight(row, feed) {
  const heard = feed.shown.get(row.device) ?? null;
  const own = row.state?.powered ? row.state : null;
  const isLinked = row.state ? row.state.linked : row.isLinked;
  row.shown = isLinked ? heard ?? own : own ?? heard;
  row.shownAge = row.shown && row.shown === heard && !isLinked
    ? (feed.now - heard.at) / 1000 : null;
}

/** A status line's text, with the age of the reading behind it where it has one. */
function aged(line, shift, isFresh = false) {
  if (!line) return null;
  const hasAge = line.age !== undefined && line.age !== null && !isFresh;
  const age = hasAge ? line.age * 1000 + shift : null;
  return { level: line.level, text: line.text, advice: line.advice ?? null, age };
}

/** How long ago, as short as a column is narrow. */
function ago(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 100) return t("devices.seconds", { count: seconds });
  if (seconds < 6_000) return t("devices.minutes", { count: Math.floor(seconds / 60) });
  return t("devices.hours", { count: number(Math.floor(seconds / 3600)) });
}

function make(log) {
  const choose = h("button", { type: "button", class: "figures choose", hidden: true });
  choose.addEventListener("click", () => {
    const isChosen = log.filter.device === choose.value;
    log.want({ device: isChosen ? "" : choose.value });
  });
  const cell = (column, ...children) => h("td", {
    class: `${column}${["device", "line"].includes(column) ? "" : " reading"}`,
    "data-label": t(`devices.${column}`),
  }, children);
  return h("tr", {}, columns.map((column) => column === "device"
    ? h("th", { scope: "row", class: "device" }, choose, h("span", { class: "chip", hidden: true }))
    : cell(column, h("span", { class: "said" }), h("span", { class: "faint age" }))));
}

function update(element, row, log) {
  const choose = element.querySelector(".choose");
  choose.hidden = !row.device;
  if (row.device) {
    choose.value = row.device;
    setText(choose, row.device);
    setAttribute(choose, "aria-label", t("devices.choose", { device: row.device }));
    setAttribute(choose, "aria-pressed", log.filter.device === row.device);
  }
  const chip = element.querySelector(".chip");
  chip.hidden = !row.isEmulated && Boolean(row.device);
  setText(chip, row.device ? t("hand.emulated") : t("devices.unknown"));
  say(element, "line", row.line, row.obstacle, row.obstacle ? "error" : null);
  tell(element, "link", row.link);
  say(element, "firmware", row.firmware);
  const percent = row.percent ?? null;
  tell(element, "battery", row.battery && percent !== null
    ? { ...row.battery, text: t("hand.percent", { percent }) } : row.battery);
  tell(element, "fix", row.fix);
  const sounder = row.shown?.sounder ? `, ${t("hand.sounder.on")}` : "";
  say(element, "shown", row.shown && `${wordOfShown(row.shown.shown)}${sounder}`,
    row.shownAge === null ? null : ago(row.shownAge));
  say(element, "heard", row.heard === null ? null : ago(row.heard));
}

function tell(element, column, line) {
  const parts = [line?.advice, line?.age >= 1_000 ? ago(line.age) : null].filter(Boolean);
  say(element, column, line?.text, parts.join(", "), line?.level);
}

function say(element, column, text, more = null, level = null) {
  const cell = element.querySelector(`td.${column}`);
  const [said, age] = cell.children;
  setText(said, text ?? "–");
  setAttribute(said, "class", `said ${level ?? ""}`.trim());
  setText(age, more ?? "");
}
