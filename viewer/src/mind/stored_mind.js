// A mind that lies in the page itself (`soulmem export --html`): answers the calls of reading that need no daemon.

import { CallError } from "./daemon_calls.js";
import { shingles } from "./word_search.js";

export function storedData() {
  const held = document.getElementById("mind-data");
  return held ? JSON.parse(held.textContent) : null;
}

export function storedCalls(data) {
  const notes = [...data.notes, ...data.forgotten];
  const byId = new Map(notes.map((note) => [note.id, note]));
  const links = data.links;
  const ties = new Map();
  for (const link of links) {
    for (const [end, other] of [[link.src, link.dst], [link.dst, link.src]]) {
      if (!ties.has(end)) ties.set(end, []);
      ties.get(end).push([other, link]);
    }
  }
  for (const each of ties.values()) each.sort((a, b) => b[1].strength - a[1].strength);
  let index = null;

  const page = (items) => ({ items, next_cursor: null });
  const found = (id) => {
    if (!byId.has(id)) throw new CallError("not_found", `no note ${id}`);
    return byId.get(id);
  };

  function neighbourhood({ around, depth = 2, limit = 100 }) {
    const active = new Set(data.notes.map((note) => note.id));
    const seen = new Set(around ? [found(around).id] : data.notes.slice(-limit).map((note) => note.id));
    let edge = [...seen];
    for (let step = 0; around && step < depth && seen.size < limit; step++) {
      const next = [];
      for (const id of edge) {
        for (const [other] of ties.get(id) ?? []) {
          if (seen.size >= limit || seen.has(other) || !active.has(other)) continue;
          seen.add(other);
          next.push(other);
        }
      }
      edge = next;
    }
    return {
      notes: [...seen].map((id) => byId.get(id)),
      links: links.filter((link) => seen.has(link.src) && seen.has(link.dst)),
      truncated: seen.size >= limit,
    };
  }

  function search({ query, k = 10 }) {
    index ??= data.notes.map((note) => [note, shingles(`${note.rendered} ${note.tags.join(" ")}`)]);
    const wanted = shingles(query);
    const scored = index.map(([note, held]) => {
      let hits = 0;
      for (const each of wanted) if (held.has(each)) hits++;
      return { ...note, score: wanted.size ? hits / wanted.size : 0 };
    });
    const items = scored.filter((item) => item.score > 0).sort((a, b) => b.score - a.score).slice(0, k);
    return { items, below_floor: 0, suppressed: [], reason: items.length ? null : "nothing_known" };
  }

  const answers = {
    "mind.list": () => page([{ mind: data.mind.mind, title: data.mind.title, notes: data.mind.notes }]),
    "mind.get": () => ({ mind: data.mind }),
    "note.list": ({ state }) => (state === "forgotten" ? { ...page(data.forgotten), purged: data.purged } : page(data.notes)),
    "note.get": ({ id }) => ({ note: found(id) }),
    "note.forecast": ({ id }) => data.forecasts[found(id).id] ?? null,
    "link.list": ({ note }) => page(note ? (ties.get(note) ?? []).map(([, link]) => link) : links),
    "graph.get": neighbourhood,
    recall: search,
    "profile.list": () => page(data.profiles.map(({ name, notes: count }) => ({ name, notes: count }))),
    "profile.get": ({ name }) => data.profiles.find((each) => each.name === name)?.profile ?? { attributes: [], relationships: [], lists: {} },
    "audit.list": () => ({ ...data.audit, ...page([]) }),
    "ledger.get": ({ by }) => ({ calls: [], totals: data.costs[by] ?? [], today: data.costs.today }),
  };

  async function call(method, params = {}) {
    if (!answers[method]) throw new CallError("not_stored", method);
    return answers[method](params);
  }
  return { call, mayEdit: false, isStored: true, writtenAt: data.written_at };
}
