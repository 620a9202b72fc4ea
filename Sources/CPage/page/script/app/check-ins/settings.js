/** How check-ins are asked, and how times are written everywhere (R100, R103, R105, R112). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { chooseFormat } from "../../clock.js";
import { t } from "../../texts.js";
import { field, form } from "../forms.js";
import { keepSafe } from "../unsaved.js";
import { choiceField, numberField } from "./fields.js";

const limits = {
  nagEvery: [1, 60], shown: [1, 366], history: [10, 10_000], logShown: [10, 10_000],
};
const orders = { ymd: "2026-11-25", dmy: "25.11.2026", mdy: "11/25/2026" };

/** Fills `place`. */
export async function settingsPart(place, { signal }) {
  const given = await api.get("/v1/check-ins/settings");
  if (signal.aborted) return;
  const text = (name) => ({
    name, label: t(`asking.${name}`), hint: t(`asking.${name}.hint`),
  });
  const numbers = Object.entries(limits).map(([name, [least, most]]) =>
    numberField({ ...text(name), least, most, value: given[name] }));
  const clock = choiceField({
    name: "clock", label: t("asking.clock"), value: given.clock,
    options: [["24", t("asking.clock.24")], ["12", t("asking.clock.12")]],
  });
  const order = choiceField({
    name: "dateOrder", label: t("asking.dateOrder"), value: given.dateOrder,
    options: Object.entries(orders),
  });
  const mails = field({ ...text("mails"), input: h("input", { type: "checkbox" }) });
  mails.input.checked = given.mails;
  const fields = [...numbers, clock, order, mails];
  const values = () => Object.fromEntries(fields.map(({ name, input }) => [name,
    input.type === "number" ? Number(input.value)
      : input.type === "checkbox" ? input.checked : input.value]));
  let saved = JSON.stringify(values());
  const hasChanges = () => JSON.stringify(values()) !== saved;

  const said = h("p", { class: "said", role: "status" });
  const made = form({
    fields, label: t("asking.save"), isReady: hasChanges,
    async send() {
      const now = values();
      await api.put("/v1/check-ins/settings", now);
      saved = JSON.stringify(now);
      chooseFormat(now);
      made.update();
      setText(said, t("asking.saved"));
    },
  });
  made.element.addEventListener("input", () => setText(said, ""));
  keepSafe({
    signal, hasChanges, save: made.submit, discard() { saved = JSON.stringify(values()); },
  });
  place.append(h("section", { class: "card", "aria-labelledby": "asking-title" },
    h("h2", { id: "asking-title" }, t("asking.title")), made.element, said));
}
