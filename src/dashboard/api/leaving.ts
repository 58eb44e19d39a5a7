const events = new EventTarget()
let isPageLeft = false

/** Detects when the page is hidden, closed or navigated away from; call once. */
export function watchLeaving(): void {
  const setLeft = (left: boolean) => {
    isPageLeft = left
    if (left) events.dispatchEvent(new Event('left'))
  }
  // On a busy machine, a page may be closed before it receives any later event.
  addEventListener('beforeunload', () => {
    setLeft(true)
    setTimeout(() => setLeft(document.visibilityState === 'hidden'))
  })
  // During a navigation this event comes before the page is hidden.
  addEventListener('pagehide', () => setLeft(true))
  addEventListener('pageshow', () => setLeft(false))
  document.addEventListener('visibilitychange', () => setLeft(document.visibilityState === 'hidden'))
}

/** Whether the page is hidden or being left; it may never be shown again. */
export function isLeft(): boolean {
  return isPageLeft
}

/** Calls `run` each time the page is left; returns a function that unsubscribes. */
export function whenLeft(run: () => void): () => void {
  events.addEventListener('left', run)
  return () => events.removeEventListener('left', run)
}
