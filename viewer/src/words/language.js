// The language of the page, and how it writes dates, spans of time and numbers.

import { english } from "./english.js";
import { chinese } from "./chinese.js";

const WORDS = { en: english, zh: chinese };
const KEPT = "soulmem-language";
let current = "en";

export function chooseLanguage(wanted) {
  const given = [wanted, localStorage.getItem(KEPT), ...navigator.languages].filter(Boolean);
  current = given.map((each) => each.slice(0, 2).toLowerCase()).find((each) => each in WORDS) ?? "en";
  document.documentElement.lang = current === "zh" ? "zh-Hans" : "en";
}

export function setLanguage(language) {
  localStorage.setItem(KEPT, language);
  chooseLanguage(language);
}

export const language = () => current;

// The words for a key; `{name}` in them stands for a value.
export function t(key, values = {}) {
  const words = WORDS[current][key] ?? english[key] ?? key;
  return words.replace(/\{(\w+)\}/gu, (_, name) => values[name] ?? "");
}

// Words for what the daemon calls by a name, like a kind; the name itself where there are none.
export function named(group, name) {
  const key = `${group}.${name}`;
  return WORDS[current][key] ?? english[key] ?? String(name).replaceAll("_", " ");
}

export function count(key, number) {
  return t(number === 1 ? `${key}_one` : `${key}_many`, { n: amount(number) });
}

const locale = () => (current === "zh" ? "zh-CN" : "en-GB");

export const amount = (number) => new Intl.NumberFormat(locale()).format(number);

export const share = (number) => new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 0 }).format(number);

// A day as it is known: of what has faded maybe only its month or its year.
export function day(value) {
  if (!value) return t("unknown_day");
  if (/^\d{4}$/.test(value)) return t("in_year", { year: value });
  const at = new Date(value.length === 7 ? `${value}-01` : value);
  if (Number.isNaN(at.getTime())) return value;
  const fine = value.length === 7 ? {} : { day: "numeric" };
  return new Intl.DateTimeFormat(locale(), { year: "numeric", month: "long", ...fine }).format(at);
}

export function month(value) {
  if (!value) return t("unknown_day");
  if (/^\d{4}$/.test(value)) return t("in_year", { year: value });
  return new Intl.DateTimeFormat(locale(), { year: "numeric", month: "long" }).format(new Date(value.length === 7 ? `${value}-01` : value));
}

export function clock(value) {
  const isFine = typeof value === "string" && value.includes("T") && !value.endsWith("T00:00:00Z"); // else a whole day
  return isFine ? new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit" }).format(new Date(value)) : "";
}

// How long a number of days is, in the unit that fits.
export function span(days) {
  const [size, unit] = days < 1 ? [days * 24, "hour"] : days < 60 ? [days, "day"] : days < 730 ? [days / 30.44, "month"] : [days / 365.25, "year"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 }).format(Math.max(1, Math.round(size)));
}

export const daysBetween = (from, to) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
