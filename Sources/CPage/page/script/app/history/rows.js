/** The log as a table: an entry a row, with all that it says. */

import { h } from "../../dom.js";
import { hasText, moment, t } from "../../texts.js";

const columns = ["at", "what", "about", "details"];

/** `{ element, body }`; where it is narrow, an entry is a block. */
export function logTable() {
  const body = h("tbody", {});
  return {
    body,
    element: h("div",
      { class: "log-table", role: "region", tabindex: 0, "aria-label": t("history.log") },
      h("table", {},
        h("thead", {}, h("tr", {}, columns.map((name) =>
          h("th", { scope: "col" }, t(`log.column.${name}`))))),
        body)),
  };
}

/** A row for an entry of the API's; `names` are those of contacts by their ids. */
export function logRow(line, names) {
  const at = new Date(line.wall / 1000).toISOString();
  const who = names.get(line.contact) ?? line.contact;
  const about = [
    who, line.sink && t("log.by", { sink: line.sink }), line.device,
    line.event && t("log.event", { event: line.event }),
  ].filter(Boolean);
  return h("tr", {},
    h("td", { class: "figures" }, h("time", { datetime: at }, moment(line.wall))),
    h("td", { class: "what" }, kindOf(line.name)),
    h("td", {}, about.join(" · ")),
    // The core writes these words, in English, for whoever looks after it.
    h("td", { class: "faint", lang: "en" },
      [line.detail, line.who && `(${line.who})`].filter(Boolean).join(" ")));
}

function kindOf(name) {
  return hasText(`log.kind.${name}`) ? t(`log.kind.${name}`) : name;
}
