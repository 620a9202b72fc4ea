/** Calm: what helps before it is an alarm. Each card is a file of its own below `calm/`. */

import { h } from "../dom.js";
import { bringTexts, t } from "../texts.js";
import { messagesCard } from "./calm/messages.js";

await bringTexts("calm");

/** In this order; each returns its element and follows the model until `signal` is aborted. */
const cards = [messagesCard];

export const calm = {
  name: "calm",
  title: "calm.title",

  show(root, model, signal) {
    root.append(h("h1", {}, t("calm.title")), ...cards.map((card) => card({ model, signal })));
  },
};
