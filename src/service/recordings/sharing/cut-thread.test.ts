import { expect, test } from 'vitest'
import { CutFailed, startCutThread } from './cut-thread.ts'

const nothing = {
  limits: { start: null, end: null, shows: 'all', masks: [] },
  blocks: [],
  withStart: false,
  uses: null,
  bases: null,
} as const

test('links take turns, and the requests of one link cannot fill the queue', async () => {
  const thread = startCutThread()
  const order: string[] = []
  const ask = (linkId: string) =>
    thread(linkId, () => {
      order.push(linkId)
      return Promise.resolve(nothing)
    })
  const hostile = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => ask('hostile')),
    ask('one'),
    ask('other'),
  ])
  expect(order.slice(0, 4)).toEqual(['hostile', 'hostile', 'one', 'other'])
  expect(order.filter((linkId) => linkId === 'hostile')).toHaveLength(11)
  const refused = hostile.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(9)
  expect(refused[0]?.reason).toBeInstanceOf(CutFailed)
})

test('a request that cannot be read delays no other', async () => {
  const thread = startCutThread()
  const lost = new Error('the objects cannot be reached')
  const results = await Promise.allSettled([
    thread('one', () => Promise.reject(lost)),
    thread('one', () => Promise.resolve(nothing)),
  ])
  expect(results).toEqual([
    { status: 'rejected', reason: lost },
    { status: 'fulfilled', value: { lines: '' } },
  ])
})
