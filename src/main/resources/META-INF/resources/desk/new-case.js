// The dialog that opens a new case.

import { button, make, setText } from "./dom.js";

/** @param {(title: string) => Promise<void>} create makes it and shows it */
export function newCaseDialog(words, create) {
  const title = make("input", {
    id: "case-title", name: "title", required: true, maxlength: "120", autocomplete: "off", dir: "auto",
  });
  const error = make("p", { class: "error", role: "alert" });
  const submit = make("button", { class: "main" }, words.say("open"));
  const dialog = make(
    "dialog",
    { "aria-labelledby": "new-case-title" },
    make(
      "form",
      { onsubmit: go },
      make("h2", { id: "new-case-title" }, words.say("newCase")),
      make("label", { for: "case-title" }, words.say("caseTitle")),
      title,
      error,
      make("div", { class: "tools" }, button(words.say("cancel"), () => dialog.close(), { class: "quiet" }), submit),
    ),
  );

  async function go(event) {
    event.preventDefault();
    if (!title.value.trim()) {
      return;
    }
    submit.disabled = true;
    try {
      await create(title.value.trim());
      dialog.close();
    } catch (failure) {
      setText(error, words.say("createFailed", { reason: failure.message }));
    }
    submit.disabled = false;
  }

  return {
    element: dialog,
    show() {
      title.value = "";
      setText(error, "");
      dialog.showModal();
      title.focus();
    },
  };
}

/** A name that nobody has. */
export function newRoomName() {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `case-${[...random].map((each) => each.toString(36)).join("")}`;
}
