/** Frames of routine, which come every second whatever happens: many in a row are one row. */

import { h, setText } from "../dom.js";
import { number, preciseTimeOfDay, t } from "../texts.js";

const quiet = new Set(["HEARTBEAT", "TRACE", "GPS_FIX", "TIME_REQ", "TIME_RESP"]);
/** So many frames of a fold can be opened; it counts on. */
const most = 200;

/** Whether a frame is folded; one with a remark, or that came again, stands by itself. */
export const isQuiet = (row) => quiet.has(row.type) && !row.remark && !row.comment && !row.resent;

/**
 * A row for frames that follow one another. `take(row)` is one more; `toggle()` shows them or takes
 * them away again, each made by `make(row)`.
 */
export function fold(feed, columns, make) {
  const button = h("button",
    { type: "button", class: "type", tabindex: "-1", "aria-expanded": "false" });
  const cell = (name) => h("td", { class: name });
  const cells = Object.fromEntries(columns.map((name) => [name, cell(name)]));
  const line = h("tr", { class: "fold" }, Object.values(cells));
  const counts = new Map();
  const devices = new Set();
  let frames = [];
  let members = [];
  cells.type.append(button);
  cells.time.classList.add("figures");
  cells.device.classList.add("figures");

  function take(row) {
    counts.set(row.type, (counts.get(row.type) ?? 0) + 1);
    devices.add(row.device);
    frames.push(row);
    if (frames.length > most) frames = frames.slice(-most / 2);
    line.count += 1;
    setText(button, t("wire.folded", { count: line.count }));
    setText(cells.time, preciseTimeOfDay(feed.wallOf(row.at)));
    setText(cells.device,
      devices.size === 1 ? row.device : t("wire.devices", { count: devices.size }));
    setText(cells.fields,
      [...counts].map(([type, count]) => `${type} × ${number(count)}`).join(" · "));
    if (members.length > 0) show(row);
  }

  function show(row) {
    const made = make(row);
    made.classList.add("folded");
    (members.at(-1) ?? line).after(made);
    members.push(made);
  }

  function toggle() {
    const isOpen = members.length > 0;
    button.setAttribute("aria-expanded", String(!isOpen));
    if (!isOpen) return frames.forEach(show);
    for (const member of members) {
      if (member.nextElementSibling?.matches(".details")) member.nextElementSibling.remove();
      member.remove();
    }
    members = [];
  }

  return Object.assign(line, { count: 0, take, toggle });
}
