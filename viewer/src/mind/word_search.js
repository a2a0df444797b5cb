// Search without a daemon: words of alphabets, pairs of characters of scripts that write no blanks.

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/u;

export function shingles(text) {
  const found = new Set();
  for (const [word] of String(text).toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    let narrow = "";
    const chars = [...word];
    chars.forEach((char, at) => {
      if (!WIDE.test(char)) {
        narrow += char;
        return;
      }
      if (narrow) found.add(narrow);
      narrow = "";
      found.add(char);
      if (at + 1 < chars.length && WIDE.test(chars[at + 1])) found.add(char + chars[at + 1]);
    });
    if (narrow) found.add(narrow);
  }
  return found;
}
