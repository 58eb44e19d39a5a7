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
