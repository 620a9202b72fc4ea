/**
 * How the owner stands now: one glance and the one thing to do, then the four rows, whether anybody
 * would be told, and whether fob protects (R24 to R33, R48, R57).
 */

import { h, keyed, setText, settled } from "../dom.js";
import { atTicks, follow } from "../model.js";
import { t } from "../texts.js";
import { confirmation, storageBanner } from "./status/banners.js";
import { glance } from "./status/glance.js";
import { dailyCard } from "./daily.js";
import { notifications } from "./notify.js";
import { lookBack } from "./status/lookback.js";
import { lineList } from "./status/lines.js";
import { protection } from "./status/protection.js";
import { logout } from "./status/logout.js";
import { idleWarning, wellPanel } from "./status/well.js";

/** So long the cards below the glance wait for what would move them, ms. */
const patience = 1_000;

export const status = {
  name: "status",
  title: "status.title",

  show(root, model, signal) {
    const storage = storageBanner();
    follow(model, ["status"], signal, () => storage.show(model.status.storageFailure));
    const view = h("div", { class: "status-view" },
      storage.element,
      wellPanel(model, signal),
      // Where it is the one thing to do, the panel below has it.
      idleWarning(model, signal, () => model.status.concerns[0] === "checkInsRaiseNothing"),
      glance(model, signal));
    root.append(h("h1", { class: "visually-hidden" }, t("status.title")), view);
    const [past, day] = [lookBack(model, signal), dailyCard(model, signal)];
    const below = [past.element, rows(model, signal), day.element,
      h("div", {}, unconfirmed(model, signal), protection(model, signal), notifications(),
        logout(model, signal))];
    // In one step: a card that came later would move the others.
    settled([past.ready, day.ready], patience).then(() => view.append(...below));
  },
};

/** The four rows, and what else the core warns of. */
function rows(model, signal) {
  const lines = lineList();
  const devices = h("p", { class: "faint" });
  const warnings = h("ul", { class: "reading faint warnings" });
  atTicks(model, signal, () => {
    const now = model.status;
    lines.show(now.lines, model.age, model.isStale);
    const owned = now.devices.filter((device) => device.isOwned).length;
    setText(devices, owned > 1 ? t("status.worst", { count: owned }) : "");
    keyed(warnings, now.warnings, (text) => text, (text) => h("li", {}, sentence(text)));
    warnings.hidden = now.warnings.length === 0;
  });
  return h("section", { class: "card", "aria-labelledby": "rows-title" },
    h("h2", { id: "rows-title" }, t("status.rows")), lines.element, devices, warnings);
}

/** R12: it is there until the address is confirmed, also where something else is more urgent. */
function unconfirmed(model, signal) {
  const element = h("section", { class: "card", "aria-labelledby": "confirm-title" },
    h("h2", { id: "confirm-title" }, t("concern.unconfirmedEmail")),
    h("p", {}, t("concern.unconfirmedEmail.text")),
    h("div", { class: "buttons" }, confirmation()));
  follow(model, ["status"], signal, () => {
    element.hidden = model.status.concerns.indexOf("unconfirmedEmail") < 1;
  });
  return element;
}

/** The core writes a warning as a clause; here it stands alone. */
function sentence(text) { return `${text[0].toUpperCase()}${text.slice(1)}.`; }
