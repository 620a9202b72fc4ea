import { h } from "../dom.js";
import { t } from "../texts.js";

export const settings = {
  name: "settings",
  title: "settings.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("settings.title")));
  },
};
