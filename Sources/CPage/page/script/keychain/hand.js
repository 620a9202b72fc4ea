/** The emulated keychain in the owner's hand; nothing where the bench has none. */

import { h, keyed, setAttribute, setText } from "../dom.js";
import { t } from "../texts.js";
import { follow } from "../model.js";
import { Feed } from "../bench/feed.js";
import { battery, hasBattery, power } from "./controls.js";
import { drawing } from "./drawing.js";
import { faults } from "./faults.js";
import { control, finger, tie } from "./finger.js";
import { gps } from "./gps.js";
import { label } from "./label.js";
import { lamp } from "./lamp.js";
import { sayings } from "./sayings.js";

/** A keychain is asked how it is at least so often, and what it said is old after so long, ms. */
const askEvery = 5_000;
const staleAfter = 12_000;

/**
 * Shows in `root` the emulated keychains of the bench, one at a time, while `model` says that
 * someone is logged in. Its finger is the keychain's: what is held here is held there.
 * @param given the bench's feed where the document has one; else it has its own.
 * @returns {{choose: function(string), known: Promise}} takes another keychain into the hand;
 *   whether the bench has one is known.
 */
export function hand(root, model, given = null) {
  const feed = given ?? new Feed();
  const view = build(root);
  const tap = drawer(root);
  const lit = lamp(view.fob, view, feed);
  const news = sayings(view.said, feed);
  let device = null;
  let thumb = null;
  let learn = null;
  const known = new Promise((resolve) => { learn = resolve; });

  const ask = (request) => control(device, request).finally(() => feed.refreshState(device));
  const [charge, receiver, plug, line] = [battery(ask), gps(ask), power(ask), faults(ask)];
  const parts = [charge, receiver, plug, line];
  const tag = label();
  view.controls.prepend(...parts.map((part) => part.element), tag.element);

  const isStale = () => model.isStale || feed.connection !== "live"
    || performance.now() - (feed.keychain(device)?.stateAt ?? 0) > staleAfter;

  function choose(next) {
    if (next === device) return;
    thumb?.up();
    device = next;
    thumb = finger(next, (word, values) => {
      tell(view.answer, word, values);
      feed.refreshState(next);
      showPressed();
    });
    lit.hear(null);
    news.clear();
    setText(view.answer, "");
    receiver.map.set(feed.keychain(next)?.track?.fixes ?? []);
    show();
  }

  function showPressed() {
    const keychain = feed.keychain(device);
    const isHeld = keychain?.state.held ?? false;
    view.fob.setPressed(thumb?.isDown || isHeld);
    view.letGo.hidden = !isHeld || keychain.stateAt < thumb.restedAt + 500;
  }

  function show() {
    if (feed.bench || ["absent", "lost", "loggedOut"].includes(feed.connection)) learn();
    const keychains = feed.bench?.keychains ?? [];
    root.hidden = keychains.length === 0 || feed.connection === "loggedOut";
    tap.hidden = root.hidden;
    if (root.hidden) return;
    keyed(view.choice, keychains, (one) => one.device,
      (one) => h("option", { value: one.device }, t("hand.serial", one)));
    view.which.hidden = keychains.length < 2;
    const keychain = feed.keychain(device);
    if (!keychain) return choose(keychains[0].device);
    view.choice.value = device;
    const [{ state }, isOld] = [keychain, isStale()];
    root.classList.toggle("stale", isOld);
    lit.show(keychain, isOld);
    view.fob.setCharge(isOld || !state.powered || !hasBattery(state) ? null : state.battery);
    view.fob.setPower({ isPlugged: state.plugged, isPowered: state.powered });
    for (const part of parts) part.show(state);
    tag.of(keychain);
    showPressed();
  }

  function hear(event) {
    if (event.name === "shown") {
      lit.hear(event);
      return show();
    }
    news.add(event);
    feed.refreshState(device);
  }

  const ofThis = (take) => ({ detail }) => { if (detail.device === device) take(detail); };
  feed.addEventListener("keychain", ofThis(hear));
  feed.addEventListener("located", ofThis((fix) => receiver.map.add(fix)));
  follow(feed, ["bench", "shown", "connection"], undefined, show);
  feed.addEventListener("connection", () => {
    if (feed.connection === "loggedOut") model.refresh();
  });
  follow(model, ["connection"], undefined, () => {
    if (!given && model.connection === "loggedOut") feed.stop();
    else if (!given && model.connection === "live" && feed.connection !== "live") feed.start();
    show();
  });
  tie(view.fob.press, () => thumb);
  view.letGo.addEventListener("click", () => thumb.letGo());
  view.choice.addEventListener("change", async () => {
    const next = view.choice.value;
    await feed.refresh();
    choose(next);
  });
  setInterval(() => {
    if (device && feed.connection === "live") feed.refreshState(device);
  }, askEvery);
  setInterval(() => {
    if (root.hidden) return;
    receiver.map.tick(feed.now);
    if (root.classList.contains("stale") !== isStale()) show();
  }, 1_000);
  return { choose: (next) => { if (feed.keychain(next)) choose(next); }, known };
}

/**
 * The button that takes the keychain into the hand where there is no room beside the page: one tap
 * from anywhere, and one puts it away.
 */
function drawer(root) {
  const tap = h("button", {
    type: "button", class: "tap", "aria-expanded": "false", "aria-controls": root.id,
    hidden: true,
  }, t("hand.take"));
  tap.addEventListener("click", () => {
    const isOpen = root.classList.toggle("open");
    setAttribute(tap, "aria-expanded", isOpen);
    setText(tap, t(isOpen ? "hand.away" : "hand.take"));
  });
  root.before(tap);
  return tap;
}

/** What came of a press. */
function tell(answer, word, values = {}) {
  const { problem } = values;
  const reason = problem?.code === "unreachable" ? t("hand.unreachable") : problem?.message;
  setText(answer, t(`hand.${word}`, { ...values, reason }));
  setAttribute(answer, "class", problem ? "answer error" : "answer");
}

/** The parts, once; afterwards only their texts change. */
function build(root) {
  const fob = drawing();
  const choice = h("select", { id: "hand-choice" });
  const which = h("div", { class: "field", hidden: true },
    h("label", { for: "hand-choice" }, t("hand.which")), choice);
  const shown = h("p", { class: "shown reading", role: "status" });
  const sounder = h("p", { class: "reading sounder" });
  const source = h("p", { class: "faint source" });
  const answer = h("p", { class: "answer", role: "status" });
  const letGo = h("button", { type: "button", hidden: true }, t("hand.letGo"));
  const said = h("ol", { class: "said reading" });
  const controls = h("div", { class: "controls" },
    h("details", { class: "group" }, h("summary", {}, t("hand.said")), said));
  const chip = h("span", { class: "chip" }, t("hand.emulated"));
  root.classList.add("hand");
  root.setAttribute("aria-labelledby", "hand-title");
  root.append(h("div", { class: "card" },
    h("h2", { id: "hand-title" }, t("hand.title"), " ", chip),
    which, fob.element,
    h("div", { class: "words" }, shown, sounder, source), answer, letGo,
    h("p", { class: "faint hint" }, t("hand.hint")),
    controls));
  return { fob, choice, which, shown, sounder, source, answer, letGo, said, controls };
}
