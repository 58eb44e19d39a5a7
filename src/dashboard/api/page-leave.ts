const events = new EventTarget()
let pageLeft = false

/** Detects when the page is hidden, closed or navigated away from; call once. */
export function watchPageLeave(): void {
  const setLeft = (left: boolean) => {
    pageLeft = left
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

/** Whether the page is hidden or being left; a page that was left may never be shown again. */
export function isPageLeft(): boolean {
  return pageLeft
}

/** Calls `run` each time the page is left; returns a function that unsubscribes. */
export function onPageLeave(run: () => void): () => void {
  events.addEventListener('left', run)
  return () => events.removeEventListener('left', run)
}
