import { expect, test } from 'vitest'
import { networkRequests } from './network-request.ts'
import { EventType, networkPlugin } from './rrweb.ts'

function startsOf(timestamp: number, starts: readonly number[]) {
  const requests = starts.map((start) => ({ name: 'https://shop.example/', timestamp: start }))
  const event = { type: EventType.Plugin, timestamp, data: { plugin: networkPlugin, payload: { requests } } }
  return networkRequests(event).map(({ startedAt }) => startedAt)
}

const day = 86_400_000

test('the requests of an event that was moved in time move with it', () => {
  expect(startsOf(9 * day, [2 * day - 700, 2 * day])).toEqual([9 * day - 700, 9 * day])
  expect(startsOf(2 * day, [9 * day])).toEqual([2 * day])
})

test('a request that was reported late keeps its time', () => {
  expect(startsOf(9 * day, [9 * day - 300_000, 9 * day - 200])).toEqual([9 * day - 300_000, 9 * day - 200])
})
