/** Five things that you see, touch and hear, then four, to one: 45 items (R77, R117). */

import { h, setText } from "../../dom.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";
import { card } from "./exercises.js";
import { Pictures } from "./pictures.js";

/** The card, until `signal` is aborted. */
export function groundingCard({ model, exercises, signal }) {
  const goal = h("p", { class: "breath", "aria-live": "polite" });
  const row = h("p", { class: "items", "aria-hidden": "true" });
  const done = h("p", { class: "said", role: "status" });
  const all = h("div", {});
  const literal = h("p", { class: "warning", hidden: true }, t("grounding.literal"));
  const isRunning = () => exercises.running?.exercise === "grounding";
  const pictures = new Pictures({
    current: () => exercises.running?.counted ?? 0, changed: () => show(), signal,
  });
  let wasRunning = false;

  const button = (name, what, kind = "") => action({
    label: t(`grounding.${name}`), kind, refused: (text) => refuse(text),
    work: () => exercises.tell(what),
  });
  const anew = (name, what) => action({
    label: t(`grounding.${name}`), refused: (text) => refuse(text),
    async work() {
      await exercises.tell(what);
      pictures.forget();
      show();
    },
  });
  const start = button("start", "grounding/start", "main");
  const count = button("count", "grounding/count", "main");
  const retry = anew("retry", "grounding/retry");
  const stop = anew("stop", "stop");
  const { element, refuse } = card("grounding", literal, goal, row, done, all,
    h("div", { class: "buttons" }, start, count, retry, stop), pictures.element);

  function show() {
    const isNow = isRunning();
    // Begun here or elsewhere: of an earlier time none is left.
    if (isNow && !wasRunning) pictures.forget();
    start.hidden = isNow;
    pictures.element.hidden = !isNow;
    for (const one of [count, retry, stop]) one.hidden = !isNow;
    row.replaceChildren(...isNow ? itemsOf(exercises.running) : []);
    all.replaceChildren(...!isNow && pictures.count > 0
      ? [h("h3", {}, t("grounding.pictures")), pictures.grid()] : []);
    setText(goal, isNow
      ? t(`grounding.${exercises.running.category}`, { count: exercises.running.left }) : "");
    if (isNow) setText(done, "");
    else if (wasRunning) setText(done, t("grounding.over"));
    wasRunning = isNow;
  }

  /** What of the present row is counted, with its pictures. */
  function itemsOf({ stage, left, counted }) {
    const first = counted - (stage - left);
    return Array.from({ length: stage }, (_, item) =>
      pictures.of(first + item) ?? (item < stage - left ? "●" : "○"));
  }

  exercises.addEventListener("change", () => {
    refuse(exercises.problem);
    show();
  }, { signal });
  follow(model, ["status"], signal, () => {
    literal.hidden = model.status?.profile !== "literal";
  });
  return element;
}
