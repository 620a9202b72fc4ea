/** The history of incidents, newest first, page by page. */

import { h, setText } from "../dom.js";
import { api } from "../api.js";
import { t } from "../texts.js";
import { action } from "./forms.js";
import { incidentCard } from "./history/incident.js";

const rows = 20;

export const history = {
  name: "history",
  title: "history.title",

  show(root, model, signal) {
    const refused = h("p", { class: "error general", role: "alert" });
    const none = h("p", { role: "status" });
    const list = h("ol", { class: "incidents" });
    const names = contactNames();
    let before = null;

    async function load() {
      const from = before ? `&before=${before}` : "";
      const { incidents, next } = await api.get(`/v1/incidents?limit=${rows}${from}`);
      if (signal.aborted) return;
      before = next ?? null;
      const cards = incidents.map((incident) =>
        h("li", {}, incidentCard({ incident, model, names, signal })));
      const isFirst = list.children.length === 0;
      list.append(...cards);
      more.hidden = before === null;
      setText(none, list.children.length === 0 ? t("history.none") : "");
      // The button may be gone: the keyboard goes on at what has come.
      if (!isFirst && cards[0]) cards[0].querySelector("summary").focus();
    }

    const more = action({
      label: t("history.more"), work: load, refused: (text) => setText(refused, text),
    });
    root.append(h("h1", {}, t("history.title")), none, list, refused,
      h("div", { class: "buttons" }, more));
    more.click();
  },
};

/** Names of contacts by their ids, of those that are there still: a promise, never rejected. */
async function contactNames() {
  try {
    const { contacts } = await api.get("/v1/contacts");
    return new Map(contacts.map((one) => [one.id, one.name]));
  } catch {
    return new Map();
  }
}
