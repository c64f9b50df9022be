// Elements from code. Whatever people wrote goes in as text nodes: there is no markup to be had.

/**
 * An element with attributes, handlers (`onclick` …) and children. `false`, `null` and `undefined`
 * leave an attribute or a child out.
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A shorter rest is none. */
const LEAST_REST_MS = 4;

/** A button that does not submit anything. */
export function button(label, act, attributes = {}) {
  return make("button", { type: "button", ...attributes, onclick: act }, label);
}

/** Changes a text only where it differs: selections and live regions are left alone. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/**
 * Makes these the children, in this order. What is in its place is not touched, and whoever had the
 * focus keeps it.
 */
export function arrange(parent, wanted) {
  const focused = document.activeElement;
  const keep = new Set(wanted);
  for (const child of [...parent.children]) {
    if (!keep.has(child)) {
      child.remove();
    }
  }
  let at = parent.firstElementChild;
  for (const element of wanted) {
    if (element === at) {
      at = at.nextElementSibling;
    } else {
      parent.insertBefore(element, at);
    }
  }
  if (focused !== document.activeElement && parent.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

/**
 * Runs it once for all calls of one turn, before anything is painted. One that takes long rests as long
 * as it took: a flood of news leaves half of the time to everything else.
 */
export function once(run) {
  let isDue = false;
  let restUntil = 0;
  const go = () => {
    isDue = false;
    const began = performance.now();
    try {
      run();
    } finally {
      const ended = performance.now();
      restUntil = ended + (ended - began);
    }
  };
  return () => {
    if (!isDue) {
      isDue = true;
      const rest = restUntil - performance.now();
      rest > LEAST_REST_MS ? setTimeout(go, rest) : queueMicrotask(go);
    }
  };
}
