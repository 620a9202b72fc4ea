import { h } from "../dom.js";
import { t } from "../texts.js";

export const contacts = {
  name: "contacts",
  title: "contacts.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("contacts.title")));
  },
};
