import { h } from "../dom.js";
import { t } from "../texts.js";

export const login = {
  name: "login",
  title: "login.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("login.title")));
  },
};
