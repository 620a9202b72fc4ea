/** The app: what an owner sees. While an alarm is open nothing else is reachable (R36). */

import { api } from "./api.js";
import { chooseFormat } from "./clock.js";
import { h, setAttribute, setText, settled } from "./dom.js";
import { learnLanguage } from "./language.js";
import { ago, number, t } from "./texts.js";
import { atTicks, follow, Model } from "./model.js";
import { status } from "./app/status.js";
import { alarm } from "./app/alarm.js";
import { fetchDownloads } from "./download.js";
import { notify } from "./app/notify.js";
import { hasUnsaved, onWay } from "./app/unsaved.js";
import { hand } from "./keychain/hand.js";

/**
 * A view is `{ name, title, show(root, model, signal) }`: it fills `root` once and follows the
 * model until `signal` is aborted. It moves the focus to its heading itself only where a person
 * asked for it. One that has parts has `go()`, too: the address may lead to another of them. What
 * an alarm shows is there from the first moment; the others are fetched when they are first wanted.
 */
const views = { status, alarm };
const later = {
  login: () => import("./app/login.js"), setup: () => import("./app/setup.js"),
  contacts: () => import("./app/contacts.js"), settings: () => import("./app/settings.js"),
  history: () => import("./app/history.js"), checkIns: () => import("./app/check-ins.js"),
  calm: () => import("./app/calm.js"),
  review: () => import("./app/review.js"),
};
/** In the header, in this order. */
const reachable = ["status", "checkIns", "calm", "contacts", "settings", "history", "review"];

/** So long a view waits for what would move it, ms; an alarm waits for nothing. */
const patience = 3_000;

const model = new Model();
const main = document.getElementById("main");
const badge = h("span", { class: "badge", hidden: true },
  h("span", { "aria-hidden": "true" }), h("span", { class: "visually-hidden" }));
const always = new AbortController().signal;
/** It is known whether a keychain lies beside the page: the first view is as wide as it stays. */
let isLaidOut = false;
let shown = null;
let leaving = new AbortController();

/** Which view is to be seen now: by what is true first, by the address second (R22). */
function wanted() {
  const now = model.status;
  if (model.connection === "loggedOut") return "login";
  // What is being asked for is not guessed at from what was true before.
  if (!now || model.connection === "connecting") return null;
  if (now.state !== "NO_EMERGENCY") return "alarm";
  if (!now.account.exists || !now.account.isSetUp || !now.account.isLoggedIn) return "setup";
  const [name] = location.hash.slice(2).split("/");
  return reachable.includes(name) ? name : "status";
}

function route() {
  const name = wanted();
  if (!name) return;
  if (!shown && !isLaidOut && !["alarm", "login"].includes(name)) return;
  // Neither the back button nor a typed address leads out of an alarm.
  if (name === "alarm" && location.hash !== "#/alarm") {
    window.history.replaceState(null, "", "#/alarm");
  }
  if (name in views) return show(views[name]);
  // Where it cannot be fetched, the next status asks again.
  later[name]().then((module) => {
    views[name] = module[name];
    if (wanted() === name) show(views[name]);
  }, () => {});
}

function show(view) {
  if (view === shown) return view.go?.();
  const wasShown = shown !== null;
  leaving.abort();
  leaving = new AbortController();
  shown = view;
  // A dialog of what was there would keep an alarm out of reach.
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  main.replaceChildren();
  main.parentElement.hidden = false;
  entitle();
  view.show(main, model, leaving.signal);
  mark(view);
  if (!wasShown) return;
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** R99: how many check-ins can be answered, in the title and beside their view's name. */
function entitle() {
  const { inTime, overdue } = model.status?.checkIns ?? { inTime: 0, overdue: 0 };
  const count = inTime + overdue;
  setText(badge.firstChild, number(count));
  setText(badge.lastChild, t("app.toAnswer", { count }));
  badge.hidden = count === 0;
  // An alarm's title says how it stands.
  if (!shown || shown === alarm) return;
  const title = `${t(shown.title)} – ${t("app.name")}`;
  document.title = count > 0 ? `(${count}) ${title}` : title;
}

/** Speaks as the account does, once nothing that is written or asked is lost by it. */
function speak() {
  const { isSetUp, isLoggedIn, language } = model.status?.account ?? {};
  if (!isSetUp || !isLoggedIn || hasUnsaved() || document.querySelector("dialog[open]")) return;
  if (learnLanguage(language)) location.reload();
}

/** R112: how times are written, as the core's settings say. */
async function learnFormat() {
  if (model.connection !== "live" || !model.status.account.isLoggedIn) return;
  try {
    chooseFormat(await api.get("/v1/check-ins/settings"));
  } catch {
    // As it was known before.
  }
}

/** The header shows where one is, and leads nowhere else during an alarm. */
function mark(view) {
  for (const link of document.querySelectorAll("#navigation a")) {
    setAttribute(link, "aria-current", link.hash === `#/${view.name}` ? "page" : null);
  }
  document.getElementById("navigation").hidden = !reachable.includes(view.name);
  document.getElementById("bench").hidden = view === alarm;
  document.body.classList.toggle("alarm", view === alarm);
  setAttribute(document.getElementById("icon"), "href",
    view === alarm ? "/page/icon-alarm.svg" : "/page/icon.svg");
}

function header() {
  const links = reachable.map((name) =>
    h("li", {}, h("a", { href: `#/${name}` }, t(`${name}.title`),
      name === "checkIns" ? [" ", badge] : null)));
  document.getElementById("header").append(
    h("a", { class: "name", href: "#/status" }, t("app.name")),
    h("nav", { id: "navigation", "aria-label": t("app.views"), hidden: true }, h("ul", {}, links)),
    h("a", { class: "aside", id: "bench", href: "/bench" }, t("app.bench")));
  setText(document.getElementById("skip"), t("app.skip"));
  setAttribute(document.getElementById("connection"), "aria-label", t("app.connection"));
}

/** Says how old everything is, where it is old; the words are announced once, the age ticks. */
function tellConnection() {
  const bar = document.getElementById("connection");
  document.body.classList.toggle("stale", model.isStale);
  bar.hidden = !model.isStale || ["connecting", "loggedOut"].includes(model.connection);
  if (bar.hidden) return;
  const [words, age] = bar.children;
  setText(words, t(model.connection === "lost" ? "connection.lost" : "connection.stale"));
  setText(age, model.status ? t("connection.age", { ago: ago(model.age) }) : "");
}

header();
follow(model, ["status", "connection"], always, route);
follow(model, ["status"], always, entitle);
follow(model, ["status"], always, speak);
follow(model, ["connection"], always, learnFormat);
model.addEventListener("line", ({ detail }) => {
  if (detail.name === "checkInSettingsChanged") learnFormat();
});
atTicks(model, always, tellConnection);
// An alarm leaves what is written behind, and asks nothing (R36).
onWay(() => model.status?.state !== "NO_EMERGENCY", route);
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
fetchDownloads();
notify(model);
const beside = hand(document.getElementById("hand"), model);
settled([beside.known], patience).then(() => {
  isLaidOut = true;
  route();
});
model.start();
