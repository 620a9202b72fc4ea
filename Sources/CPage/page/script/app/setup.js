import { h } from "../dom.js";
import { t } from "../texts.js";

export const setup = {
  name: "setup",
  title: "setup.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("setup.title")));
  },
};
