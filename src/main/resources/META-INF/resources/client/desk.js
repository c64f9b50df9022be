// What a room needs of the client that it belongs to. Types only.

export {};

/** @import {Clock, Limits} from "./postroom.d.ts" */
/** @import {Keeper} from "./keeper.js" */
/** @import {Outgoing} from "./outgoing.js" */
/** @import {Subscription} from "./subscription.js" */
/** @import {Turns} from "./turns.js" */

/**
 * `participant`: who this is, as far as is known. `say`: writes a frame; false when it could not.
 * `pump`: something may be written now. `distrust`: the socket does not do what it should.
 * `leaving`: writes a leave, behind so many pages of history without an answer. `left`: the room is
 * over. `outgoingOf`: of the room of this name that is joined now.
 *
 * @typedef {{clock: Clock, turns: Turns, keeper: Keeper, maxAgeMs: number, ackTimeoutMs: number,
 *   newId: () => string, nextPlace: () => number, readonly participant: string | null,
 *   readonly limits: Limits | null, readonly generation: number, say: (frame: object) => boolean,
 *   pump: () => void, distrust: (reason: string) => void,
 *   leaving: (room: string, histories: number) => void,
 *   left: (subscription: Subscription) => void, outgoingOf: (room: string) => Outgoing | null,
 *   report: (error: Error) => void}} Desk
 */
