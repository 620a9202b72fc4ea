/** The emulated keychain in the owner's hand; nothing where the bench has none. */

import { h, keyed, setAttribute, setText } from "../dom.js";
import { hasText, preciseTimeOfDay, t, timeOfDay } from "../texts.js";
import { follow } from "../model.js";
import { Feed } from "../bench/feed.js";
import { battery, power } from "./controls.js";
import { drawing } from "./drawing.js";
import { faults } from "./faults.js";
import { control, finger, tie } from "./finger.js";
import { gps } from "./gps.js";
import { light, patternOf } from "./light.js";
import { nameOfShown } from "./shown.js";

/** A keychain is asked how it is at least so often, and what it said is old after so long, ms. */
const askEvery = 5_000;
const staleAfter = 12_000;
const mostSaid = 5;

/**
 * Shows in `root` the emulated keychains of the bench, one at a time, while `model` says that someone
 * is logged in. Its finger is the keychain's: what is held here is held there.
 * @param given the bench's feed where the document has one; else it has its own.
 * @returns {{choose: function(string)}} takes another keychain into the hand.
 */
export function hand(root, model, given = null) {
  const feed = given ?? new Feed();
  const view = build(root);
  let device = null;
  let thumb = null;
  /** What the firmware says of its light, as it goes through no line. */
  let own = null;
  let said = [];

  const ask = (request) => control(device, request).finally(() => feed.refreshState(device));
  const parts = [battery(ask), gps(ask), power(ask), faults(ask)];
  const place = parts[1].map;
  view.controls.append(...parts.map((part) => part.element));
  const lamp = light((state) => view.fob.setLight(state));
  tie(view.fob.press, () => thumb);

  view.choice.addEventListener("change", async () => {
    await feed.refresh();
    choose(view.choice.value);
  });
  view.letGo.addEventListener("click", () => thumb.letGo());

  function choose(next) {
    if (next === device) return;
    thumb?.up();
    device = next;
    own = null;
    said = [];
    thumb = next && finger(next, (word, values) => {
      hear(word, values);
      feed.refreshState(next);
      showPressed();
    });
    setText(view.answer, "");
    place.set(feed.keychain(next)?.track?.fixes ?? []);
    show();
  }

  function hear(word, values = {}) {
    const problem = values.problem;
    const reason = problem?.code === "unreachable" ? t("hand.unreachable") : problem?.message;
    setText(view.answer, t(`hand.${word}`, { ...values, reason }));
    setAttribute(view.answer, "class", problem ? "answer error" : "answer");
  }

  const isStale = () => model.isStale || feed.connection !== "live"
    || performance.now() - (feed.keychain(device)?.stateAt ?? 0) > staleAfter;

  function showPressed() {
    const keychain = feed.keychain(device);
    const isHeld = keychain?.state.held ?? false;
    view.fob.setPressed(thumb?.isDown || isHeld);
    view.letGo.hidden = !isHeld || keychain.stateAt < thumb.restedAt + 500;
  }

  /** LED_STATE says it, as the host hears it; unplugged, the keychain alone knows what it shows. */
  function showLight(state, isOld) {
    const heard = state.linked ? feed.shown.get(device) : null;
    const word = heard ?? (own ?? { shown: state.shown ?? null, sounder: state.sounder });
    const detail = own && own.shown === word.shown ? own.detail : state.detail;
    const name = !state.powered ? null : word.shown;
    setText(view.shown, name === null ? t("hand.dark") : nameOfShown(name));
    setText(view.sounder, t(state.powered && word.sounder ? "hand.sounder.on" : "hand.sounder.off"));
    setText(view.source, isOld
      ? t("hand.notKnownSince", { time: timeOfDay(feed.wallOf(feed.now)
        - (performance.now() - feed.keychain(device).stateAt) * 1000) })
      : !state.powered ? "" : t(heard ? "hand.heard" : state.linked ? "hand.own" : "hand.unheard"));
    if (isOld) return lamp.play("", null, 0);
    if (name === null) return lamp.play("off", { steps: [{ on: false, ms: 0 }], repeats: false }, 0);
    const pattern = patternOf(feed.bench.patterns, name, detail ?? 0);
    const begun = word.at ? feed.pageTimeOf(word.at) : performance.now();
    lamp.play(pattern ? `${name} ${pattern.steps.length} ${pattern.steps[1]?.ms}` : "",
      pattern, begun);
  }

  function show() {
    const keychains = feed.bench?.keychains ?? [];
    root.hidden = keychains.length === 0 || feed.connection === "loggedOut";
    if (root.hidden) return;
    keyed(view.choice, keychains, (one) => one.device,
      (one) => h("option", { value: one.device }, t("hand.serial", one)));
    view.which.hidden = keychains.length < 2;
    const keychain = feed.keychain(device);
    if (!keychain) return choose(keychains[0].device);
    view.choice.value = device;
    const isOld = isStale();
    root.classList.toggle("stale", isOld);
    const { state } = keychain;
    showLight(state, isOld);
    view.fob.setCharge(isOld || !state.powered ? null : state.battery);
    view.fob.setPower({ isPlugged: state.plugged, isPowered: state.powered });
    for (const part of parts) part.show(state);
    showPressed();
  }

  function note(event) {
    if (event.name === "shown") {
      // A state that is said again is none that begins.
      if (own?.shown !== event.shown || own.detail !== event.detail) own = event;
      else own.sounder = event.sounder;
      return show();
    }
    feed.refreshState(device);
    if (!hasText(`hand.news.${event.name}`)) return;
    said = [event, ...said].slice(0, mostSaid);
    keyed(view.said, said, (one) => `${one.at} ${one.name}`, (one) => h("li", {},
      h("span", { class: "figures faint" }, preciseTimeOfDay(feed.wallOf(one.at))), " ",
      t(`hand.news.${one.name}`, {
        ...one, kind: nameOf("hand.event", one.kind), cause: nameOf("hand.cause", one.cause),
      })));
  }

  feed.addEventListener("keychain", ({ detail }) => { if (detail.device === device) note(detail); });
  feed.addEventListener("located", ({ detail }) => { if (detail.device === device) place.add(detail); });
  follow(feed, ["bench", "shown", "connection"], undefined, show);
  follow(model, ["connection"], undefined, () => {
    if (given) return show();
    if (model.connection === "loggedOut") feed.stop();
    else if (model.connection === "live" && feed.connection !== "live") feed.start();
    show();
  });
  setInterval(() => {
    if (device && feed.connection === "live") feed.refreshState(device);
  }, askEvery);
  setInterval(() => {
    if (root.hidden) return;
    place.tick(feed.now);
    if (root.classList.contains("stale") !== isStale()) show();
  }, 1_000);
  return { choose: (next) => { if (feed.keychain(next)) choose(next); } };
}

/** The word for a kind or cause; itself where there is none. */
function nameOf(group, name) {
  const text = `${group}.${name}`;
  return hasText(text) ? t(text) : name;
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
  const controls = h("div", { class: "controls" });
  root.classList.add("hand");
  root.setAttribute("aria-labelledby", "hand-title");
  root.append(h("div", { class: "card" },
    h("h2", { id: "hand-title" }, t("hand.title"), " ", h("span", { class: "chip" }, t("hand.emulated"))),
    which, fob.element,
    h("div", { class: "words" }, shown, sounder, source), answer, letGo,
    h("p", { class: "faint hint" }, t("hand.hint")),
    controls,
    h("details", { class: "group" }, h("summary", {}, t("hand.said")), said)));
  return { fob, choice, which, shown, sounder, source, answer, letGo, said, controls };
}
