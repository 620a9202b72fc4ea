/**
 * Set-up: from the search for a keychain to the start of protection. It goes on where the account
 * stands, also after a reload, or where another window has gone on.
 */

import { h, setText } from "../dom.js";
import { follow } from "../model.js";
import { bringTexts, t } from "../texts.js";
import { standing } from "./setup/standing.js";
import { start } from "./setup/start.js";
import { search } from "./setup/search.js";
import { owner } from "./setup/owner.js";
import { login } from "./setup/login.js";
import { account } from "./setup/account.js";
import { claim } from "./setup/claim.js";
import { pin } from "./setup/pin.js";
import { people } from "./setup/people.js";
import { finish } from "./setup/finish.js";

await bringTexts("setup", "people");

/**
 * A step is `{ title, holds(account, memory), show(place, flow) }`: it fills `place`, and is left
 * as soon as it holds no longer. `flow` is `{ model, signal, memory, go(name), next() }`.
 */
const steps = { start, search, owner, login, account, claim, pin, people, finish };

export const setup = {
  name: "setup",
  title: "setup.title",

  show(root, model, signal) {
    const heading = h("h1", { tabindex: -1 });
    const place = h("section", { class: "setup" });
    /** What was chosen on the way and is no part of the account yet. */
    const memory = { device: null, isWithoutKeychain: false, isEditing: false, mail: null };
    let shown = null;
    let turn = 0;
    let leaving = new AbortController();
    root.append(heading, place);

    const go = (name) => {
      turn += 1;
      leaving.abort();
      leaving = new AbortController();
      const isFirst = shown === null;
      shown = name;
      const step = steps[name];
      setText(heading, t(step.title));
      place.replaceChildren();
      step.show(place, {
        model, memory, go, next, signal: AbortSignal.any([signal, leaving.signal]),
      });
      if (!isFirst) heading.focus();
    };
    const next = async () => {
      turn += 1;
      const mine = turn;
      const name = await standing(model.status, memory);
      if (!signal.aborted && mine === turn) go(name);
    };

    next();
    follow(model, ["status"], signal, () => {
      const now = model.status?.account;
      if (!shown || !now || (now.isSetUp && now.isLoggedIn)) return;
      if (!steps[shown].holds(now, memory)) next();
    });
  },
};
