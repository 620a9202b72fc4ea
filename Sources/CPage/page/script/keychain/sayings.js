/** What an emulated keychain did last, a few lines. */

import { h, keyed } from "../dom.js";
import { hasText, preciseTimeOfDay, t } from "../texts.js";

const most = 5;

/** Keeps the last of the feed's `keychain` events in `list`; those that say little are left out. */
export function sayings(list, feed) {
  let said = [];

  function show() {
    keyed(list, said, (one) => `${one.at} ${one.name}`, (one) => h("li", {},
      h("span", { class: "figures faint" }, preciseTimeOfDay(feed.wallOf(one.at))), " ",
      t(`hand.news.${one.name}`, {
        ...one, kind: nameOf("hand.event", one.kind), cause: nameOf("hand.cause", one.cause),
      })));
  }

  return {
    add(event) {
      if (!hasText(`hand.news.${event.name}`)) return;
      said = [event, ...said].slice(0, most);
      show();
    },
    clear() {
      said = [];
      show();
    },
  };
}

/** The word for a kind or cause; itself where there is none. */
function nameOf(group, name) {
  const text = `${group}.${name}`;
  return hasText(text) ? t(text) : name;
}
