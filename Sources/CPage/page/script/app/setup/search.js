/** The search for a keychain (R1, R2): it goes on by itself, and says only what is so. */

import { ask, h, setText } from "../../dom.js";
import { api } from "../../api.js";
import { t } from "../../texts.js";
import { action, problemText } from "../forms.js";
import { linked, ownerOf } from "./standing.js";

/** How long a keychain is looked for, ms. */
const patience = 10_000;
const lookEvery = 500;
/** Each word stays long enough to be read. */
const readable = 900;

export const search = {
  title: "setup.search.title",
  holds: () => true,

  show(place, flow) {
    const { model, memory, signal, go } = flow;
    const stage = h("p", { class: "stage" });
    const detail = h("p", { class: "detail" });
    const spinner = h("span", { class: "searching", "aria-hidden": "true" });
    const choice = h("div", { class: "choices" });
    const cancel = h("button", { type: "button", on: { click: back } }, t("button.cancel"));
    place.append(
      h("div", { class: "stages" }, spinner, h("div", { role: "status" }, stage, detail)),
      choice, h("div", { class: "buttons" }, cancel));

    const say = (name, more = "") => {
      setText(stage, t(`setup.search.${name}`));
      setText(detail, more && t(`setup.search.${more}`));
    };

    /** Without an account there is nothing to go on with; with one, a keychain can wait. */
    function back() {
      if (model.status.account.isLoggedIn) memory.isWithoutKeychain = true;
      if (model.status.account.isLoggedIn) flow.next();
      else go("start");
    }

    async function run() {
      say("searching");
      const [found] = await Promise.all([firstFound(model, signal), pause(readable)]);
      if (signal.aborted) return;
      if (found.length === 0) return notFound();
      say("found");
      await pause(readable);
      if (signal.aborted) return;
      const device = found.length === 1 ? found[0] : await choose(found);
      if (signal.aborted) return;
      say("found", "connecting");
      const [status] = await Promise.all([api.post("/v1/status/refresh"), pause(readable)]);
      if (signal.aborted) return;
      model.take(status);
      // Whoever was not heard again is not connected.
      if (!linked(status).some((one) => one.device === device)) return notFound();
      say("connected");
      await pause(readable);
      if (!signal.aborted) await goOn(device);
    }

    async function goOn(device) {
      memory.device = device;
      const { account } = model.status;
      if (!account.exists) return go("account");
      if (account.isLoggedIn) return go("claim");
      go(await ownerOf(device) ? "owner" : "login");
    }

    async function notFound(text = t("setup.search.notFound.text")) {
      spinner.hidden = true;
      const wish = await ask({
        title: t("setup.search.notFound"), text,
        buttons: [
          { label: t("button.cancel") },
          { label: t("button.tryAgain"), value: "again", kind: "main" },
        ],
      });
      if (signal.aborted) return;
      spinner.hidden = false;
      if (wish === "again") begin();
      else back();
    }

    /** Several: the person says which. */
    function choose(devices) {
      return new Promise((resolve) => {
        say("several");
        spinner.hidden = true;
        choice.append(...devices.map((device) => action({
          label: t("keychain.named", { device }),
          async work() {
            choice.replaceChildren();
            spinner.hidden = false;
            resolve(device);
          },
        })));
        choice.firstElementChild.focus();
      });
    }

    function begin() {
      run().catch((problem) => { if (!signal.aborted) notFound(problemText(problem)); });
    }
    begin();
  },
};

/** Those that are plugged in and not the account's, as soon as there is one; else none. */
async function firstFound(model, signal) {
  const until = performance.now() + patience;
  for (;;) {
    await model.refresh();
    const isFresh = model.connection === "live";
    const found = isFresh ? linked(model.status).filter((one) => !one.isOwned) : [];
    if (found.length > 0 || signal.aborted || performance.now() > until) {
      return found.map((one) => one.device);
    }
    await pause(lookEvery);
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
