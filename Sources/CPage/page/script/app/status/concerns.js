/**
 * What keeps all from being good, the most urgent first, and the one thing to do about it: the
 * core's codes in the reader's words. "All good!" is said where there is none.
 */

import { hasText, t } from "../../texts.js";
import { rowWords } from "./lines.js";

/** By code; a core that does not tell them yet is asked for what it does tell. */
export function concernsOf(status) {
  return status.concerns ?? reckoned(status);
}

function reckoned({ account, contacts, devices, lines, storageFailure, unreachable }) {
  const isBad = (kind) => lines.some((line) => line.kind === kind && line.level !== "good");
  const found = {
    storage: Boolean(storageFailure),
    noAccount: !account.exists,
    loggedOut: account.exists && !account.isLoggedIn,
    noKeychain: !devices.some((device) => device.isOwned),
    link: isBad("link"),
    noContacts: contacts === 0,
    unreachable: unreachable.length > 0,
    battery: isBad("battery"),
    gps: isBad("gps"),
    notProtecting: !account.isProtecting,
    unconfirmedEmail: !account.isEmailConfirmed,
    noPIN: !account.hasPIN,
  };
  return Object.keys(found).filter((code) => found[code]);
}

/** While one of these holds, a press, a fall or a check-in may reach nobody. */
const exposing = new Set(["noAccount", "loggedOut", "noKeychain", "link", "noContacts",
  "notSetUp", "notProtecting"]);

/** Whether the owner is protected now, as far as the core knows. */
export function isProtected(status, codes) {
  const { account, contacts, lines, unreachable } = status;
  return account.isProtecting && unreachable.length < contacts
    && !codes.some((code) => exposing.has(code))
    && !lines.some((line) => line.kind === "battery" && line.level === "error");
}

/** Where each leads: to a view, to a new look, to protection, or to a mail; none where it cannot. */
const leads = {
  noAccount: { href: "#/settings" }, loggedOut: { href: "#/settings" },
  noKeychain: { href: "#/settings" }, noPIN: { href: "#/settings" },
  noContacts: { href: "#/contacts" }, unreachable: { href: "#/contacts" },
  link: { act: "check" }, battery: { act: "check" }, gps: { act: "check" },
  storage: { act: "check" }, damage: { href: "#/history" }, doubted: { act: "check" },
  notProtecting: { act: "protect" }, unconfirmedEmail: { act: "confirm" },
};
/** These have their words in the row that is about them. */
const rows = { battery: "battery", gps: "gps", link: "link" };

/** `{ title, text, label, href?, act? }` of a concern; `label` is what its button says. */
export function words(code, status) {
  const lead = leads[code] ?? { act: "check" };
  const label = t(hasText(`concern.${code}.do`) ? `concern.${code}.do` : "status.checkAgain");
  const row = status.lines.find((line) => line.kind === rows[code]);
  // R2: none is there.
  if (row && !(code === "link" && row.code !== "linkClosed" && isMissing(status))) {
    const { text, advice } = rowWords(row, 0);
    return { ...lead, label, title: text, text: advice };
  }
  if (!hasText(`concern.${code}`)) return { ...lead, label, title: code, text: "" };
  const said = {
    title: t(`concern.${code}`),
    text: t(`concern.${code}.text`, { count: status.unreachable.length }),
  };
  // Before protection can start, what it lacks is to be given.
  return code === "notProtecting" && status.account.missingForProtection.length > 0
    ? { ...said, href: "#/settings", label: t("settings.title") } : { ...said, ...lead, label };
}

const isMissing = ({ devices }) => !devices.some((device) => device.isLinked);
