// Texts of others as they may be shown: what would turn the reading direction around, or hides, is shown as what it is.

const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u2029\ufeff]/gu;

const named = (char) => `\u27e8U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`;

export const plain = (text) => String(text ?? "").replace(TURNING, named).replace(HIDDEN, named);

const cutter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

// The beginning of a text in one line; wide scripts count double.
export function shortened(text, most) {
  const line = plain(text).replace(/\s+/gu, " ").trim();
  let width = 0;
  let kept = "";
  for (const { segment } of cutter.segment(line.slice(0, most * 8))) {
    width += /[\u1100-\u115f\u2e80-\uffef]/u.test(segment) ? 2 : 1;
    if (width > most) return `${kept.trimEnd()}…`;
    kept += segment;
  }
  return kept.length < line.length ? `${kept}…` : kept;
}
