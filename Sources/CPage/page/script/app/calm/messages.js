/** Five messages that are sent by clicks or from here, and the help links (R62 to R68). */

import { ask, h, keyed, setText } from "../../dom.js";
import { api } from "../../api.js";
import { follow } from "../../model.js";
import { moment, t } from "../../texts.js";
import { emergency } from "../emergency.js";
import { action, problemText, setOff } from "../forms.js";
import { withPIN } from "../pin.js";
import { linksPart } from "./links.js";
import { editSlot } from "./slot.js";

/** Of the log, after which a slot stands otherwise. */
const news = new Set([
  "slotChanged", "messageAsked", "messageTaken", "messageFailed", "messageCancelled",
  "accountChanged",
]);

/** The card; its rows follow the core until `signal` is aborted. */
export function messagesCard({ model, signal }) {
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { class: "said", role: "status" });
  const literal = h("p", { class: "warning", hidden: true }, t("messages.literal"));
  const list = h("ol", { class: "message-slots" });
  const rows = new Map();
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
      const { slots } = await api.get("/v1/messages/slots");
      if (mine !== read || signal.aborted) return;
      keyed(list, slots, (one) => one.slot, makeRow, (_, one) => rows.get(one.slot).update(one));
    } catch (problem) {
      if (mine === read && !signal.aborted) refuse(problemText(problem));
    }
  }

  function makeRow({ slot }) {
    const row = slotRow({
      model, signal, refuse,
      async done(words) {
        await load();
        tell(t(words, { slot }));
      },
    });
    rows.set(slot, row);
    return row.element;
  }

  follow(model, ["status"], signal, () => {
    literal.hidden = model.status.profile !== "literal";
    for (const row of rows.values()) row.tellCall();
  });
  model.addEventListener("line", ({ detail }) => {
    if (news.has(detail.name)) load();
  }, { signal });
  load();
  return h("section", { class: "card", "aria-labelledby": "messages-title" },
    h("h2", { id: "messages-title" }, t("messages.title")), h("p", {}, t("messages.text")),
    literal, refused, said, list, linksPart({ signal }));
}

/** `{ element, update(slot), tellCall() }`; `done(words)` is called after each change. */
function slotRow({ model, signal, refuse, done }) {
  let one = null;
  const clicks = h("span", { class: "clicks" });
  const who = h("h3", {});
  const text = h("p", { class: "message" });
  const last = h("p", { class: "faint" });
  const call = h("a", { class: "button" });
  const failed = h("div", { class: "warning", hidden: true },
    h("p", {}, t("messages.alarm")), call);
  const path = () => `/v1/messages/slots/${one.slot}`;

  const send = action({
    label: t("messages.send"), kind: "main", refused: refuse,
    async work() {
      await api.post(`${path()}/send`, { key: newKey() });
      await done("messages.asked");
    },
  });
  const edit = action({
    label: t("messages.create"), refused: refuse,
    async work() {
      const { contacts } = await api.get("/v1/contacts");
      const isSaved = await editSlot({
        slot: one, contacts, signal,
        save: (draft) => withPIN({
          model, signal, title: t("pin.enter"),
          send: (pin) => api.put(path(), { ...draft, pin }),
        }),
      });
      if (isSaved) await done("messages.saved");
    },
  });
  const remove = action({
    label: t("messages.delete"), refused: refuse,
    async work() {
      const wish = await ask({
        title: t("messages.delete.ask", one), text: t("messages.delete.text"),
        buttons: [
          { label: t("button.no") }, { label: t("button.yes"), value: "yes", kind: "danger" },
        ],
      });
      if (wish !== "yes") return;
      const isDone = await withPIN({
        model, signal, title: t("pin.enter"), send: (pin) => api.delete(path(), { pin }),
      });
      if (isDone) await done("messages.deleted");
    },
  });

  return {
    element: h("li", { class: "message-slot" },
      h("div", { class: "who" }, clicks, who, text, last),
      h("div", { class: "buttons" }, send, edit, remove), failed),
    update(slot) {
      one = slot;
      const isEmpty = !one.message && !one.name && !one.number && !one.contact;
      setText(clicks, t("messages.clicks", { count: one.clicks }));
      setText(who, one.name || one.number || t("messages.nobody"));
      setText(text, one.message || t("messages.empty"));
      setText(last, lastSend(one.last));
      failed.hidden = one.last?.state !== "failed";
      setOff(send, !one.isComplete);
      setText(edit, t(isEmpty ? "messages.create" : "messages.edit"));
      remove.hidden = isEmpty;
      send.setAttribute("aria-label", t("messages.send.name", one));
      edit.setAttribute("aria-label", t(`messages.${isEmpty ? "create" : "edit"}.name`, one));
      remove.setAttribute("aria-label", t("messages.delete.name", one));
      this.tellCall();
    },
    tellCall() {
      const { number } = emergency(model.status);
      call.href = `tel:${number}`;
      setText(call, t("messages.call", { number }));
    },
  };
}

/** Also where the page came by plain HTTP from another host, which has no randomUUID. */
function newKey() {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** How the last send stands, by which way and when. */
function lastSend(last) {
  if (!last) return "";
  const words = t(`messages.state.${last.state}`, { at: moment(last.endedAt ?? last.askedAt) });
  return [words, last.way ? t("messages.way", last) : "", last.lastError ?? ""]
    .filter(Boolean).join(" · ");
}
