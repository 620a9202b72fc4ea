/** Calm: what helps before it is an alarm. Each card is a file of its own below `calm/`. */

import { h } from "../dom.js";
import { bringTexts, t } from "../texts.js";
import { affirmationsCard } from "./calm/affirmations.js";
import { breathingCard } from "./calm/breathing.js";
import { Exercises } from "./calm/exercises.js";
import { groundingCard } from "./calm/grounding.js";
import { helpPart } from "./calm/help.js";
import { messagesCard } from "./calm/messages.js";

await bringTexts("calm", "checkins");

/** In this order; each returns its element and follows the core until `signal` is aborted. */
const cards = {
  messages: messagesCard, breathing: breathingCard, affirmations: affirmationsCard,
  grounding: groundingCard,
};

export const calm = {
  name: "calm",
  title: "calm.title",

  show(root, model, signal) {
    const exercises = new Exercises({ model, signal });
    root.append(h("h1", {}, t("calm.title")));
    for (const [name, card] of Object.entries(cards)) {
      const element = card({ model, exercises, signal });
      element.append(helpPart(name, { model, signal }));
      root.append(element);
    }
  },
};
