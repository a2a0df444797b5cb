// Keeps what is shown true while it is looked at: a change in the mind is taken in where it stands, without a reload.
//
// Nothing moves under the hands of somebody who edits or types in the view: it waits until he is done. However much
// changes, reading takes a tenth of the time at most.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 60_000;
const LOOKS_AGAIN_MS = 400;
const BEGINS_WITHIN_MS = 500;

export const isEditing = () =>
  document.querySelector("dialog[open]") !== null || document.activeElement?.matches("#view input, #view textarea, #view select") === true;

export class LiveView {
  constructor(page, refresh) {
    this.refresh = refresh;
    this.ending = new AbortController();
    this.timer = 0;
    this.wait = FIRST_WAIT_MS;
    this.isPending = false;
    this.isBusy = false;
    this.hasBegun = false;
    const began = new Promise((resolve) => {
      const onBegin = () => {
        if (this.hasBegun) this.changed(); // what happened while nobody listened
        this.hasBegun = true;
        document.documentElement.dataset.live = "yes";
        resolve();
      };
      void page.source.watch(page.mind, { onBegin, onChange: () => this.changed(), signal: this.ending.signal });
    });
    // What is read before the daemon listens might be old already; a daemon that is away is told of by the view.
    this.begun = Promise.race([began, new Promise((resolve) => setTimeout(resolve, BEGINS_WITHIN_MS))]);
  }

  end() {
    this.ending.abort();
    clearTimeout(this.timer);
    delete document.documentElement.dataset.live;
  }

  changed() {
    this.isPending = true;
    if (!this.timer && !this.isBusy) this.timer = setTimeout(() => this.take(), this.wait);
  }

  async take() {
    this.timer = 0;
    if (this.ending.signal.aborted) return;
    if (document.hidden || isEditing()) {
      this.timer = setTimeout(() => this.take(), LOOKS_AGAIN_MS);
      return;
    }
    this.isPending = false;
    this.isBusy = true;
    const began = performance.now();
    try {
      if ((await this.refresh()) === false) this.isPending = true; // somebody began to edit meanwhile
    } catch {
      // what is shown stays; the stream that breaks off with the daemon begins anew with it
    }
    this.isBusy = false;
    this.wait = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, 9 * (performance.now() - began)));
    if (this.isPending) this.changed();
  }
}

// Puts something else in the stead of what stands in a place that scrolls; who stood on a note stands on it again.
export function exchange(place, before, after) {
  if (before.isEqualNode(after)) return;
  const { scrollTop } = place;
  const note = before.contains(document.activeElement) ? document.activeElement.dataset.note : null;
  before.replaceWith(after);
  place.scrollTop = scrollTop;
  if (note) after.querySelector(`[data-note="${CSS.escape(note)}"]`)?.focus({ preventScroll: true });
}
