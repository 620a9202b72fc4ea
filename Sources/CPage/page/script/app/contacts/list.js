/** The contacts, to be seen and changed: the same list in set-up and after it (R15 to R18, R23). */

import { ask, h, keyed, setText } from "../../dom.js";
import { api } from "../../api.js";
import { follow } from "../../model.js";
import { inOrder, t } from "../../texts.js";
import { action, problemText } from "../forms.js";
import { withPIN } from "../pin.js";
import { editContact } from "./editor.js";
import { importer } from "./importer.js";

/** `{ element, total() }`; the list follows the core until `signal` is aborted. */
export function contactList({ model, signal }) {
  const count = h("p", { class: "count" });
  const none = h("p", { class: "warning", hidden: true }, t("contacts.none"));
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { role: "status" });
  const list = h("ul", { class: "contact-list" });
  const rows = new Map();
  let known = null;
  let read = 0;

  const refuse = (text) => {
    setText(refused, text);
    if (text) setText(said, "");
  };
  const tell = (text) => {
    refuse("");
    setText(said, text);
  };

  async function load() {
    const mine = ++read;
    try {
      const answer = await api.get("/v1/contacts");
      if (mine === read && !signal.aborted) show(answer.contacts);
    } catch (problem) {
      if (mine === read && !signal.aborted) refuse(problemText(problem));
    }
  }

  function show(contacts) {
    known = [...contacts].sort((a, b) => inOrder(a.name, b.name));
    setText(count, t("contacts.total", { count: known.length }));
    none.hidden = known.length > 0;
    keyed(list, known, (one) => one.id, makeRow, (element, one) => rows.get(one.id).update(one));
    tellReach();
  }

  /** Whom no notification channel can reach, as configured, is told where they stand. */
  function tellReach() {
    const { unreachable } = model.status;
    for (const one of known ?? []) {
      rows.get(one.id)?.reach(unreachable.includes(one.id));
    }
  }

  function makeRow(contact) {
    let now = contact;
    const name = h("span", { class: "name" });
    const number = h("span", { class: "figures" });
    const more = h("span", { class: "faint" });
    const unreachable = h("span", { class: "warning", hidden: true }, t("contacts.unreachable"));
    const edit = action({
      label: t("contacts.edit"), refused: refuse,
      work: async () => { if (await change(now)) tell(t("contacts.saved", { name: now.name })); },
    });
    const remove = action({
      label: t("contacts.delete"), refused: refuse, work: () => removeContact(now),
    });
    rows.set(contact.id, {
      update(one) {
        now = one;
        const others = one.numbers.filter((each) => !each.chosen).length;
        setText(name, one.name);
        setText(number, one.numbers.find((each) => each.chosen)?.number ?? "");
        setText(more, [
          others > 0 ? t("contacts.more", { count: others }) : "", one.email ?? "",
        ].filter(Boolean).join(" · "));
        edit.setAttribute("aria-label", t("contacts.edit.name", { name: one.name }));
        remove.setAttribute("aria-label", t("contacts.delete.name", { name: one.name }));
      },
      reach(isNot) { unreachable.hidden = !isNot; },
    });
    return h("li", { class: "card" },
      h("div", { class: "who" }, name, number, more, unreachable),
      h("div", { class: "buttons" }, edit, remove));
  }

  /** R121: whoever wants one more person told needs no PIN for that. */
  async function addNew(draft) {
    await api.post("/v1/contacts", draft);
    return true;
  }

  const saveEdited = (contact, draft) => withPIN({
    model, signal, title: t("pin.enter"),
    send: (pin) => api.patch(`/v1/contacts/${encodeURIComponent(contact.id)}`, { ...draft, pin }),
  });

  /** Adds (null) or edits; resolves to whether that was done. */
  async function change(contact) {
    const isDone = await editContact({
      contact, signal, save: (draft) => contact ? saveEdited(contact, draft) : addNew(draft),
    });
    if (isDone) await Promise.all([load(), model.refresh()]);
    return isDone;
  }

  /** R17: asks, and after set-up takes the PIN. */
  async function removeContact({ id, name }) {
    const wish = await ask({
      title: t("contacts.delete.ask", { name }), text: t("contacts.delete.text"),
      buttons: [
        { label: t("button.cancel") },
        { label: t("contacts.delete"), value: "delete", kind: "danger" },
      ],
    });
    if (wish !== "delete") return;
    const isDone = await withPIN({
      model, signal, title: t("pin.enter"),
      send: (pin) => api.delete(`/v1/contacts/${encodeURIComponent(id)}`, { pin }),
    });
    if (!isDone) return;
    await Promise.all([load(), model.refresh()]);
    tell(t("contacts.deleted", { name }));
    add.focus();
  }

  const add = action({
    label: t("contacts.add"), refused: refuse,
    work: async () => { if (await change(null)) tell(t("contacts.added")); },
  });
  const bring = importer({
    refused: refuse,
    async done({ contacts, added, passedOver }) {
      show(contacts);
      await model.refresh();
      tell([
        t("contacts.imported", { count: added.length }),
        passedOver.length > 0 ? t("import.passedOver", { count: passedOver.length }) : "",
      ].filter(Boolean).join(" "));
    },
  });

  load();
  follow(model, ["status"], signal, tellReach);
  model.addEventListener("line", (event) => {
    if (event.detail.name === "accountChanged") load();
  }, { signal });
  return {
    element: h("div", {}, count, none, refused, said, list,
      h("div", { class: "buttons" }, add), bring),
    total: () => known?.length ?? model.status.contacts,
  };
}
