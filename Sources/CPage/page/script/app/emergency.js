/**
 * The number to call for help: the account's country's, as the core says. Where no country is
 * known, 112, which works from most mobile phones, and the page says so.
 */

import { t } from "../texts.js";

const anywhere = "112";

/** `{ number, isKnown }` of a status, which may be null. */
export function emergency(status) {
  const { emergencyNumber, isEmergencyNumberKnown } = status?.account ?? {};
  return { number: emergencyNumber ?? anywhere, isKnown: isEmergencyNumberKnown === true };
}

/** That the number works from most mobile phones; empty where it is the country's own. */
export function worksFrom({ number, isKnown }) {
  return isKnown ? "" : t("emergency.works", { number });
}
