// Who is there? By name in the default run, by a token of one's own elsewhere.

import { button, make, setText } from "./dom.js";
import { Identity, NoIssuer } from "./identity.js";

/** @param {(identity: Identity) => void} enter called once somebody is in */
export function signIn(words, enter) {
  const say = (key) => words.say(key);
  const name = make("input", { name: "name", id: "name", required: true, maxlength: "60", autocomplete: "off" });
  const token = make("textarea", {
    name: "token", id: "token", rows: "3", autocomplete: "off", spellcheck: "false", dir: "ltr",
  });
  const byName = make(
    "div",
    { class: "fields" },
    make("label", { for: "name" }, say("yourName")),
    name,
    make(
      "fieldset",
      {},
      make("legend", {}, say("youAre")),
      choice("agent", say("agent"), true),
      choice("customer", say("customer"), false),
    ),
  );
  const byToken = make(
    "div",
    { class: "fields", hidden: true },
    make("label", { for: "token" }, say("yourToken")),
    token,
    make("p", { class: "note" }, say("tokenNote")),
  );
  const error = make("p", { class: "error", role: "alert", id: "sign-in-error" });
  const submit = make("button", { class: "main" }, say("signIn"));
  const other = button(say("haveToken"), () => show(byToken.hidden), { class: "link" });
  const form = make(
    "form",
    { id: "sign-in", onsubmit: go },
    make("h1", {}, "Postroom"),
    make("p", { class: "lead" }, say("lead")),
    byName,
    byToken,
    error,
    submit,
    other,
  );

  function choice(value, label, isChecked) {
    return make(
      "label",
      { class: "choice" },
      make("input", { type: "radio", name: "role", value, checked: isChecked }),
      make("span", {}, label),
    );
  }

  function show(isToken) {
    byToken.hidden = !isToken;
    byName.hidden = isToken;
    name.required = !isToken;
    token.required = isToken;
    setText(other, say(isToken ? "haveName" : "haveToken"));
    (isToken ? token : name).focus();
  }

  async function go(event) {
    event.preventDefault();
    setText(error, "");
    const isToken = !byToken.hidden;
    const role = isToken ? "agent" : form.elements.role.value;
    const identity = isToken
      ? new Identity({ name: "", role }, token.value.trim())
      : new Identity({ name: name.value.trim(), role });
    submit.disabled = true;
    try {
      await identity.freshToken();
      identity.keep();
      enter(identity);
    } catch (failure) {
      if (failure instanceof NoIssuer) {
        show(true);
      }
      setText(error, failure instanceof NoIssuer
        ? say("noIssuer")
        : words.say(isToken ? "tokenBad" : "signInFailed", { reason: failure.message }));
    }
    submit.disabled = false;
  }

  return { element: make("main", { class: "door" }, form), focus: () => name.focus() };
}
