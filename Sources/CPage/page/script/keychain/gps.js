/** What an emulated keychain's receiver hears, and the map of where it was. */

import { h, setText } from "../dom.js";
import { map } from "../map.js";
import { hasText, t } from "../texts.js";
import { attempt, group, refusalLine } from "./controls.js";

/** The Royal Observatory: where a keychain is that was never anywhere. */
const observatory = "51.4778,-0.0015";

/** What can be chosen, as the emulator takes it, at a place; a walk and a drive go in circles. */
const sources = {
  at: (place) => `at:${place}`,
  walk: (place) => `track:${place},1.4,45,1`,
  drive: (place) => `track:${place},14,90,2`,
  weak: (place) => `story:weak,${place}`,
  coldStart: (place) => `story:coldStart,${place}`,
  tunnel: (place) => `story:tunnel,${place}`,
  silence: (place) => `story:silence,${place}`,
  rollover: (place) => `story:rollover,${place}`,
  none: () => "none",
};

/** `ask(request)` asks the keychain. */
export function gps(ask) {
  const refusal = refusalLine();
  const select = h("select", { id: "hand-gps" }, Object.keys(sources).map((name) =>
    h("option", { value: name }, t(`hand.gps.${name}`))));
  const now = h("p", { class: "reading" });
  let place = observatory;
  const set = h("button", { type: "button", on: { click: () => attempt(refusal, () =>
    ask({ do: "gps", source: sources[select.value](place) })) } }, t("hand.set"));
  const drawn = map(() => element.open);
  const { element, say } = group("gps",
    h("div", { class: "pair" },
      h("div", {}, h("label", { for: "hand-gps" }, t("hand.gps.story")), select), set),
    now, refusal, drawn.element, drawn.last);
  element.addEventListener("toggle", drawn.draw);
  return {
    element,
    map: drawn,
    show(state) {
      if (state.latitude !== undefined && state.latitude !== null) {
        place = `${state.latitude / 1e7},${state.longitude / 1e7}`;
      }
      say(state.gps ? t(`fix.${state.gps}`) : t("fix.unknown"));
      setText(now, t("hand.inForce", { what: words(state.receiver) }));
    },
  };
}

/** A receiver's specification as a person says it; itself where there is no word for it. */
function words(receiver) {
  const [kind, rest = ""] = receiver.split(/:(.*)/s);
  const name = kind === "story" ? rest.split(",")[0] : kind;
  const text = `hand.gps.${name}`;
  return hasText(text) ? `${t(text)} (${receiver})` : receiver;
}
