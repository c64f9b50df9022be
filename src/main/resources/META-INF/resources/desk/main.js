// The desk: begins here.

import { Postroom } from "../client/index.js";
import { Announcer } from "./announcer.js";
import { Api } from "./api.js";
import { CaseList } from "./list.js";
import { Cases } from "./cases.js";
import { ConnectionView } from "./connection-view.js";
import { Drafts } from "./drafts.js";
import { Identity } from "./identity.js";
import { Marks } from "./marks.js";
import { Talk } from "./talk.js";
import { Words, localeOf } from "./words.js";
import { arrange, button, make, once, setText } from "./dom.js";
import { mount } from "./drill.js";
import { newCaseDialog, newRoomName } from "./new-case.js";
import { signIn } from "./sign-in.js";

const words = new Words(localeOf(navigator.languages));
document.documentElement.lang = words.language;
const place = document.getElementById("desk");

/** @param {Identity | null} identity */
function begin(identity) {
  if (identity) {
    new Desk(identity);
    return;
  }
  const door = signIn(words, begin);
  place.replaceChildren(door.element);
  document.title = "Postroom";
  door.focus();
}

class Desk {
  #identity;
  #client;
  #api;
  #cases;
  #marks;
  #drafts;
  #announcer = new Announcer(words);
  #connection;
  /** What is wrong for good: read out when it comes, and stays. */
  #notice = make("p", { class: "notice", role: "status" });
  #list;
  #dialog;
  #body;
  #empty;
  #who;
  /** The drill panel, where the service has a fault mode. */
  #drill = null;
  /** @type {Talk | null} */
  #talk = null;
  #draw = once(() => this.#drawNow());
  #routed = () => this.#route();
  #leaving = (event) => this.#client.unsent > 0 && event.preventDefault();

  constructor(identity) {
    this.#identity = identity;
    const { participant } = identity;
    this.#marks = new Marks(participant, this.#draw);
    this.#drafts = new Drafts(participant);
    this.#client = new Postroom({ url: socketUrl(), token: () => identity.freshToken(), participant });
    this.#api = new Api(identity);
    this.#cases = new Cases(this.#client, this.#api, this.#marks, {
      changed: this.#draw,
      message: (entry, message) => this.#cameElsewhere(entry, message),
    });
    this.#list = new CaseList(words, this.#cases, () => this.#dialog.show());
    this.#connection = new ConnectionView(words, this.#client, () => this.#signInAgain());
    this.#dialog = newCaseDialog(words, (title) => this.#create(title));
    this.#client.on("state", () => {
      this.#connection.draw();
      this.#draw();
      if (this.#client.state.name === "online") {
        this.#cases.refresh();
      }
    });
    this.#client.on("error", (error) => this.#failed(error));
    this.#build();
    addEventListener("hashchange", this.#routed);
    addEventListener("beforeunload", this.#leaving);
    this.#route();
    this.#connection.draw();
  }

  #build() {
    this.#who = make("span", { class: "who", dir: "auto" });
    this.#empty = make(
      "main",
      { class: "talk empty" },
      make("div", {}, make("h2", {}, words.say("noCaseOpen")), make("p", {}, words.say("noCaseOpenHint"))),
    );
    const drill = make("aside", { id: "drill", class: "drill", hidden: true });
    const toggle = button(words.say("drill"), () => {
      drill.hidden = !drill.hidden;
      toggle.setAttribute("aria-expanded", String(!drill.hidden));
    }, { class: "quiet", hidden: true, "aria-controls": "drill", "aria-expanded": "false" });
    this.#mount(drill, toggle);
    this.#body = make("div", { class: "body" }, this.#list.element, this.#empty, drill);
    place.replaceChildren(
      make(
        "header",
        { class: "bar" },
        make("h1", {}, "Postroom"),
        this.#connection.element,
        this.#who,
        make("a", { href: "how", class: "how" }, words.say("how")),
        toggle,
        button(words.say("signOut"), () => this.#signOut(), { class: "quiet" }),
      ),
      this.#notice,
      this.#body,
      this.#dialog.element,
      this.#announcer.element,
    );
  }

  async #mount(drill, toggle) {
    // Whoever has a token of their own is not in a development run.
    const { language } = words;
    this.#drill = this.#identity.hasOwnToken ? null : await mount(drill, { client: this.#client, language });
    drill.hidden = true;
    toggle.hidden = !this.#drill;
    this.#drill?.show(this.#talk?.room ?? null);
  }

  #drawNow() {
    if (!this.#body.isConnected) {
      return; // somebody has signed out meanwhile
    }
    const name = this.#client.me?.name ?? this.#identity.name;
    setText(this.#who, name);
    const all = this.#cases.all;
    this.#list.draw(all, this.#talk?.name ?? null);
    this.#talk?.draw();
    const unread = all.reduce((sum, each) => sum + each.unread, 0);
    const title = this.#talk && this.#cases.get(this.#talk.name)?.title;
    document.title = `${unread > 0 ? `(${unread}) ` : ""}${title ? `${title} – ` : ""}Postroom`;
  }

  /** The case in the address is the open one, so that "back" of a phone goes back. */
  #route() {
    const name = roomOf(location.hash);
    if (name === (this.#talk?.name ?? null)) {
      return;
    }
    const before = this.#talk?.name;
    this.#talk?.close();
    this.#talk = name === null ? null : new Talk(this.#forTalk(), name);
    this.#drill?.show(this.#talk?.room ?? null);
    place.dataset.view = name === null ? "list" : "case";
    arrange(this.#body, [this.#list.element, this.#talk?.element ?? this.#empty, this.#body.lastChild]);
    this.#drawNow();
    if (this.#talk) {
      this.#talk.focus();
      this.#describe(name);
    } else if (before) {
      this.#list.focus(before);
    }
  }

  #forTalk() {
    return {
      words,
      client: this.#client,
      cases: this.#cases,
      marks: this.#marks,
      drafts: this.#drafts,
      announcer: this.#announcer,
      name: this.#identity.name,
      // A customer does not reply for anybody; an agent is asked before replying blindly.
      isGuarded: this.#identity.role !== "customer",
      looked: this.#draw,
      back: () => (location.hash = ""),
    };
  }

  #failed(error) {
    if (error.code === "storage") {
      setText(this.#notice, words.say("notKept"));
      console.warn(error);
    } else if (error.code !== "token") {
      // That no token is to be had is a state of the connection, and shown there.
      console.error(error);
    }
  }

  #cameElsewhere(entry, message) {
    if (entry.name !== this.#talk?.name) {
      this.#announcer.elsewhere(message, entry.listed.title ?? entry.name);
    }
  }

  async #create(title) {
    const made = await this.#api.create(newRoomName(), title);
    this.#cases.learn(made);
    location.hash = encodeURIComponent(made.room);
  }

  /** One that came by its address is not in the list yet. */
  async #describe(name) {
    try {
      this.#cases.learn(await this.#api.describe(name));
    } catch {
      // The room says by itself why it cannot be joined.
    }
  }

  #signInAgain() {
    if (this.#identity.hasOwnToken) {
      this.#signOut();
    } else {
      this.#client.reconnect();
    }
  }

  #signOut() {
    removeEventListener("hashchange", this.#routed);
    removeEventListener("beforeunload", this.#leaving);
    this.#talk?.close();
    this.#cases.close();
    this.#marks.close();
    this.#connection.close();
    this.#drill?.close();
    this.#client.close();
    Identity.forget();
    begin(null);
  }
}

function roomOf(hash) {
  try {
    const name = decodeURIComponent(hash.slice(1));
    return /^[A-Za-z0-9._:-]{1,128}$/.test(name) ? name : null;
  } catch {
    return null;
  }
}

function socketUrl() {
  const url = new URL("ws", document.baseURI);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

begin(Identity.kept());
