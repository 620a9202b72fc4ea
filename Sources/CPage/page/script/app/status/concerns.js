/**
 * What keeps all from being good, the most urgent first, and the one thing to do about it: the
 * core's codes in the reader's words. "All good!" is said where there is none.
 */

import { hasText, t } from "../../texts.js";
import { rowWords } from "./lines.js";

/** While one of these holds, a press, a fall or a check-in may reach nobody. */
const exposing = new Set(["noAccount", "loggedOut", "noKeychain", "unproved", "link", "noContacts",
  "notSetUp", "notProtecting", "checkInsRaiseNothing"]);

/** Whether the owner is protected now, as far as the core knows. */
export function isProtected({ account, concerns, contacts, lines, unreachable }) {
  return account.isProtecting && unreachable.length < contacts
    && !concerns.some((code) => exposing.has(code))
    && !lines.some((line) => line.kind === "battery" && line.level === "error");
}

/**
 * Where each leads: to a view, to a new look, to protection, or to a mail; none where it cannot. A
 * check-in is answered above: what leads to it is `lesser`.
 */
const leads = {
  noAccount: { href: "#/settings" }, loggedOut: { href: "#/settings" },
  noKeychain: { href: "#/settings" }, noPIN: { href: "#/settings" },
  noContacts: { href: "#/contacts" }, unreachable: { href: "#/contacts" },
  unproved: { href: "#/settings" },
  noKey: { href: "#/settings" },
  link: { act: "check" }, battery: { act: "check" }, gps: { act: "check" },
  storage: { act: "check" }, damage: { href: "#/history" }, doubted: { act: "check" },
  notSetUp: { href: "#/settings" }, protectionLacks: { href: "#/settings" },
  checkIn: { href: "#/checkIns", lesser: true }, checkInsRaiseNothing: { act: "protect" },
  notProtecting: { act: "protect" }, unconfirmedEmail: { act: "confirm" },
};
/** Something answers there. */
const heard = new Set(["linkNotUnderstood", "linkUnproved"]);
/** These have their words in the row that is about them. */
const rows = { battery: "battery", gps: "gps", link: "link" };

/** `{ title, text, label, href?, act?, lesser? }` of a concern; `label` is what its button says. */
export function words(code, status) {
  const lead = leads[code] ?? { act: "check" };
  const label = t(hasText(`concern.${code}.do`) ? `concern.${code}.do` : "status.checkAgain");
  const row = status.lines.find((line) => line.kind === rows[code]);
  if (row) {
    const { text, advice } = rowWords(row, 0);
    // R2: none is there. What the line says of itself is the better advice.
    const said = code === "link" && !heard.has(row.code) && isMissing(status)
      ? {
        title: t("concern.link"),
        text: row.code === "linkClosed" ? advice : t("concern.link.text"),
      } : { title: text, text: advice };
    return row.code === "gpsNotAllowed"
      ? { ...said, href: "#/settings", label: t("settings.title") } : { ...said, ...lead, label };
  }
  if (!hasText(`concern.${code}`)) return { ...lead, label, title: code, text: "" };
  const said = {
    title: t(`concern.${code}`),
    text: t(`concern.${code}.text`, { count: status.unreachable.length }),
  };
  // Before protection can start, what it lacks is to be given.
  return lead.act === "protect" && status.account.missingForProtection.length > 0
    ? { ...said, href: "#/settings", label: t("settings.title") } : { ...said, ...lead, label };
}

const isMissing = ({ devices }) => !devices.some((device) => device.isLinked);
