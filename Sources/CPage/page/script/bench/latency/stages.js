/** The stages of a press and their sums by the names that the API gives them, in words. */

import { hasText, t } from "../../texts.js";
import { duration } from "./figures.js";

/** Each stage lies between two stamps of a press. */
const stamps = {
  debounce: ["edge", "stored"],
  frame: ["stored", "written"],
  wire: ["written", "read"],
  decide: ["read", "decided"],
  durable: ["decided", "durable"],
  ack: ["durable", "acked"],
  light: ["acked", "lit"],
};

/** From the first edge of the button; the longest that is known is told first. */
const whole = {
  pressToLED: Object.keys(stamps),
  pressToDurable: ["debounce", "frame", "wire", "decide", "durable"],
  pressToDecided: ["debounce", "frame", "wire", "decide"],
};

/** As tables and drawings name it; one that this page does not know has the API's name. */
export function nameOf({ stage }) {
  return hasText(`latency.stage.${stage}`) ? t(`latency.stage.${stage}`) : stage;
}

/** What happens in it. */
export function meaningOf({ stage, meaning }) {
  return hasText(`latency.meaning.${stage}`) ? t(`latency.meaning.${stage}`) : meaning ?? "";
}

/** Rows of a waterfall: what each stage of one press took, where both of its stamps were seen. */
export function rowsOfPress(press) {
  return Object.entries(stamps).map(([stage, [from, to]]) => {
    const isSeen = Number.isFinite(press[from]) && Number.isFinite(press[to]);
    return {
      name: nameOf({ stage }),
      value: isSeen ? press[to] - press[from] : null,
      tail: null,
      isUnscaled: stage === "debounce",
    };
  });
}

/** One line of what the medians mean, of `stages` as the API gives them. */
export function meaningOfAll(stages) {
  const there = new Map(stages.filter((stage) => stage.count > 0).map((one) => [one.stage, one]));
  const sum = Object.keys(whole).find((name) => there.has(name));
  if (!sum) return t("latency.noneComplete");
  const [first, second] = whole[sum].map((name) => there.get(name)).filter(Boolean)
    .sort((one, other) => other.p50 - one.p50);
  const values = {
    whole: duration(there.get(sum).p50),
    first: first ? t(`latency.owner.${first.stage}`) : "",
    firstTime: first ? duration(first.p50) : "",
    second: second ? t(`latency.owner.${second.stage}`) : "",
    secondTime: second ? duration(second.p50) : "",
  };
  return t(`latency.half.${sum}`, values) + (second ? t("latency.ofIt", values) : t("latency.end"));
}
