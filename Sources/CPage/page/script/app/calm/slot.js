/** The editor of one of the five messages. What it holds is lost by nobody's mistake (R115). */

import { h, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { editorDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { lengthOf } from "./septets.js";

/** How many characters the core adds for a position. */
const positionLength = 35;

/** `save(draft)` resolves to false where the person cancelled it. Resolves to whether it was. */
export function editSlot({ slot, contacts, save, signal }) {
  const contact = field({
    name: "contact", label: t("slot.contact"),
    input: h("select", {}, h("option", { value: "" }, t("slot.contact.none")),
      contacts.map((one) =>
        h("option", { value: one.id, selected: one.id === slot.contact }, one.name))),
  });
  const name = field({
    name: "name", label: t("slot.name"),
    input: h("input", { type: "text", maxlength: 100, autocomplete: "off" }),
  });
  const number = field({
    name: "number", label: t("slot.number"),
    input: h("input", { type: "tel", maxlength: 40, autocomplete: "off" }),
  });
  const message = field({
    name: "message", label: t("slot.message"), input: h("textarea", { rows: 4 }),
  });
  const adds = field({
    name: "addsPosition", label: t("slot.position"), hint: t("slot.position.hint"),
    input: h("input", { type: "checkbox" }),
  });
  const count = h("p", { class: "figures", id: "slot-count" });
  if (!slot.contact) [name.input.value, number.input.value] = [slot.name, slot.number];
  message.input.value = slot.message;
  adds.input.checked = slot.addsPosition;

  const draft = () => {
    const chosen = contact.input.value || null;
    return {
      contact: chosen, name: chosen ? "" : name.input.value.trim(),
      number: chosen ? "" : number.input.value.trim(), message: message.input.value.trim(),
      addsPosition: adds.input.checked,
    };
  };
  function look() {
    name.element.hidden = number.element.hidden = contact.input.value !== "";
    const { units, limit } = lengthOf(draft().message);
    const sum = units + (adds.input.checked ? positionLength : 0);
    setText(count, t("slot.count", { sum, limit }));
    count.classList.toggle("error", sum > limit);
  }
  return editorDialog({
    title: t("slot.title", slot), values: draft, signal,
    make({ hasChanges, cancel, sent }) {
      const fields = [contact, name, number, message, adds];
      const made = form({
        fields, label: t("slot.save"), others: cancel, isReady: hasChanges,
        content: [
          contact.element, name.element, number.element, message.element, count, adds.element,
        ],
        send: () => save(draft()), sent,
      });
      for (const event of ["input", "change"]) made.element.addEventListener(event, look);
      look();
      return made;
    },
  });
}
