/** The app: what an owner sees. While an alarm is open nothing else is reachable (R36). */

import { h, setText } from "./dom.js";
import { ago, t } from "./texts.js";
import { follow, Model } from "./model.js";
import { login } from "./app/login.js";
import { setup } from "./app/setup.js";
import { status } from "./app/status.js";
import { alarm } from "./app/alarm.js";
import { contacts } from "./app/contacts.js";
import { settings } from "./app/settings.js";
import { history } from "./app/history.js";
import { hand } from "./keychain/hand.js";

/**
 * A view is `{ name, title, show(root, model, signal) }`: it fills `root` once and follows the model
 * until `signal` is aborted. It moves the focus to its heading itself only where a person asked for it.
 */
const views = { status, contacts, settings, history };

const model = new Model();
const main = document.getElementById("main");
let shown = null;
let leaving = new AbortController();

/** Which view is to be seen now: by what is true first, by the address second. */
function wanted() {
  const now = model.status;
  if (model.connection === "loggedOut") return login;
  if (!now) return null;
  if (now.state !== "NO_EMERGENCY") return alarm;
  if (!now.account.exists || !now.account.isSetUp || !now.account.isLoggedIn) return setup;
  return views[location.hash.slice(2)] ?? status;
}

function route() {
  const view = wanted();
  if (!view || view === shown) return;
  const byHand = shown !== null;
  leaving.abort();
  leaving = new AbortController();
  shown = view;
  main.replaceChildren();
  document.title = `${t(view.title)} – ${t("app.name")}`;
  view.show(main, model, leaving.signal);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${view.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.getElementById("navigation").hidden = !(view.name in views);
  if (byHand) main.focus({ preventScroll: true });
}

function header() {
  const links = Object.values(views).map((view) =>
    h("li", {}, h("a", { href: `#/${view.name}` }, t(view.title))));
  document.getElementById("header").append(
    h("a", { class: "name", href: "#/status" }, t("app.name")),
    h("nav", { id: "navigation", "aria-label": t("app.name"), hidden: true }, h("ul", {}, links)),
    h("a", { class: "aside", href: "/bench" }, t("app.bench")));
  setText(document.getElementById("skip"), t("app.skip"));
}

/** Says how old everything is, where it is old. */
function tellConnection() {
  const bar = document.getElementById("connection");
  const isOld = model.isStale && model.connection !== "loggedOut" && model.connection !== "connecting";
  bar.hidden = !isOld;
  document.body.classList.toggle("stale", isOld);
  if (!isOld) return;
  const name = model.connection === "lost" ? "connection.lost" : "connection.stale";
  setText(bar, model.status ? t(name, { ago: ago(model.age) }) : t("problem.unreachable"));
}

header();
follow(model, ["status", "connection"], undefined, route);
follow(model, ["connection"], undefined, tellConnection);
setInterval(tellConnection, 1_000);
addEventListener("hashchange", route);
hand(document.getElementById("hand"), model);
model.start();
