/** The history: past alarms, newest first, or the log with all that has happened. */

import { h, setText } from "../dom.js";
import { api } from "../api.js";
import { bringTexts, t } from "../texts.js";
import { action } from "./forms.js";
import { incidentCard } from "./history/incident.js";
import { logView } from "./history/log.js";
import { contactNames } from "./history/names.js";

await bringTexts("history", "log");

const rows = 20;
const parts = { alarms: alarmList, log: logView };

export const history = {
  name: "history",
  title: "history.title",

  show(root, model, signal) {
    const place = h("section", { "aria-labelledby": "history-title" });
    const names = contactNames();
    let leaving = new AbortController();
    const choices = Object.keys(parts).map((name) => {
      const button = h("button", { type: "button", id: `history-${name}` }, t(`history.${name}`));
      button.addEventListener("click", () => show(name));
      return button;
    });

    function show(name) {
      leaving.abort();
      leaving = new AbortController();
      for (const button of choices) {
        button.setAttribute("aria-pressed", String(button.id === `history-${name}`));
      }
      place.replaceChildren();
      parts[name](place, { model, names, signal: AbortSignal.any([signal, leaving.signal]) });
    }

    root.append(h("h1", { id: "history-title" }, t("history.title")),
      h("div", { class: "buttons parts" }, choices), place);
    show("alarms");
  },
};

/** Fills `place` with a card for each incident, page by page. */
function alarmList(place, { model, names, signal }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const none = h("p", { role: "status" });
  const list = h("ol", { class: "incidents" });
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
  place.append(none, list, refused, h("div", { class: "buttons" }, more));
  more.click();
}
