// Lists of a mind, page by page, and what was read of it so far. Owns the one copy that all views share.

const PAGE = 500;

export async function allPages(call, method, params, onProgress) {
  const found = [];
  let cursor = null;
  let first = null;
  do {
    const page = await call(method, { ...params, limit: PAGE, ...(cursor ? { cursor } : {}) });
    first ??= page;
    found.push(...page.items);
    cursor = page.next_cursor;
    onProgress?.(found.length);
  } while (cursor);
  return { items: found, first };
}

export class MindCache {
  constructor(source, mind) {
    this.source = source;
    this.mind = mind;
    this.forget();
  }

  call(method, params = {}) {
    return this.source.call(method, { mind: this.mind, ...params });
  }

  // What was read is not true any more.
  forget() {
    this.kept = new Map();
  }

  once(name, read) {
    if (!this.kept.has(name)) {
      const reading = read().catch((error) => {
        this.kept.delete(name);
        throw error;
      });
      this.kept.set(name, reading);
    }
    return this.kept.get(name);
  }

  notes(onProgress) {
    return this.once("notes", () => this.pages("note.list", {}, onProgress).then(({ items }) => items));
  }

  links(onProgress) {
    return this.once("links", () => this.pages("link.list", {}, onProgress).then(({ items }) => items));
  }

  forgotten() {
    return this.once("forgotten", async () => {
      const { items, first } = await this.pages("note.list", { state: "forgotten" });
      return { items, purged: first.purged ?? [], unmet: first.unmet ?? [] };
    });
  }

  pages(method, params, onProgress) {
    return allPages((name, given) => this.call(name, given), method, params, onProgress);
  }
}
