/**
 * The way in: the one-time code that fob prints, typed, or behind the "#" of a link. It also comes
 * back when the session is over; then it says what was true last, greyed.
 */

import { api } from "../api.js";
import { followedCode, keepKey } from "../session.js";
import { ago, refusal, t } from "../texts.js";
import { h, setAttribute, setText } from "../dom.js";
import { atTicks } from "../model.js";
import { loginByEmail } from "./login/email.js";
import { emergency } from "./emergency.js";

const codeLength = 8;

export const login = {
  name: "login",
  title: "login.title",

  show(root, model, signal) {
    const wasOpen = model.status && model.status.state !== "NO_EMERGENCY";
    const error = h("span", { class: "error", id: "code-error", role: "alert" });
    const input = h("input", {
      id: "code", name: "code", autocomplete: "off", autocapitalize: "characters",
      spellcheck: "false", required: true, maxlength: 20, class: "figures",
      "aria-describedby": "code-error code-where",
    });
    const button = h("button", { class: "main" }, t("login.button"));
    const refuse = (text) => {
      setText(error, text);
      setAttribute(input, "aria-invalid", "true");
      input.select();
      input.focus();
    };
    const submit = async (event) => {
      event.preventDefault();
      const code = input.value.replace(/[\s-]/g, "").toUpperCase();
      setText(error, "");
      if (code.length !== codeLength) return refuse(t("login.length", { count: codeLength }));
      if (button.getAttribute("aria-busy") === "true") return;
      button.setAttribute("aria-busy", "true");
      try {
        const { key } = await api.post("/v1/session", { code });
        keepKey(key);
        input.value = "";
        await model.start();
      } catch (problem) {
        refuse(words(problem));
      } finally {
        button.removeAttribute("aria-busy");
      }
    };
    const form = h("form", { class: "card", novalidate: true, on: { submit } },
      h("div", { class: "field" }, h("label", { for: "code" }, t("login.code")), input, error),
      h("p", { class: "faint", id: "code-where" }, t("login.where")),
      button);
    const follow = () => {
      const code = followedCode();
      if (!code) return;
      input.value = code;
      form.requestSubmit();
    };
    root.append(
      h("h1", {}, t(model.status ? "login.again" : "login.title")),
      ...(model.status ? [h("p", { role: "alert" }, t("login.over"))] : []),
      ...(wasOpen ? [h("p", { class: "error" }, t("login.alarm", emergency(model.status)))] : []),
      form, loginByEmail({ signal, entered: () => model.start() }),
      ...(model.status ? [lastKnown(model, signal)] : []));
    if (!matchMedia("(pointer: coarse)").matches) input.focus();
    // Whoever was in is not logged in anew by a link that was followed before.
    if (model.status) followedCode();
    follow();
    addEventListener("hashchange", follow, { signal });
  },
};

/** The API does not tell a wrong code from a used or an old one: that would help who guesses. */
function words(problem) {
  if (problem.code === "unreachable") return t("login.unreachable");
  if (problem.retryAfter) return t("login.wait", { count: problem.retryAfter });
  if (problem.code === "wrongCode") return t("login.wrong");
  return refusal(problem);
}

/** What stood here before, and how old it is: it may all be different by now. */
function lastKnown(model, signal) {
  const age = h("p", { class: "faint" });
  const { state, incident, summary, lines } = model.status;
  const hasMoved = state === "EMERGENCY_ENDED" && incident?.endReason === "moved";
  atTicks(model, signal, () => setText(age, t("login.age", { ago: ago(model.age) })));
  return h("section", { class: "card", id: "last-known", "aria-labelledby": "last-known-title" },
    h("h2", { id: "last-known-title" }, t("login.lastKnown")), age,
    h("div", { class: "reading" },
      h("p", {}, t(`state.${hasMoved ? "moved" : state}`)),
      h("p", {}, summary),
      h("ul", {}, lines.map((line) => h("li", {}, line.text)))));
}
