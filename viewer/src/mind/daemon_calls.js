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
  return { call, mayEdit: edit === "1", isStored: false };
}
