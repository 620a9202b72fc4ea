/** Contacts out of a file, as an address book writes it: vCard or CSV (R23). */

import { h } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { action, field, setOff } from "../forms.js";
import { withPIN } from "../pin.js";

/** What the core takes at one time, in bytes, with room for what JSON adds. */
const most = 60 * 1024;

/** A file and a button; `done(contacts)` gets all that there are then, `refused(text)` a reason. */
export function importer({ model, signal, done, refused }) {
  const file = field({
    name: "file", label: t("contacts.import.label"), hint: t("contacts.import.hint"),
    input: h("input", { type: "file", accept: ".vcf,.csv,text/vcard,text/csv" }),
  });
  const bring = action({
    label: t("contacts.import"), refused,
    async work() {
      const chosen = file.input.files[0];
      const text = await chosen.text();
      const body = /^\s*BEGIN:VCARD/i.test(text) ? { vcard: text } : { csv: text };
      if (new Blob([JSON.stringify(body)]).size > most) {
        return file.fail(t("contacts.import.tooLarge"));
      }
      let answer;
      const isDone = await withPIN({
        model, signal, title: t("pin.enter"),
        send: async (pin) => { answer = await api.post("/v1/contacts/import", { ...body, pin }); },
      });
      if (!isDone) return;
      file.input.value = "";
      setOff(bring, true);
      await done(answer.contacts);
    },
  });
  file.input.addEventListener("change", () => {
    file.fail("");
    setOff(bring, file.input.files.length === 0);
  });
  setOff(bring, true);
  return h("details", { class: "import" }, h("summary", {}, t("contacts.import.title")),
    file.element, bring);
}
