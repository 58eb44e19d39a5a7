const leaving = new EventTarget()
let left = false

/** Notices when the page is hidden, closed or navigated away from; to be called once. */
export function watchLeaving(): void {
  const notice = (now: boolean) => {
    left = now
    if (now) leaving.dispatchEvent(new Event('left'))
  }
  // On a busy machine the page is gone before it hears any more than that it is about to be left.
  addEventListener('beforeunload', () => {
    notice(true)
    setTimeout(() => notice(document.visibilityState === 'hidden'))
  })
  // A page that is navigated away from hears of it before it is hidden.
  addEventListener('pagehide', () => notice(true))
  addEventListener('pageshow', () => notice(false))
  document.addEventListener('visibilitychange', () => notice(document.visibilityState === 'hidden'))
}

/** Whether nobody sees the page, which may be its end. */
export function isLeft(): boolean {
  return left
}

/** Does this each time that the page is left; returns how to stop that. */
export function whenLeft(act: () => void): () => void {
  leaving.addEventListener('left', act)
  return () => leaving.removeEventListener('left', act)
}
