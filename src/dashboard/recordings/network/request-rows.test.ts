import { expect, test } from 'vitest'
import { networkRequests } from '../../../replay/recorded/network-request.ts'
import { EventType, networkPlugin } from '../../../replay/recorded/rrweb.ts'
import type { Mark } from '../player/player-messages.ts'
import { requestName, requestRows, selectRequests, type RequestFilter } from './request-rows.ts'

function mark(at: number, path: string, given: object = {}): Mark {
  const requests = [{ name: `https://shop.example${path}`, duration: 100, timestamp: at, ...given }]
  const data = { plugin: networkPlugin, payload: { requests } }
  const [request] = networkRequests({ type: EventType.Plugin, timestamp: at, data })
  if (!request) throw new Error('there is no request')
  return { kind: 'request', at, text: '', detail: '', request }
}

const rows = requestRows([
  mark(0, '/', { entryType: 'navigation', responseStatus: 200, duration: 400 }),
  { kind: 'click', at: 5, text: 'Click', detail: '' },
  mark(100, '/a.png', { initiatorType: 'img', responseStatus: 404, transferSize: 900 }),
  mark(200, '/api/cart', { initiatorType: 'fetch', method: 'POST', status: 503, duration: 800 }),
  mark(9_000, '/api/lamps', { initiatorType: 'xmlhttprequest', method: 'GET', status: 200 }),
  mark(9_050, '/api/login', { initiatorType: 'fetch', method: 'PUT' }),
])
const paths = (filter: Partial<RequestFilter>, search = '') =>
  selectRequests(rows, { type: 'all', order: 'failed', ...filter }, search).map(
    ({ request }) => new URL(request.url).pathname,
  )

test('shows failed requests first, whether they got an error or no response', () => {
  expect(paths({})).toEqual(['/a.png', '/api/cart', '/api/login', '/', '/api/lamps'])
  expect(paths({ type: 'failed' })).toEqual(['/a.png', '/api/cart', '/api/login'])
})

test('filters by type and by text, and sorts', () => {
  expect(paths({ type: 'fetch', order: 'time' })).toEqual(['/api/cart', '/api/lamps', '/api/login'])
  expect(paths({ type: 'document' })).toEqual(['/'])
  expect(paths({ type: 'image' })).toEqual(['/a.png'])
  expect(paths({}, 'post 503')).toEqual(['/api/cart'])
  expect(paths({}, ' LAMPS')).toEqual(['/api/lamps'])
  expect(paths({ order: 'duration' }).slice(0, 2)).toEqual(['/api/cart', '/'])
  expect(paths({ order: 'size' }).slice(0, 1)).toEqual(['/a.png'])
})

test('draws a waterfall of the requests without a long pause between them', () => {
  expect(rows.map(({ bar }) => bar)).toEqual([
    { start: 0, width: 0.4 },
    { start: 0.1, width: 0.1 },
    { start: 0.2, width: 0.8 },
    { start: 0, width: 100 / 150 },
    { start: 50 / 150, width: 100 / 150 },
  ])
})

test('names a request by its path, and by its host if that is another one', () => {
  expect(requestName('https://shop.example/a?b=1', 'shop.example')).toBe('/a?b=1')
  expect(requestName('https://api.example/a', 'shop.example')).toBe('api.example/a')
  expect(requestName('nothing', 'shop.example')).toBe('nothing')
})
