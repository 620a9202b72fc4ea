/**
 * One contact: a name, of several numbers exactly one that is told (R15, R16), and the language in
 * which they are told.
 */

import { h, setAttribute } from "../../dom.js";
import { languages } from "../../language.js";
import { t } from "../../texts.js";
import { editorDialog } from "../dialog.js";
import { field, form } from "../forms.js";
import { named } from "../profile.js";

const most = 8;

/**
 * A dialog for a contact, or for a new one where that is null. `save(draft)` resolves to false
 * where the person cancelled it; a Problem is told in the dialog. Resolves to whether it was saved.
 */
export function editContact({ contact, save, signal }) {
  const name = field({
    name: "name", label: t("contacts.name"),
    input: h("input", { type: "text", autocomplete: "off", maxlength: 100, required: true }),
  });
  const email = field({
    name: "email", label: t("contacts.email"),
    input: h("input", { type: "email", autocomplete: "off" }),
  });
  // A program may have set another one: messages are in English then.
  const tags = new Set([...languages, contact?.language].filter((tag) => tag));
  const choices = [["", t("contacts.language.account")], ...named("language", [...tags])];
  const language = field({
    name: "language", label: t("contacts.language"),
    input: h("select", {}, choices.map(([value, text]) =>
      h("option", { value, selected: value === (contact?.language ?? "") }, text))),
  });
  const numbers = numberFields(contact?.numbers ?? []);
  name.input.value = contact?.name ?? "";
  email.input.value = contact?.email ?? "";

  const draft = () => ({
    name: name.input.value.trim(),
    numbers: numbers.all(),
    email: email.input.value.trim() || null,
    language: language.input.value || null,
  });
  return editorDialog({
    title: t(contact ? "contacts.edit.title" : "contacts.new.title"), values: draft, signal,
    make({ hasChanges, cancel, sent }) {
      const made = form({
        fields: [name, numbers, email, language],
        label: t("contacts.save"),
        others: cancel,
        isReady() {
          const now = draft();
          return now.name !== "" && now.numbers.some((one) => one.chosen) && hasChanges();
        },
        send: () => save(draft()),
        sent,
      });
      numbers.onChange(made.update);
      return made;
    },
  });
}

/** The numbers as one field: a row each, and a button for another. */
function numberFields(present) {
  const rows = [];
  const list = h("div", { class: "numbers" });
  const error = h("span", { class: "error", id: "numbers-error" });
  const add = h("button", { type: "button", on: { click: () => append(null).input.focus() } },
    t("contacts.number.add"));
  let changed = () => {};

  function append(number) {
    const place = rows.length + 1;
    const radio = h("input", {
      type: "radio", name: "chosen", "aria-label": t("contacts.number.choose", { place }),
    });
    const input = h("input", {
      type: "tel", autocomplete: "off", maxlength: 40, "aria-describedby": "numbers-error",
      "aria-label": t("contacts.number", { place }), placeholder: "+15555550100",
    });
    const row = { radio, input };
    let isNew = number === null;
    input.value = number?.number ?? "";
    radio.checked = number?.chosen ?? false;
    input.addEventListener("input", () => {
      // What is typed anew becomes the chosen one (R15), once: then it is the person's choice.
      if (isNew && input.value.trim() !== "") {
        radio.checked = true;
        isNew = false;
      }
    });
    rows.push(row);
    list.append(h("div", { class: "number" }, radio, input));
    add.hidden = rows.length >= most;
    changed();
    return row;
  }

  for (const number of present) append(number);
  if (rows.length === 0) append(null);
  return {
    name: "numbers",
    get input() { return rows.find((row) => row.radio.checked)?.input ?? rows[0].input; },
    element: h("fieldset", { class: "field" }, h("legend", {}, t("contacts.numbers")),
      h("p", { class: "hint faint" }, t("contacts.numbers.hint")), list, error, add),
    all: () => rows.filter((row) => row.input.value.trim() !== "")
      .map((row) => ({ number: row.input.value.trim(), chosen: row.radio.checked })),
    fail(text) {
      error.textContent = text;
      for (const row of rows) setAttribute(row.input, "aria-invalid", text ? "true" : null);
    },
    onChange(hear) { changed = hear; },
  };
}
