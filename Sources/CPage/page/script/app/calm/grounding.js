/** Five things that you see, touch and hear, then four, to one: 45 items (R77). */

import { h, setText } from "../../dom.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";
import { card } from "./exercises.js";

/** The card, until `signal` is aborted. */
export function groundingCard({ exercises, signal }) {
  const goal = h("p", { class: "breath", "aria-live": "polite" });
  const row = h("p", { class: "items", "aria-hidden": "true" });
  const done = h("p", { class: "said", role: "status" });
  const isRunning = () => exercises.running?.exercise === "grounding";
  let wasRunning = false;

  const button = (name, what, kind = "") => action({
    label: t(`grounding.${name}`), kind, refused: (text) => refuse(text),
    work: () => exercises.tell(what),
  });
  const start = button("start", "grounding/start", "main");
  const count = button("count", "grounding/count", "main");
  const retry = button("retry", "grounding/retry");
  const stop = button("stop", "stop");
  const { element, refuse } = card("grounding", goal, row, done,
    h("div", { class: "buttons" }, start, count, retry, stop));

  exercises.addEventListener("change", () => {
    const { running, problem } = exercises;
    refuse(problem);
    const isNow = isRunning();
    start.hidden = isNow;
    for (const one of [count, retry, stop]) one.hidden = !isNow;
    setText(goal, isNow ? t(`grounding.${running.category}`, { count: running.left }) : "");
    setText(row, isNow
      ? "●".repeat(running.stage - running.left) + "○".repeat(running.left) : "");
    if (isNow) setText(done, "");
    else if (wasRunning) setText(done, t("grounding.over"));
    wasRunning = isNow;
  }, { signal });
  return element;
}
