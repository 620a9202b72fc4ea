/** The tip and the quote of the day (R85): supplied lines, one of each a day, in turn. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { bringTexts, t } from "../texts.js";

/** How many lines there are of each kind. */
const count = 7;

/** The line of `kind`, "tip" or "quote", of the day by the account's zone. */
export async function lineOfDay(kind, { account }) {
  await bringTexts("daily");
  const day = new Intl.DateTimeFormat("sv", { timeZone: account.zone }).format(new Date());
  return t(`daily.${kind}.${(Date.parse(day) / 86_400_000) % count}`);
}

/** The card of status, there where one of the two is switched on, and when that is known. */
export function dailyCard(model, signal) {
  const lines = h("div", {});
  const element = h("section", { class: "card", "aria-labelledby": "daily-title", hidden: true },
    h("h2", { id: "daily-title" }, t("daily.title")), lines);

  async function load() {
    try {
      const { tips, quotes } = await api.get("/v1/notifications");
      const kinds = [tips && "tip", quotes && "quote"].filter(Boolean);
      const shown = await Promise.all(kinds.map((kind) => lineOfDay(kind, model.status)));
      if (signal.aborted) return;
      lines.replaceChildren(...shown.map((text, n) =>
        h(kinds[n] === "tip" ? "p" : "blockquote", {}, text)));
      element.hidden = shown.length === 0;
    } catch {
      // It is looked at again at the next line about it.
    }
  }
  model.addEventListener("line", ({ detail: { name } }) => {
    if (["remindersChanged", "tipDue", "quoteDue"].includes(name)) load();
  }, { signal });
  return { element, ready: load() };
}
