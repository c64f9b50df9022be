// The page: shows a Room and lets people try to break it. Strangers' text goes into the page as
// textContent only.
import { Room } from "./postroom-room.js";

const TRACE_LINES = 200;

const element = (id) => document.getElementById(id);
const bubbles = new Map();
let room = null;
let drawing = false;

element("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, room: roomName, token } = Object.fromEntries(new FormData(event.target));
  let kept = null;
  const getToken = async () => {
    const fresh = token || kept || (await developmentToken(name.trim()));
    kept = null;
    return fresh;
  };
  try {
    kept = await getToken(); // people are told here, and not by a socket that closes
  } catch (failure) {
    element("sign-in-error").textContent = failure.message;
    return;
  }
  enter(roomName, getToken);
});

element("send-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = event.target.elements.text;
  if (field.value) {
    room.send(field.value);
    field.value = "";
  }
});

element("send-form").elements.text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
});

element("cut").addEventListener("click", () => room.cut());
element("earlier").addEventListener("click", () => room.loadEarlier());
addEventListener("online", () => room?.hurry());
addEventListener("visibilitychange", () => document.hidden || room?.hurry());
addEventListener("beforeunload", (event) => {
  if (room?.pending.length) {
    event.preventDefault();
  }
});

/** A token from the development issuer, which the default run has. */
async function developmentToken(name) {
  const answer = await fetch("dev/tokens", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ participant: name.toLowerCase(), name }),
  });
  if (answer.status === 404) {
    throw new Error("This service hands out no tokens by name. Bring a token of your own.");
  }
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail ?? `No token (HTTP ${answer.status}). Try again.`);
  }
  return (await answer.json()).token;
}

function enter(roomName, getToken) {
  const url = new URL("ws", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  room = new Room({ url: url.href, room: roomName, getToken, changed: draw, traced: trace });
  element("sign-in").hidden = true;
  element("chat").hidden = false;
  element("room-name").textContent = roomName;
  room.start();
  element("send-form").elements.text.focus();
}

/** Draws once for all that changed in one go. */
function draw() {
  if (!drawing) {
    drawing = true;
    queueMicrotask(() => {
      drawing = false;
      drawHead();
      drawMessages();
    });
  }
}

function drawHead() {
  const { state, reason, me, cursor, pending } = room;
  document.title = `${me?.name ?? ""} – ${room.name} – Postroom`;
  element("my-name").textContent = me ? `${me.name} (${me.id})` : "…";
  element("state").dataset.state = state;
  element("state").textContent = reason ? `${state}: ${reason}` : state;
  element("cursor").textContent = cursor ? `${cursor.epoch} / ${cursor.after}` : "none";
  element("pending").textContent = pending.length;
  element("cut").disabled = state !== "live";
  element("earlier").hidden = !room.earlier;
}

function drawMessages() {
  const scroll = element("scroll");
  const atEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 60;
  const shown = new Set();
  const lines = room.messages.map((message) => bubble(message, shown));
  // Commands whose message is not in view yet; refused ones stay where people see them.
  const open = new Map(room.pending.map((command) => [command.clientMessageId, command]));
  for (const [clientMessageId, [first]] of room.answers) {
    if (first.type === "error" && !open.has(clientMessageId)) {
      open.set(clientMessageId, { clientMessageId, text: first.text });
    }
  }
  for (const command of open.values()) {
    if (!shown.has(command.clientMessageId)) {
      lines.push(bubble({ ...command, author: room.me ?? { id: "", name: "" } }, shown));
    }
  }
  const list = element("messages");
  lines.forEach((line, at) => {
    if (list.children[at] !== line) {
      list.insertBefore(line, list.children[at] ?? null);
    }
  });
  while (list.children.length > lines.length) {
    list.lastChild.remove();
  }
  if (atEnd) {
    scroll.scrollTop = scroll.scrollHeight;
  }
}

/** One bubble for one command or message, in whichever order its command, ack and event come. */
function bubble(message, shown) {
  const own = !room.me || message.author.id === room.me.id;
  const key = own ? `own ${message.clientMessageId}` : message.messageId;
  let line = bubbles.get(key);
  if (!line) {
    line = emptyBubble(own);
    bubbles.set(key, line);
  }
  line.dataset.seq = message.seq ?? "";
  line.querySelector(".author").textContent = message.author.name;
  line.querySelector(".text").textContent = message.text;
  line.querySelector(".number").textContent = message.seq ? `#${message.seq} · ${time(message)}` : "";
  if (own) {
    shown.add(message.clientMessageId);
    drawAnswers(line, message);
  }
  return line;
}

function emptyBubble(own) {
  const line = document.createElement("li");
  line.classList.toggle("own", own);
  const text = part(line, "p", "text");
  text.dir = "auto";
  text.before(part(line, "div", "author"));
  part(line, "p", "note number");
  if (own) {
    part(line, "div", "answers");
  }
  return line;
}

function drawAnswers(line, message) {
  const { clientMessageId, text } = message;
  const waiting = room.pending.filter((each) => each.clientMessageId === clientMessageId);
  const answers = room.answers.get(clientMessageId) ?? [];
  const state = JSON.stringify([message.seq, answers.length, waiting.map(progress)]);
  if (line.dataset.state === state) {
    return; // the buttons keep their focus
  }
  line.dataset.state = state;
  const box = line.querySelector(".answers");
  box.replaceChildren();
  for (const answer of answers) {
    const refused = answer.type === "error";
    part(box, "p", refused ? "note bad answer" : "note answer").textContent = refused
      ? `${answer.code}${answer.seq ? ` (it is #${answer.seq})` : ""}: ${answer.message}`
      : `ack #${answer.seq}${answer.duplicate ? " · duplicate" : ""}`;
  }
  for (const command of waiting) {
    part(box, "p", "note").textContent = progress(command);
  }
  line.classList.toggle("open", !message.seq);
  line.classList.toggle("refused", !message.seq && answers[0]?.type === "error");
  if (message.seq && !waiting.length) {
    const tools = part(box, "div", "tools");
    tool(tools, "Send again, same id", () => room.send(text, clientMessageId));
    tool(tools, "Same id, other text", () => room.send(`${text} (edited)`, clientMessageId));
  }
}

function progress({ inFlight, tries }) {
  return !inFlight ? "waiting …" : tries > 1 ? `try ${tries} …` : "sending …";
}

function tool(parent, label, act) {
  const button = part(parent, "button", "");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", act);
}

function part(parent, name, classes) {
  const child = document.createElement(name);
  child.className = classes;
  parent.append(child);
  return child;
}

function time({ acceptedAt }) {
  return new Date(acceptedAt).toLocaleTimeString();
}

function trace(direction, frame) {
  const list = element("trace");
  const line = document.createElement("li");
  line.textContent = `${direction === "in" ? "←" : "→"} ${JSON.stringify(frame)}`;
  list.prepend(line);
  if (list.children.length > TRACE_LINES) {
    list.lastChild.remove();
  }
}
