/** The account's keychains: one is let go of, another is taken (R4, R21). The person stays here. */

import { ask, h, keyed, setText } from "../../dom.js";
import { api } from "../../api.js";
import { follow } from "../../model.js";
import { t } from "../../texts.js";
import { action } from "../forms.js";
import { isToBePaired, pairKeychain, pairingWords, unpairKeychain } from "../pairing.js";

/** The card with a row for each keychain that is the account's, or plugged in. */
export function keychainsPart({ model, account, hold, signal }) {
  const isEvery = !account.devices;
  const none = h("p", { class: "warning" }, t("keychain.none"));
  const refused = h("p", { class: "error general", role: "alert" });
  const said = h("p", { role: "status" });
  const list = h("ul", { class: "keychains" });
  const heading = h("h2", { tabindex: -1 }, t("settings.keychains"));
  const refuse = (text) => setText(refused, text);
  const rows = new WeakMap();

  const isRemote = (device) =>
    model.status.devices.find((one) => one.device === device)?.isRemote ?? false;

  function makeRow({ device }) {
    const state = h("span", { class: "faint reading" });
    const disconnect = action({
      label: t("keychain.disconnect"), name: t("keychain.disconnect.name", { device }),
      refused: refuse, work: () => letGo(device),
    });
    const connect = action({
      label: t("keychain.connect"), name: t("keychain.connect.name", { device }),
      refused: refuse, work: () => take(device),
    });
    const pair = action({
      label: t("pairing.begin"), name: t("pairing.begin.name", { device }), refused: refuse,
      work: () => withKey(async () => {
        const isPaired = await pairKeychain({
          device, isRemote: isRemote(device), pin: hold.pin,
        });
        return isPaired ? t("pairing.done", { device }) : null;
      }),
    });
    const unpair = action({
      label: t("pairing.end"), name: t("pairing.end.name", { device }), refused: refuse,
      work: () => withKey(() => unpairKeychain({ device, pin: hold.pin })),
    });
    const row = h("li", {}, h("div", { class: "who" },
      h("span", { class: "name figures" }, t("keychain.named", { device })), state),
    h("div", { class: "buttons" }, pair, unpair, disconnect, connect));
    rows.set(row, { state, pair, unpair, disconnect, connect });
    return row;
  }

  function update(row, keychain) {
    const { isOwned, isLinked, isPaired } = keychain;
    const { state, pair, unpair, disconnect, connect } = rows.get(row);
    setText(state, [
      t(isLinked ? "keychain.linked" : "keychain.unlinked"),
      isOwned ? "" : t("keychain.unclaimed"), pairingWords(keychain),
    ].filter(Boolean).join(" · "));
    disconnect.hidden = isEvery || !isOwned;
    connect.hidden = isOwned;
    // One that does not prove its key counts as not linked, and can be paired anew.
    pair.hidden = !isOwned || !(isLinked || isPaired);
    unpair.hidden = !isPaired;
  }

  /** Does something about a key, and says what came of it; null: nothing. */
  async function withKey(work) {
    try {
      const words = await work();
      if (words === null) return;
      await model.refresh();
      setText(said, words);
      heading.focus();
    } catch (problem) {
      if (problem.code !== "wrongPIN") throw problem;
      hold.lock(t("settings.pinChanged"));
    }
  }

  async function take(device) {
    await api.put(`/v1/devices/${device}/claim`);
    await model.refresh();
    setText(said, t("keychain.connected", { device }));
    heading.focus();
    // The next step: who holds it in the hand can pair it now.
    const taken = model.status.devices.find((one) => one.device === device);
    if (!taken || !isToBePaired(taken)) return;
    await withKey(async () => {
      const isPaired = await pairKeychain({
        device, isRemote: taken.isRemote, pin: hold.pin,
      });
      return isPaired ? t("pairing.done", { device }) : null;
    });
  }

  async function letGo(device) {
    const wish = await ask({
      title: t("keychain.disconnect.ask"), text: t("keychain.disconnect.text"),
      buttons: [
        { label: t("button.cancel") },
        { label: t("keychain.disconnect"), value: "disconnect", kind: "danger" },
      ],
    });
    if (wish !== "disconnect") return;
    try {
      await api.delete(`/v1/devices/${device}/claim`, { pin: hold.pin });
    } catch (problem) {
      if (problem.code === "wrongPIN") return hold.lock(t("settings.pinChanged"));
      throw problem;
    }
    await model.refresh();
    setText(said, t("keychain.disconnected", { device }));
    heading.focus();
  }

  follow(model, ["status"], signal, () => {
    const { devices } = model.status;
    none.hidden = devices.some((one) => one.isOwned);
    keyed(list, devices, (one) => one.device, makeRow, update);
  });
  return h("section", { class: "card" }, heading,
    isEvery ? h("p", {}, t("keychain.every")) : null, none, list, refused, said);
}
