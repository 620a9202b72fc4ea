import { h } from "../dom.js";
import { t } from "../texts.js";

export const alarm = {
  name: "alarm",
  title: "alarm.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("alarm.title")));
  },
};
