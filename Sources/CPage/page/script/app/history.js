import { h } from "../dom.js";
import { t } from "../texts.js";

export const history = {
  name: "history",
  title: "history.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("history.title")));
  },
};
