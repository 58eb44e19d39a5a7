import { expect, test } from 'vitest'
import { networkRequests, requestsWithin } from './network-request.ts'
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

test('of an event that reports requests later, only those of a period remain', () => {
  const requests = [5, 20, 21, 31].map((timestamp) => ({
    name: `https://shop.example/${timestamp}`,
    timestamp,
  }))
  const data = { plugin: networkPlugin, payload: { requests: [...requests, { name: 'untimed' }] } }
  const event = { type: EventType.Plugin, timestamp: 25, data }
  const within = requestsWithin(event, { start: 20, end: 30 })
  expect(within && networkRequests(within).map(({ url }) => url)).toEqual([
    'https://shop.example/21',
    'untimed',
  ])
  expect(requestsWithin(event, { start: 40, end: 50 })).toBeNull()
})
