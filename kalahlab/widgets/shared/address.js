// The part of the address after #, where it is a widget's own: it follows what is shown, and is followed.

const WAIT = 250; // milliseconds after the last change until the address follows

/** @type {(own: boolean, follow: () => unknown) => { write(hash: string): void, end(): void }} */
export function makeAddress(own, follow) {
  let waiting = 0;
  if (own) addEventListener("hashchange", follow);
  return {
    write(hash) {
      if (!own) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => history.replaceState(null, "", hash), WAIT);
    },
    end() {
      clearTimeout(waiting);
      removeEventListener("hashchange", follow);
    },
  };
}
