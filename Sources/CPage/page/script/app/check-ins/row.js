/** One check-in of the list, and what can be done about it (R97, R101, R107). */

import { ask, h, setAttribute, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";
import { withPIN } from "../pin.js";
import { changeOne, completeOne } from "./single.js";
import { colourOf, phaseSign, phaseWord, ruleWords, when } from "./words.js";

/** `{ element, update(checkIn, series, now) }`; `changed()` asks for the list again. */
export function checkInRow({ model, account, signal, lead, tell, refuse, changed }) {
  let one = null;
  let series = null;
  const sign = h("span", { class: "sign" });
  const phase = h("span", { class: "phase" });
  const due = h("time", { class: "figures" });
  const name = h("h2", {});
  const calls = h("p", { class: "calls" });
  const rule = h("p", { class: "faint" });
  const named = (text) => t(text, { name: one.description, at: when(one.due, account.zone) });

  const path = () => `/v1/check-ins/${one.series}/${one.key}`;
  /** What decides whether an alarm starts needs the PIN. */
  const sent = (send) => one.escalates
    ? withPIN({ model, signal, title: t("pin.enter"), send }) : send(undefined).then(() => true);

  const done = async (words) => {
    await Promise.all([changed(), model.refresh()]);
    tell(words);
  };
  const button = (label, kind, work) => action({ label, kind, refused: refuse, work });
  const complete = button(t("row.complete"), "main", async () => {
    const was = named("row.completed");
    if (await completeOne({ checkIn: one, zone: account.zone, signal })) await done(was);
  });
  const edit = button(t("row.edit"), "", async () => {
    const which = isAlone() ? "series" : await ask({
      title: named("row.edit.ask"), text: t("row.edit.text"),
      buttons: [
        { label: t("button.cancel") }, { label: t("row.this"), value: "this" },
        { label: t("row.series"), value: "series", kind: "main" },
      ],
    });
    if (which === "series") return lead(`edit/${one.series}`, "");
    if (which !== "this") return;
    const was = named("row.changed");
    if (await changeOne({ checkIn: one, zone: account.zone, signal, sent })) await done(was);
  });
  const remove = button(t("row.delete"), "", async () => {
    const which = await ask({
      title: named("row.delete.ask"),
      text: t(isAlone() ? "row.delete.alone" : "row.delete.text"),
      buttons: [
        { label: t("button.no"), kind: "main" },
        ...isAlone() ? [] : [{ label: t("row.delete.this"), value: "this", kind: "danger" }],
        {
          label: t(isAlone() ? "button.yes" : "row.delete.series"), value: "series",
          kind: "danger",
        },
      ],
    });
    if (!which) return;
    const was = named(which === "this" ? "row.removed" : "row.seriesRemoved");
    const address = which === "this" ? path() : `/v1/check-ins/series/${one.series}`;
    if (await sent((pin) => api.delete(address, { pin }))) await done(was);
  });
  const isAlone = () => series?.rule.kind === "once";

  const element = h("li", { class: "card check-in", tabindex: -1 },
    h("div", { class: "who" },
      h("p", { class: "stands" }, sign, phase, " ", due), name, calls, rule),
    h("div", { class: "buttons" }, complete, edit, remove));

  return {
    element,
    update(checkIn, its, now) {
      [one, series] = [checkIn, its];
      if (element.dataset.phase !== one.phase) {
        element.dataset.phase = one.phase;
        sign.replaceChildren(phaseSign(one.phase));
      }
      element.dataset.colour = colourOf(one, now);
      setText(phase, phaseWord(one.phase));
      setText(due, when(one.due, account.zone));
      setAttribute(due, "datetime", new Date(one.due / 1000).toISOString());
      setText(name, one.description);
      setText(calls, calling(one, account.zone, model.status.checkIns.raisesNothing));
      setText(rule, its ? ruleWords(its.rule) : "");
      // One that raises an alarm is answered from then on, and not before.
      complete.hidden = ["scheduled", "soon"].includes(one.phase);
      for (const [one, text] of [[complete, "row.complete.name"], [edit, "row.edit.name"],
        [remove, "row.delete.name"]]) {
        one.setAttribute("aria-label", named(text));
      }
    },
  };
}

/** When silence begins to call people, where it does; of a core that raises nothing it does not. */
function calling({ escalates, runsOut }, zone, raisesNothing) {
  if (!escalates || !runsOut) return t("row.callsNobody");
  if (raisesNothing) return t("row.callsIdle");
  return t("row.calls", { at: when(runsOut, zone) });
}
