/** What of the log is looked for: each choice is one of the query's parameters. */

import { h } from "../../dom.js";
import { inOrder, t } from "../../texts.js";

/** What happens, as the core names it. */
const kinds = [
  "event", "duplicate", "numberReused", "incidentOpened", "pressAdded", "pressJoined",
  "stateChanged", "pressDecoded", "slotRequested", "committed", "commitFailed", "storageHealed",
  "auditLost", "leftToDevice", "notified", "delivered", "deliveryFailed", "withdrawn",
  "acknowledged", "silenced", "surveyOpened", "wrongPIN", "resumed", "recovered", "linkUp",
  "linkDown", "lineTrouble", "surveyAnswered", "triggerAdded", "accountChanged", "pinBlocked",
  "batteryLow", "recordsDamaged", "bootDoubted", "pressUnproved", "pressProved", "pressMoved",
  "keychainPaired", "keychainUnpaired", "checkInAsked", "checkInDue", "checkInNagged",
  "checkInCompleted", "checkInEscalated", "checkInCovered", "checkInMissed", "checkInRemoved",
  "checkInRestored", "checkInChanged", "checkInIdle", "seriesChanged", "checkInSettingsChanged",
  "slotChanged", "messageAsked", "messageTaken", "messageFailed", "messageCancelled",
  "helpLinksChanged", "reviewStarted", "reviewSaved", "reviewCompleted", "reviewDeleted",
  "reviewDeclined", "reviewTemplateChanged", "outcomeChanged",
  "exerciseStarted", "exerciseEnded", "exerciseSettingsChanged", "exerciseTotalsChanged",
  "affirmationsChanged", "affirmationDue",
  "remindersChanged", "reviewDue", "reviewOpen", "tipDue", "quoteDue",
];

/** `{ element, query() }`; `changed()` is called once a person has chosen or typed. */
export function logFilters({ model, names, signal, changed }) {
  const field = (name, input) => {
    input.id = `log-${name}`;
    return h("div", {}, h("label", { for: input.id }, t(`log.filter.${name}`)), input);
  };
  const select = (options) => h("select", { on: { change: changed } },
    h("option", { value: "" }, t("log.all")),
    options.map(([value, text]) => h("option", { value }, text)));
  const time = () => h("input", { type: "datetime-local", step: 1, on: { change: changed } });

  const name = select(kinds.map((kind) => [kind, t(`log.kind.${kind}`)])
    .sort((a, b) => inOrder(a[1], b[1])));
  const device = select(model.status.devices.map((one) => [one.device, one.device]));
  const contact = select([]);
  const [since, until] = [time(), time()];
  const text = h("input", { type: "search", maxlength: 100 });
  names.then((found) => contact.append(...[...found]
    .sort((a, b) => inOrder(a[1], b[1]))
    .map(([value, written]) => h("option", { value }, written))));
  let typing = null;
  text.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(changed, 300);
  });
  signal.addEventListener("abort", () => clearTimeout(typing));

  return {
    element: h("form", {
      class: "filters", role: "search", "aria-label": t("log.filters"),
      on: { submit: (event) => event.preventDefault() },
    }, field("kind", name), field("device", device), field("contact", contact),
    field("since", since), field("until", until), field("text", text)),
    query: () => Object.fromEntries(Object.entries({
      name: name.value, device: device.value, contact: contact.value,
      since: microseconds(since.value), until: microseconds(until.value),
      text: text.value.trim(),
    }).filter(([, value]) => value !== "")),
  };
}

/** Of a moment in the browser's zone, µs since 1970; "" of none. */
function microseconds(written) {
  const moment = Date.parse(written);
  return Number.isFinite(moment) ? moment * 1000 : "";
}
