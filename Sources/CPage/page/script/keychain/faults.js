/** Faults of an emulated keychain's line: set one, see what is in force, clear all. */

import { h, keyed, setText } from "../dom.js";
import { number, t } from "../texts.js";
import { attempt, group, refusalLine } from "./controls.js";

/** Of these the bytes come later; the others are damaged. */
const delays = { split: 5, stall: 200 };
const kinds = ["drop", "flip", "double", "insert", "split", "stall"];
/** Share of the bytes; 0: the next byte alone. */
const rates = [0, 0.001, 0.01, 0.05, 0.2];

/** `ask(request)` asks the keychain. */
export function faults(ask) {
  const refusal = refusalLine();
  const select = (name, values) => h("select", { id: `hand-${name}`, name },
    values.map(([value, text]) => h("option", { value }, text)));
  const kind = select("kind", kinds.map((kind) => [kind, t(`hand.fault.${kind}`)]));
  const rate = select("rate", rates.map((rate) => [rate, shareOf(rate)]));
  const to = select("to", ["both", "host", "device"].map((to) => [to, t(`hand.to.${to}`)]));
  const ms = h("input",
    { id: "hand-ms", type: "number", min: 1, max: 600_000, value: delays.split });
  const field = (name, control) =>
    h("div", {}, h("label", { for: control.id }, t(`hand.fault.${name}`)), control);
  const delay = field("ms", ms);
  const choose = () => {
    delay.hidden = !(kind.value in delays);
    ms.value = delays[kind.value] ?? ms.value;
  };
  kind.addEventListener("change", choose);
  choose();

  const form = h("form", {},
    h("div", { class: "pairs" }, field("kind", kind), field("share", rate), field("to", to), delay),
    h("div", { class: "buttons" },
      h("button", {}, t("hand.fault.set")),
      h("button", { type: "button", on: { click: () =>
        attempt(refusal, () => ask({ do: "fault", kind: "none" })) } }, t("hand.fault.clear"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const request = { do: "fault", kind: kind.value, to: to.value };
    if (Number(rate.value) > 0) request.rate = Number(rate.value);
    if (kind.value in delays) request.ms = Number(ms.value);
    attempt(refusal, () => ask(request));
  });
  const list = h("ul", { class: "reading" });
  const none = h("p", { class: "reading" }, t("hand.fault.none"));
  const { element, say } = group("faults", none, list, form, refusal);
  return {
    element,
    show(state) {
      const set = state.faults ?? [];
      say(set.length ? t("hand.fault.count", { count: set.length }) : t("hand.none"));
      none.hidden = set.length > 0;
      keyed(list, set, (fault) => `${fault.kind} ${fault.to}`, () => h("li", {}),
        (item, fault) => setText(item, words(fault)));
    },
  };
}

/** A share of the bytes in words; 0 is the next byte alone. */
const shareOf = (rate) => rate === 0 ? t("hand.fault.next")
  : t("hand.fault.rate", { percent: number(rate * 100) });

function words(fault) {
  const delay = fault.ms ? ` ${t("hand.fault.by", { ms: number(fault.ms) })}` : "";
  const share = fault.rate === undefined ? t("hand.fault.bytes", { count: fault.count })
    : shareOf(fault.rate);
  return t("hand.fault.inForce", {
    kind: t(`hand.fault.${fault.kind}`) + delay, share, to: t(`hand.to.${fault.to}`),
    struck: t("hand.fault.struck", { count: fault.struck }),
  });
}
