// The part of the address after #, if it belongs to a widget: it is updated by the view, and the
// view reacts to its changes.

const WAIT = 250; // milliseconds from the last change until the address is updated

/** @type {(own: boolean, follow: () => unknown) => { write(hash: string): void, end(): void }} */
export function makeAddress(isOwner, follow) {
  let waiting = 0;
  if (isOwner) addEventListener("hashchange", follow);
  return {
    write(hash) {
      if (!isOwner) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => history.replaceState(null, "", hash), WAIT);
    },
    end() {
      clearTimeout(waiting);
      removeEventListener("hashchange", follow);
    },
  };
}
