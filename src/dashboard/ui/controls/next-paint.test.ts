import { afterEach, expect, test, vi } from 'vitest'
import { afterPaint } from './next-paint.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** An element that remembers whether it looks pressed. */
function button() {
  const states: boolean[] = []
  const element = { toggleAttribute: (_: string, on: boolean) => states.push(on) > 0 } as unknown as Element
  return { element, states }
}

test('an element looks pressed from the event until the work after the paint is done', async () => {
  const frames: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame))
  const { element, states } = button()
  const order: string[] = []
  const done = afterPaint(element, () => order.push(`work, pressed: ${states.at(-1)}`))
  order.push('the event ends')
  for (const frame of frames) frame()
  await done
  expect(order).toEqual(['the event ends', 'work, pressed: true'])
  expect(states).toEqual([true, false])
})

test('the work is done although a hidden page is never painted', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const work = vi.fn<() => void>()
  const done = afterPaint(null, work)
  await vi.advanceTimersByTimeAsync(100)
  await done
  expect(work).toHaveBeenCalledOnce()
})

test('an element no longer looks pressed after work that failed', async () => {
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frame())
  const { element, states } = button()
  await expect(afterPaint(element, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(states).toEqual([true, false])
})
