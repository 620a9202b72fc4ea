/** The bench: what a test engineer sees of all devices. It reads; an alarm does not lock it. */

import { h, setText } from "./dom.js";
import { ago, t } from "./texts.js";
import { follow, Model } from "./model.js";
import { Feed } from "./bench/feed.js";
import { devices } from "./bench/devices.js";
import { wire } from "./bench/wire.js";
import { WireLog } from "./bench/wirelog.js";
import { latency } from "./bench/latency.js";
import { conformance } from "./bench/conformance.js";
import { fetchDownloads } from "./download.js";
import { hand } from "./keychain/hand.js";

const model = new Model();
const feed = new Feed({ wire: true });
/** It listens from the beginning, whatever section is looked at. */
const log = new WireLog(feed);

/** The devices, and below them what they say: a row chosen there filters the log here. */
const overview = {
  name: "devices",
  title: "bench.overview",

  show(root, feed, signal) {
    root.append(h("h1", {}, t("bench.overview")));
    const [table, lines] = [h("section", {}), h("section", {})];
    root.append(table, lines);
    devices.show(table, feed, signal, { model, log });
    wire.show(lines, feed, signal, { log });
  },
};

/**
 * A section is `{ name, title, show(root, feed, signal) }`: it fills `root` once, its `h1` first,
 * and follows the feed until `signal` is aborted.
 */
const sections = [overview, latency, conformance];

const main = document.getElementById("main");
let shown = null;
let leaving = new AbortController();

function route() {
  const section = sections.find(({ name }) => location.hash === `#/${name}`) ?? overview;
  if (section === shown) return;
  const byHand = shown !== null;
  leaving.abort();
  leaving = new AbortController();
  shown = section;
  main.replaceChildren();
  document.title = `${t(section.title)} – ${t("app.name")}`;
  section.show(main, feed, leaving.signal);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${section.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!byHand) return;
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function header() {
  const links = sections.map((section) =>
    h("li", {}, h("a", { href: `#/${section.name}` }, t(section.title))));
  document.getElementById("header").append(
    h("a", { class: "name", href: "/" }, t("app.name")),
    h("nav", { "aria-label": t("app.views") }, h("ul", {}, links)),
    h("a", { class: "aside", href: "/" }, t("bench.back")));
  setText(document.getElementById("skip"), t("app.skip"));
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  document.getElementById("connection").setAttribute("aria-label", t("app.connection"));
}

/** Above the sections: the way in, that there is no bench, and that an alarm is open. */
function notices() {
  const notice = (level, text, link) => h("p", { class: `notice ${level}`, hidden: true },
    t(text), " ", link ? h("a", { href: "/" }, t(link)) : null);
  const login = notice("warning", "bench.loggedOut", "bench.logIn");
  const absent = notice("warning", "bench.absent");
  const alarm = notice("error", "bench.alarm", "bench.toAlarm");
  document.querySelector("#header nav").after(
    h("div", { class: "notices", role: "status" }, login, absent, alarm));
  follow(feed, ["connection"], undefined, () => {
    login.hidden = feed.connection !== "loggedOut";
    absent.hidden = feed.connection !== "absent";
  });
  follow(model, ["status", "connection"], undefined, () => {
    alarm.hidden = !model.status || model.status.state === "NO_EMERGENCY"
      || model.connection === "loggedOut";
  });
}

/** Says how old everything is, where it is old; the words are announced once, the age ticks. */
function tellConnection() {
  const bar = document.getElementById("connection");
  const isLost = model.connection === "lost" || feed.connection === "lost";
  const isOld = isLost || (model.connection === "live" && model.isStale);
  bar.hidden = !isOld;
  document.body.classList.toggle("stale", isOld || feed.connection === "loggedOut");
  if (!isOld) return;
  const [words, age] = bar.children;
  setText(words, t(isLost ? "connection.lost" : "connection.stale"));
  setText(age, model.status ? t("connection.age", { ago: ago(model.age) }) : "");
}

header();
fetchDownloads();
notices();
route();
const inHand = hand(document.getElementById("hand"), model, feed);
log.addEventListener("rows", () => inHand.choose(log.filter.device));
follow(feed, ["connection"], undefined, tellConnection);
follow(model, ["connection"], undefined, tellConnection);
setInterval(tellConnection, 1_000);
addEventListener("hashchange", route);
// Who has logged in elsewhere comes back.
addEventListener("focus", () => {
  if (feed.connection !== "loggedOut") return;
  model.start();
  feed.start();
});
model.start();
feed.start();
