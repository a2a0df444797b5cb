// Dark or light: as the system is, until somebody turns it.

const KEPT = "soulmem-theme";

export const theme = () => document.documentElement.dataset.theme;

export function chooseTheme() {
  const kept = localStorage.getItem(KEPT);
  document.documentElement.dataset.theme = kept ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
}

export function turnTheme() {
  localStorage.setItem(KEPT, theme() === "dark" ? "light" : "dark");
  chooseTheme();
}

// A colour of the style sheet, for what is drawn on a canvas.
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
