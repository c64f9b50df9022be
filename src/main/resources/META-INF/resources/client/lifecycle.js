// What the browser tells of the page and the network.

/**
 * `seen`: the network is back, or people look at the page. `left`: it is left, and may be frozen and
 * shown again (back/forward cache).
 *
 * @param {Partial<EventTarget> | null} window
 * @param {{seen: () => void, left: () => void}} told
 * @returns {() => void} what ends this
 */
export function listen(window, { seen, left }) {
  const hear = (/** @type {Event & {persisted?: boolean}} */ { type, persisted }) => {
    if (type === "pagehide") {
      persisted && left();
    } else if (type === "online" || !globalThis.document?.hidden) {
      seen();
    }
  };
  const events = ["online", "visibilitychange", "pageshow", "pagehide"];
  events.forEach((event) => window?.addEventListener?.(event, hear));
  return () => events.forEach((event) => window?.removeEventListener?.(event, hear));
}
