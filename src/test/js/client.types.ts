// Compiled, never run: the hand-written types of the client and its sources say the same.
import type * as declared from "../../main/resources/META-INF/resources/client/postroom.d.ts";
import * as source from "../../main/resources/META-INF/resources/client/index.js";
import { Command } from "../../main/resources/META-INF/resources/client/command.js";
import { Room } from "../../main/resources/META-INF/resources/client/room.js";

/** What is exported does at least what is declared … */
const all: typeof declared = source;

/** … and nothing public is left undeclared. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
const exported: Same<keyof typeof source, keyof typeof declared> = true;
const client: Same<keyof source.Postroom, keyof declared.Postroom> = true;
const room: Same<keyof Room, keyof declared.Room> = true;
const command: Same<keyof Command, keyof declared.Command> = true;
const storage: Same<keyof source.IndexedDbStorage, keyof declared.IndexedDbStorage> = true;

export { all, client, command, exported, room, storage };
