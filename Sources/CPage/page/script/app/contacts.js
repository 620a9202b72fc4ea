import { h } from "../dom.js";
import { bringTexts, t } from "../texts.js";
import { contactList } from "./contacts/list.js";

await bringTexts("people");

/** Who is told of an alarm (R14 to R18, R23). */
export const contacts = {
  name: "contacts",
  title: "contacts.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("contacts.title")), contactList({ model, signal }).element);
  },
};
