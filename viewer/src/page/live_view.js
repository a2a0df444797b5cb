// Keeps what is shown true while it is looked at: a change in the mind is taken in where it stands, without a reload.
//
// Nothing moves under the hands of somebody who edits or types in the view: it waits until he is done. However much
// changes, reading takes a fifth of the time at most. A page that nobody sees does not listen: a browser has six
// connections to a place for all its tabs.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 30_000;
const LOOKS_AGAIN_MS = 400;
const BEGINS_WITHIN_MS = 500;

export const isEditing = () =>
  document.querySelector("dialog[open]") !== null || document.activeElement?.matches("#view input, #view textarea, #view select") === true;

export class LiveView {
  constructor(page, refresh) {
    this.page = page;
    this.refresh = refresh;
    this.isOver = false;
    this.stream = null;
    this.timer = 0;
    this.wait = FIRST_WAIT_MS;
    this.isPending = false;
    this.isBusy = false;
    this.isRead = false;
    // What is read before the daemon listens might be old already; a daemon that is away is told of by the view.
    this.begun = new Promise((resolve) => {
      this.begin = () => {
        this.isRead = true;
        resolve();
      };
      setTimeout(this.begin, BEGINS_WITHIN_MS);
    });
    this.onSight = () => (document.hidden ? this.pause() : this.listen());
    document.addEventListener("visibilitychange", this.onSight);
    this.onSight();
  }

  listen() {
    if (this.isOver || this.stream) return;
    this.stream = new AbortController();
    const onBegin = () => {
      if (this.isRead) this.changed(); // what happened while nobody listened
      this.begin();
      document.documentElement.dataset.live = "yes";
    };
    void this.page.source.watch(this.page.mind, { onBegin, onChange: () => this.changed(), signal: this.stream.signal });
  }

  pause() {
    this.stream?.abort();
    this.stream = null;
    delete document.documentElement.dataset.live;
  }

  end() {
    this.isOver = true;
    document.removeEventListener("visibilitychange", this.onSight);
    this.pause();
    clearTimeout(this.timer);
  }

  changed() {
    this.page.cache.forget(); // who goes to another view meanwhile sees what is so
    this.isPending = true;
    if (!this.timer && !this.isBusy) this.timer = setTimeout(() => this.take(), this.wait);
  }

  async take() {
    this.timer = 0;
    if (this.isOver) return;
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
    this.wait = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, 4 * (performance.now() - began)));
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
