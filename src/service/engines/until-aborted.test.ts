import { expect, test } from 'vitest'
import { untilAborted } from './until-aborted.ts'

test('waits for work, but not after the signal', async () => {
  const stop = new AbortController()
  expect(await untilAborted(Promise.resolve(1), stop.signal)).toBe(1)
  await expect(untilAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed')
  const waiting = untilAborted(new Promise(() => undefined), stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(untilAborted(new Promise(() => undefined), stop.signal)).rejects.toThrow('stopped')
})
