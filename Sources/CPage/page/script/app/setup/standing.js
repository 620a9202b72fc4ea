/** Where the account stands: set-up goes on there. */

import { api } from "../../api.js";

/** The keychains that are plugged in. */
export const linked = (status) => status.devices.filter((one) => one.isLinked);

/** Whose a keychain is: a masked address (R11), or null where anybody may claim it. */
export async function ownerOf(device) {
  try {
    return (await api.get(`/v1/devices/${device}/claim`)).owner ?? null;
  } catch {
    return null;
  }
}

/** The name of the step that is next. */
export async function standing(status, memory) {
  const { account } = status;
  if (!account.exists) return memory.device ? "account" : "start";
  if (!account.isLoggedIn) return await claimedDevice(status, memory) ? "owner" : "start";
  if (!memory.isWithoutKeychain && !await hasKeychain()) return memory.device ? "claim" : "search";
  return account.hasPIN ? "people" : "pin";
}

/** R22: a keychain of the account that is plugged in asks "Is this you?". */
async function claimedDevice(status, memory) {
  if (memory.isBackAtStart) return null;
  for (const { device } of linked(status)) {
    if (await ownerOf(device)) {
      memory.device = device;
      return device;
    }
  }
  return null;
}

/** No list of keychains means every one, as on a bench. */
async function hasKeychain() {
  try {
    const { devices } = await api.get("/v1/account");
    return !devices || devices.length > 0;
  } catch {
    return false;
  }
}
