/** Contacts out of an address book, vCard or CSV: whoever is picked (R23, R120). */

import { h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { action, field, setOff } from "../forms.js";
import { picker } from "./picker.js";

/** What the core takes at one time, in bytes, with room for what JSON adds. */
const most = 60 * 1024;

/** A file, and whom of it to take; `done(answer)` gets the core's answer, `refused(text)` why. */
export function importer({ done, refused }) {
  const file = field({
    name: "file", label: t("contacts.import.label"), hint: t("contacts.import.hint"),
    input: h("input", { type: "file", accept: ".vcf,.csv,text/vcard,text/csv" }),
  });
  const place = h("div", {});
  /** The file that is looked at; what is read of an earlier one is not shown. */
  let body = null;

  const look = action({
    label: t("contacts.import.read"), refused,
    async work() {
      const text = await file.input.files[0].text();
      const mine = /^\s*BEGIN:VCARD/i.test(text) ? { vcard: text } : { csv: text };
      body = mine;
      if (new Blob([JSON.stringify(mine)]).size > most) {
        return file.fail(t("contacts.import.tooLarge"));
      }
      const found = await api.post("/v1/contacts/import/preview", mine);
      if (body === mine) show(found);
    },
  });

  function show(found) {
    const people = picker(found, update);
    const add = action({
      label: t("import.add", { count: 0 }), kind: "main", refused,
      async work() {
        const answer = await api.post("/v1/contacts/import", { ...body, take: people.picked() });
        file.input.value = "";
        clear();
        await done(answer);
      },
    });
    function update() {
      const count = people.picked().length;
      setText(add, t("import.add", { count }));
      setOff(add, count === 0);
    }
    place.replaceChildren(people.element, h("div", { class: "buttons" }, add));
    update();
    people.element.querySelector("input")?.focus();
  }

  function clear() {
    file.fail("");
    body = null;
    place.replaceChildren();
    setOff(look, file.input.files.length === 0);
  }

  file.input.addEventListener("change", clear);
  setOff(look, true);
  return h("details", { class: "import" }, h("summary", {}, t("contacts.import.title")),
    file.element, look, place);
}
