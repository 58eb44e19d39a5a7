import pino from 'pino'
import { expect, test } from 'vitest'
import { openCutter } from './cutter.ts'
import { SharedPart } from './shared-part.ts'

test('of the parts that visitors request at the same time, one is in memory', async () => {
  let [reading, most] = [0, 0]
  const get = async () => {
    reading += 1
    most = Math.max(most, reading)
    await new Promise((resume) => setImmediate(resume))
    reading -= 1
    return null
  }
  const objects = { get } as unknown as Parameters<typeof openCutter>[0]['objects']
  const cutter = openCutter({ objects, logger: pino({ enabled: false }) })
  const limits = { start: null, end: null, shows: 'picture', masks: [] } as const
  const time = new Date(1)
  const blocks = Array.from({ length: 5 }, (_, number) => ({
    number,
    object_key: String(number),
    start_time: time,
    end_time: time,
    bytes: 1,
    full_snapshots: [],
    active_windows: [],
  }))
  const source = { name: 'recording', linkId: 'link', part: new SharedPart(blocks, limits), limits }
  await Promise.all(blocks.map(({ number }) => cutter.lines(source, { first: number, last: number })))
  expect(most).toBe(1)
})
