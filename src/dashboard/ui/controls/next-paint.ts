/** Longest wait (ms) for a paint: a page that nobody sees is not painted. */
const waitMsMax = 100

/** Waits until the browser has painted what an event has changed so far. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMsMax)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      // A frame is painted after its callbacks.
      setTimeout(resolve)
    })
  })
}

/** Shows an element as pressed, and does work that takes longer than a frame after the next paint. */
export async function afterPaint(element: Element | null | undefined, work: () => unknown): Promise<void> {
  element?.toggleAttribute('data-pressed', true)
  await nextPaint()
  try {
    await work()
  } finally {
    element?.toggleAttribute('data-pressed', false)
  }
}

/**
 * From now on, a button that a pointer clicks opens its popover after the button is shown as pressed. A key press on a button opens
 * its popover at once, because the next key is meant for it. A key pressed before the paint first opens the clicked popover.
 */
export function openPopoversAfterPaint(): void {
  let waiting = new AbortController()
  const open = (event: MouseEvent) => {
    const button = event.target instanceof Element && event.target.closest('button[popovertarget]')
    // Clicks by keys have no detail; those by scripts, such as the one below, are not trusted.
    if (!event.isTrusted || event.detail === 0 || !(button instanceof HTMLElement)) return
    event.preventDefault()
    event.stopPropagation()
    // A second click before the paint replaces the first.
    waiting.abort()
    waiting = new AbortController()
    const { signal } = waiting
    const openNow = () => {
      if (signal.aborted) return
      waiting.abort()
      button.click()
    }
    const press = (pressed: KeyboardEvent) => {
      // Enter would close the popover again, through its button.
      pressed.preventDefault()
      openNow()
    }
    addEventListener('keydown', press, { capture: true, signal })
    void afterPaint(button, openNow)
  }
  addEventListener('click', open, { capture: true })
}
