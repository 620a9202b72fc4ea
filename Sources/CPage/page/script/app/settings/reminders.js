/** Which reminders the owner gets, and when those of a day come (R85). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { field, form, problemText } from "../forms.js";
import { keepSafe } from "../unsaved.js";

const path = "/v1/notifications";
const kinds = ["checkIns", "affirmations", "review", "tips", "quotes", "mails"];

/** The card with a switch for each kind. */
export function remindersPart({ model, signal }) {
  const switches = kinds.map((name) => field({
    name, label: t(`reminders.${name}`), hint: t(`reminders.${name}.hint`),
    input: h("input", { type: "checkbox" }),
  }));
  const time = field({
    name: "time", label: t("reminders.time"), hint: t("reminders.time.hint"),
    input: h("input", { type: "time", required: true }),
  });
  const fields = [...switches, time];
  const values = () => Object.fromEntries(fields.map(({ name, input }) =>
    [name, input.type === "checkbox" ? input.checked : input.value]));
  let saved = null;
  const hasChanges = () => saved !== null && JSON.stringify(values()) !== saved;

  const said = h("p", { class: "said", role: "status" });
  const mails = switches.find(({ name }) => name === "mails").input;
  const unmailed = h("p", { class: "warning", role: "status" });
  const warn = () => setText(unmailed, mails.checked && !model.status.account.isEmailConfirmed
    ? t("reminders.unconfirmed") : "");
  const made = form({
    fields, label: t("reminders.save"), isReady: () => hasChanges() && time.input.value !== "",
    async send() {
      const now = values();
      await api.put(path, now);
      saved = JSON.stringify(now);
      made.update();
      setText(said, t("reminders.saved"));
    },
  });
  made.element.addEventListener("input", () => {
    setText(said, "");
    warn();
  });
  follow(model, ["status"], signal, warn);
  keepSafe({
    signal, hasChanges, save: made.submit, discard() { saved = JSON.stringify(values()); },
  });

  async function load() {
    try {
      const now = await api.get(path);
      for (const { name, input } of switches) input.checked = now[name];
      time.input.value = now.time;
      saved = JSON.stringify(values());
      made.update();
      warn();
    } catch (problem) {
      setText(said, problemText(problem));
    }
  }
  made.update();
  load();
  return h("section", { class: "card" }, h("h2", {}, t("reminders.title")), made.element, unmailed, said);
}
