// What a page imports. The types stand in postroom.d.ts.
export { Postroom } from "./client.js";
export { PostroomError, UnauthorizedError } from "./errors.js";
export { IndexedDbStorage } from "./indexed-db.js";
export { MemoryStorage } from "./storage.js";
export { utf8Length } from "./text.js";
