// Calls to the daemon, through the server that this page came from. Owns the token, which came behind the # of the link.

const KEPT = "soulmem-view";

export class CallError extends Error {
  constructor(name, message, hint) {
    super(message);
    this.name = name;
    this.hint = hint;
  }
}

// What the link said, kept for as long as the tab is open; the address bar forgets the token at once.
export function takeLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("token")) {
    sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(given)));
    history.replaceState(null, "", location.pathname);
  }
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

// Each block of a stream of events, as its lines.
async function eachBlock(body, take) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (held + value).split("\n\n");
    held = blocks.pop();
    for (const block of blocks) take(block.split("\n"));
  }
}

export function daemonCalls({ token, edit }) {
  async function call(method, params = {}) {
    let answer;
    let told;
    try {
      answer = await fetch("call", {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token ?? ""}` },
        body: JSON.stringify({ method, params }),
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
      });
      told = await answer.json();
    } catch {
      throw new CallError("page_away", "");
    }
    if (told.error) throw new CallError(told.error.name, told.error.message, told.error.hint);
    return told.result;
  }

  // Tells of each change of a mind's notes until `signal` says enough; `onBegin` whenever the daemon has begun to listen.
  async function watch(mind, { onBegin, onChange, signal }) {
    let pause = SHORTEST_PAUSE_MS;
    const take = (lines) => {
      if (lines.some((line) => line.startsWith("retry:"))) onBegin();
      else if (lines.some((line) => line.startsWith("event:"))) onChange();
    };
    while (!signal.aborted) {
      try {
        const answer = await fetch(`events?mind=${encodeURIComponent(mind)}`, {
          headers: { authorization: `Bearer ${token ?? ""}` }, cache: "no-store", credentials: "omit", redirect: "error", signal,
        });
        if (answer.status === 401) return; // the link of another start is needed
        if (answer.ok) {
          pause = SHORTEST_PAUSE_MS;
          await eachBlock(answer.body, take);
        }
      } catch {
        if (signal.aborted) return;
      }
      await new Promise((resume) => setTimeout(resume, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
  return { call, watch, mayEdit: edit === "1", isStored: false };
}
