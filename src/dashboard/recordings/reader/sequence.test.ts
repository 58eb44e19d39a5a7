import { expect, test } from 'vitest'
import { createSequence } from './sequence.ts'

test('a task that fails is reported, and the next tasks are performed in order', async () => {
  const log: unknown[] = []
  const perform = createSequence((error) => log.push(error))
  const damaged = new Error('damaged')
  void perform(async () => {
    await Promise.resolve()
    log.push('first')
  })
  void perform(() => Promise.reject(damaged))
  await perform(async () => {
    log.push('last')
  })
  expect(log).toEqual(['first', damaged, 'last'])
})
