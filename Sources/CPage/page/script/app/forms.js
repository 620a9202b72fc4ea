/** Forms: each error stands at its field, where a screen reader hears it with the field. */

import { h, setAttribute, setText } from "../dom.js";
import { Problem } from "../api.js";
import { refusal } from "../texts.js";

let made = 0;

/** Why a request was refused; what is no refusal is a fault of this page, and stays one. */
export function problemText(problem) {
  if (!(problem instanceof Problem)) throw problem;
  return refusal(problem);
}

/**
 * A labelled input, with a hint and room for its error. `name` is that of the API's body, by which
 * a problem names it.
 */
export function field({ name, label, input, hint = null }) {
  const id = `field-${++made}`;
  const isCheck = input.type === "checkbox";
  const error = h("span", { class: "error", id: `${id}-error` });
  const help = hint ? h("span", { class: "hint faint", id: `${id}-hint` }, hint) : null;
  input.id = id;
  input.name = name;
  input.setAttribute("aria-describedby", [help?.id, error.id].filter(Boolean).join(" "));
  const title = h("label", { for: id }, label);
  return {
    name,
    input,
    element: isCheck
      ? h("div", { class: "field check" }, input, title, help, error)
      : h("div", { class: "field" }, title, help, input, error),
    fail(text) {
      setText(error, text);
      setAttribute(input, "aria-invalid", text ? "true" : null);
    },
  };
}

/** A button that is off says so, and keeps the focus: nobody loses their place when it goes off. */
export function setOff(button, isOff) {
  setAttribute(button, "aria-disabled", isOff ? "true" : null);
}

/** Whether a button is off. */
export const isOff = (button) => button.getAttribute("aria-disabled") === "true";

/** Shows a spinner in the button's place while `work` goes on; a second press does nothing. */
export async function busy(button, work) {
  button.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    button.removeAttribute("aria-busy");
  }
}

/** A button that does `work`, once at a time; what it is refused for goes to `refused(text)`. */
export function action({ label, kind = "", name = null, work, refused }) {
  const button = h("button", { type: "button", class: `spins ${kind}`, "aria-label": name }, label);
  button.addEventListener("click", async () => {
    if (isOff(button) || button.getAttribute("aria-busy")) return;
    refused?.("");
    try {
      await busy(button, work);
    } catch (problem) {
      refused(problemText(problem));
    }
  });
  return button;
}

/**
 * A form of `fields`. It is sent by its button or the Enter key where `isReady()`; what `send()` is
 * refused for is told at the field that it is about, else above the button. `places` names the
 * field of a refusal that names none itself, by its code. `send` may resolve to false: it was not
 * done, as the person wished; else `sent()` is called.
 *
 * Returns `{ element, button, update(), fail(problem), submit() }`; `update` looks again whether it
 * is ready, `submit` resolves to whether it was done.
 */
export function form({
  fields, content = fields.map((one) => one.element), label, others = [], send,
  isReady = () => true, places = {}, sent = () => {},
}) {
  const general = h("p", { class: "error general", role: "alert" });
  const button = h("button", { type: "submit", class: "spins main" }, label);
  const element = h("form", { novalidate: true }, content, general,
    h("div", { class: "buttons" }, button, others));

  const update = () => setOff(button, !isReady());
  const clear = () => {
    setText(general, "");
    for (const one of fields) one.fail("");
  };
  const fail = (problem) => {
    const text = problemText(problem);
    const part = places[problem.code] ?? /^\w+/.exec(problem.body.field ?? "")?.[0];
    const about = fields.find((one) => one.name === part);
    if (!about) return setText(general, text);
    about.fail(text);
    about.input.focus();
  };

  element.addEventListener("input", update);
  element.addEventListener("change", update);
  async function submit() {
    if (isOff(button) || button.getAttribute("aria-busy")) return false;
    clear();
    try {
      if (await busy(button, send) === false) return false;
      sent();
      return true;
    } catch (problem) {
      fail(problem);
      return false;
    }
  }
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  update();
  return { element, button, update, fail, submit };
}
