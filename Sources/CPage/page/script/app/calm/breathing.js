/** Square breathing: in, hold, out, hold, with the keychain's light (R69 to R74). */

import { h, setAttribute, setText, svg } from "../../dom.js";
import { api } from "../../api.js";
import { minutesAndSeconds, t } from "../../texts.js";
import { action, setOff } from "../forms.js";
import { card } from "./exercises.js";

/** Of one side, ms; the keychain's light has the same. */
const side = 4_000;
const words = ["in", "hold", "out", "hold"];
/** The corners of the square, from where one breathes in. */
const corners = [[10, 90], [10, 10], [90, 10], [90, 90]];

/** The card, until `signal` is aborted. */
export function breathingCard({ model, exercises, signal }) {
  const dot = svg("circle", { r: 7 });
  const square = svg("svg", { viewBox: "0 0 100 100", class: "square", "aria-hidden": "true" },
    svg("rect", { x: 10, y: 10, width: 80, height: 80 }), dot);
  const word = h("p", { class: "breath", "aria-live": "polite" });
  const timer = h("p", { class: "clock", role: "timer" }, minutesAndSeconds(0));
  const total = h("p", {});
  const dark = h("p", { class: "faint" });

  const start = action({
    label: t("breathing.start"), kind: "main", refused: (text) => refuse(text),
    work: () => exercises.tell(isRunning() ? "stop" : "breathing/start"),
  });
  const clear = action({
    label: t("breathing.clear"), refused: (text) => refuse(text),
    async work() {
      await api.delete("/v1/exercises/breathing/statistics", {});
      await exercises.ask();
    },
  });
  const { element, refuse } = card("breathing", h("div", { class: "breathing" }, square, word),
    timer, dark, h("div", { class: "buttons" }, start, clear), total);
  const isRunning = () => exercises.running?.exercise === "breathing";
  let frame = 0;

  function draw() {
    if (!isRunning()) return;
    const { elapsed, lit } = exercises.running;
    const phase = (lit ?? elapsed) / 1000 + exercises.age;
    const now = Math.floor(phase / side) % 4;
    const part = (phase % side) / side;
    const [[fromX, fromY], [toX, toY]] = [corners[now], corners[(now + 1) % 4]];
    dot.setAttribute("cx", fromX + (toX - fromX) * part);
    dot.setAttribute("cy", fromY + (toY - fromY) * part);
    setText(word, t(`breathing.${words[now]}`));
    setText(timer, minutesAndSeconds(Math.floor((elapsed / 1000 + exercises.age) / 1000) * 1000));
    frame = requestAnimationFrame(draw);
  }

  exercises.addEventListener("change", () => {
    const { status, problem } = exercises;
    refuse(problem);
    if (!status) return;
    const { statistics: all, running, last } = status;
    cancelAnimationFrame(frame);
    setText(start, t(isRunning() ? "breathing.stop"
      : last ? "breathing.restart" : "breathing.start"));
    setOff(clear, all.count === 0 || isRunning());
    const isLinked = model.status.devices.some((one) => one.isOwned && one.isLinked);
    setText(dark, !isRunning() || running.lit !== undefined ? ""
      : t(isLinked ? "breathing.dark" : "breathing.noKeychain"));
    setText(total, all.count === 0 ? t("breathing.none") : t("breathing.total", {
      count: all.count, total: minutesAndSeconds(all.seconds * 1000),
      average: minutesAndSeconds(all.average * 1000),
      shortest: minutesAndSeconds(all.shortest * 1000),
      longest: minutesAndSeconds(all.longest * 1000),
    }));
    setAttribute(element, "data-running", isRunning() ? "" : null);
    if (isRunning()) return draw();
    setText(word, "");
    setText(timer, minutesAndSeconds(0));
  }, { signal });
  signal.addEventListener("abort", () => cancelAnimationFrame(frame));
  return element;
}
