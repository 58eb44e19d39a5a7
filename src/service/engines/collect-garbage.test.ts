import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('frees large buffers that nothing uses', () => {
  const before = process.memoryUsage().arrayBuffers
  allocateBuffers()
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6)
})

function allocateBuffers(): void {
  const buffers = Array.from({ length: 10 }, () => Buffer.alloc(16e6, 1))
  expect(buffers.length).toBe(10)
}
