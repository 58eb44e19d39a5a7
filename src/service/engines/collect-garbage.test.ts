import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('frees a large buffer that nothing uses', () => {
  const before = process.memoryUsage().arrayBuffers
  allocateBuffer()
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6)
})

/** Allocates a single buffer: of several, V8 itself could free so many that `collectGarbage` would leave the rest. */
function allocateBuffer(): void {
  expect(Buffer.alloc(160e6, 1).length).toBe(160e6)
}
