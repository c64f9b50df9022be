// Names that nobody else makes.

/** Pages without HTTPS have no `randomUUID`. */
export function randomId() {
  return crypto.randomUUID
    ? crypto.randomUUID()
    : [...crypto.getRandomValues(new Uint8Array(16))]
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join("");
}
