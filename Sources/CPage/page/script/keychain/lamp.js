/** The light of the keychain in the hand: its pattern, its words, and whose word it is. */

import { setText } from "../dom.js";
import { t, timeOfDay } from "../texts.js";
import { light, patternOf } from "./light.js";
import { nameOfShown } from "./shown.js";

const dark = { steps: [{ on: false, ms: 0 }], repeats: false };

/**
 * LED_STATE says it, as the host hears it; where the host hears nothing, the keychain alone knows
 * what it shows. `words` has the elements {shown, sounder, source}.
 */
export function lamp(fob, words, feed) {
  const player = light((state) => fob.setLight(state));
  /** The firmware's own word, which goes through no line. */
  let own = null;

  function play(word, state) {
    const detail = own && own.shown === word.shown ? own.detail : state.detail;
    const pattern = patternOf(feed.bench.patterns, word.shown, detail ?? 0);
    const begun = word.at ? feed.pageTimeOf(word.at) : performance.now();
    const name = pattern ? `${word.shown} ${pattern.steps.length} ${pattern.steps[1]?.ms}` : "";
    player.play(name, pattern, begun);
  }

  return {
    /** A `shown` event of the keychain itself; null where another is in the hand. */
    hear(event) {
      // A state that is said again is none that begins.
      if (!event || own?.shown !== event.shown || own.detail !== event.detail) own = event;
      else own.sounder = event.sounder;
    },

    show({ state, stateAt, device }, isOld) {
      const heard = state.linked ? feed.shown.get(device) : null;
      const word = heard ?? own ?? state;
      const hasPower = state.powered && word.shown;
      setText(words.shown, hasPower ? nameOfShown(word.shown) : t("hand.dark"));
      setText(words.sounder,
        t(hasPower && word.sounder ? "hand.sounder.on" : "hand.sounder.off"));
      setText(words.source, isOld ? t("hand.notKnownSince", {
        time: timeOfDay(feed.wallOf(feed.now) - (performance.now() - stateAt) * 1000),
      }) : hasPower ? t(heard ? "hand.heard" : state.linked ? "hand.own" : "hand.unheard") : "");
      if (isOld) player.play("", null, 0);
      else if (hasPower) play(word, state);
      else player.play("dark", dark, 0);
    },
  };
}
