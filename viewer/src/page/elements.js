// Makes elements of the page. Texts become text nodes, so whatever a note says stays text.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") {
      for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    } else if (name === "vars") {
      for (const [key, each] of Object.entries(value)) element.style.setProperty(`--${key}`, each);
    } else if (name === "class") {
      element.setAttribute("class", value);
    } else if (name === "value" || name === "checked" || name === "disabled") {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

export const el = (tag, props, ...children) => filled(document.createElement(tag), props, children);

export const svg = (tag, props, ...children) => filled(document.createElementNS(SVG, tag), props, children);

export function button(label, act, props = {}) {
  return el("button", { type: "button", ...props, on: { click: act, ...props.on } }, label);
}

// A drawing of one stroke in a square of 24.
export function icon(path) {
  const drawing = { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" };
  return svg("svg", drawing, svg("path", { d: path }));
}

// Calls `act` once nothing has come for so many milliseconds.
export function settled(act, ms) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...given), ms);
  };
}

export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Puts these into a place, in the stead of what stands there; what is null or false is left out.
export function fill(place, ...children) {
  place.replaceChildren();
  return filled(place, null, children);
}
