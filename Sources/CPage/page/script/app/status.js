import { h } from "../dom.js";
import { t } from "../texts.js";

export const status = {
  name: "status",
  title: "status.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("status.title")));
  },
};
