import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('frees a large buffer that nothing uses', () => {
  const before = process.memoryUsage().arrayBuffers
  allocateBuffer()
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6)
})

/** Allocates one buffer: if there were several, V8 might free most of them itself, and `collectGarbage` would leave the rest. */
function allocateBuffer(): void {
  expect(Buffer.alloc(160e6, 1).length).toBe(160e6)
}
