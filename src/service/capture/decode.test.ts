import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CaptureError } from './capture-error.ts'
import { decodeCapture } from './decode.ts'
import { uuidOfText } from './persons/person-id.ts'
import { keepsAll, type CapturePrivacy } from './private-values.ts'
import { bodyLimit } from './read-body.ts'
import recorded from './recorded-requests.json' with { type: 'json' }

const now = Date.UTC(2026, 0, 5, 12)
const hour = 3_600_000
const event = { event: 'a', distinct_id: 'u', token: 't' }

describe('a request recorded from posthog-js', () => {
  test.each(['gzip', 'json', 'base64 form'])('is decoded when sent as %s', async (encoding) => {
    const requests = recorded.requests.filter((request) => request.encoding === encoding)
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) {
      const capture = await decode(Buffer.from(request.body, 'base64'), request.path)
      expect(capture.token).toBe('phc_test_recording')
      for (const captured of capture.events) {
        expect(captured.uuid).toMatch(/^[0-9a-f-]{36}$/)
        expect(JSON.parse(captured.properties)).toMatchObject({
          $lib: 'web',
          distinct_id: captured.distinctId,
        })
      }
    }
  })

  test('yields event names, person changes and clicked elements', async () => {
    const captures = recorded.requests.map((request) =>
      decode(Buffer.from(request.body, 'base64'), request.path),
    )
    const events = (await Promise.all(captures)).flatMap((capture) => capture.events)
    const names = ['$autocapture', '$identify', '$pageleave', '$pageview', '$set', 'product viewed']
    expect([...new Set(events.map((captured) => captured.event))].sort()).toEqual(names)
    const click = events.find((captured) => captured.event === '$autocapture')
    expect(click?.elementsChain).toMatch(/^button\.buy\.now:.*text="Buy/)
    expect(events.find((captured) => captured.event === '$identify')?.change).toMatchObject({
      set: { email: 'ada@example.com' },
      setOnce: { $initial_pathname: '/page', first_seen: '2026-01-01' },
      joins: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(events.find((captured) => captured.event === 'product viewed')?.change).toBeNull()
  })
})

const json = JSON.stringify(event)

describe('a body', () => {
  const base64 = Buffer.from(json).toString('base64')
  const forms: [string, string | Buffer][] = [
    ['one object', json],
    ['an array', `[${json}]`],
    ['a batch', JSON.stringify({ api_key: 't', batch: [event] })],
    ['gzip', gzipSync(json)],
    ['base64', base64],
    ['base64 of gzip', gzipSync(json).toString('base64')],
    ['a form of base64', `data=${encodeURIComponent(base64)}`],
    ['a form of unescaped base64', `compression=base64&data=${base64}`],
    ['a form of JSON', `data=${encodeURIComponent(json)}&verbose=1`],
    ['a gzipped form', gzipSync(`data=${encodeURIComponent(base64)}`)],
    ['JSON after a byte order mark', `\ufeff ${json}`],
  ]
  test.each(forms)('is accepted as %s', async (_, body) => {
    const capture = await decode(body)
    expect(capture).toMatchObject({ token: 't', events: [{ event: 'a', distinctId: 'u', timestamp: now }] })
  })

  test('with random content is decoded or rejected with a CaptureError', async () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom('t', 'u', '$set', '$identify', '2026-01-01'))
    const names = [
      'event',
      'distinct_id',
      'token',
      'properties',
      'timestamp',
      'offset',
      'uuid',
      '$set',
      'batch',
      'sent_at',
    ]
    const item = fc.dictionary(fc.constantFrom(...names, '$elements', '$unset', '$anon_distinct_id'), field)
    const whole = fc.record({
      event: field,
      distinct_id: field,
      token: fc.constant('t'),
      properties: item,
      $set: item,
    })
    const body = fc.oneof(
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.oneof(item, whole, fc.array(whole)).map((value) => gzipSync(JSON.stringify(value))),
      fc
        .oneof(item, whole)
        .map((value) => Buffer.from(`data=${Buffer.from(JSON.stringify(value)).toString('base64')}`)),
    )
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const outcome = await decode(bytes).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CaptureError)
      }),
      { numRuns: 300 },
    )
  })
})

test.each<[string, string | Buffer, number, string | RegExp]>([
  ['no content', '', 400, 'request holds no event'],
  ['an empty batch', '{"api_key":"t","batch":[]}', 400, 'request holds no event'],
  ['broken gzip', Buffer.from('1f8b08000000', 'hex'), 400, 'failed to decode request: invalid gzip data'],
  [
    'truncated gzip',
    gzipSync(json.repeat(99)).subarray(0, 40),
    400,
    'failed to decode request: invalid gzip data',
  ],
  ['broken JSON', '{"event":', 400, /^failed to parse request: /],
  ['plain text', 'hello, world', 400, /^failed to parse request: /],
  ['a number', '[1]', 400, /^failed to parse request: /],
  ['deep nesting', `{"a":${'['.repeat(1200)}${']'.repeat(1200)}}`, 400, /nested/],
  ['an event too deep for queries', deep(200), 400, /^failed to parse request: an event is nested/],
  ['no distinct id', '{"event":"a","token":"t"}', 400, 'event submitted without a distinct_id'],
  [
    'an empty distinct id',
    '{"event":"a","token":"t","distinct_id":""}',
    400,
    'event submitted without a distinct_id',
  ],
  ['no token', '{"event":"a","distinct_id":"u"}', 401, 'event submitted without an api_key'],
  ['no event name', '{"token":"t","distinct_id":"u"}', 400, 'event submitted without an event name'],
  ['a gzip bomb', gzipSync(Buffer.alloc(bodyLimit + 1, 32)), 413, 'request is larger than 20 MB'],
  ['more than the limit', Buffer.alloc(bodyLimit + 1, 32), 413, 'request is larger than 20 MB'],
])('a body with %s is rejected', async (_, body, status, message) => {
  const refusal = await decode(body).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(CaptureError)
  expect(refusal).toMatchObject({ status, message: expect.stringMatching(message) })
})

describe('an event', () => {
  test.each([
    ['token', { token: 't' }],
    ['$token', { $token: 't' }],
    ['api_key', { api_key: 't' }],
    ['properties.token', { properties: { token: 't' } }],
  ])('may have its token in %s', async (_, part) => {
    expect(await decode(JSON.stringify({ event: 'a', distinct_id: 'u', ...part }))).toMatchObject({
      token: 't',
    })
  })

  test('must not name a different project from the rest of its request', async () => {
    const body = JSON.stringify([event, { ...event, token: 'other' }])
    await expect(decode(body)).rejects.toMatchObject({ status: 401 })
  })

  test.each([
    [{ distinct_id: 7 }, '7'],
    [{ $distinct_id: 'x' }, 'x'],
    [{ properties: { distinct_id: 'x' } }, 'x'],
    [{ distinct_id: 'x'.repeat(300) }, 'x'.repeat(200)],
    [{ distinct_id: { a: 1 } }, '{"a":1}'],
  ])('with %j has the distinct id %s', async (part, id) => {
    expect(await one({ event: 'a', token: 't', ...part })).toMatchObject({ distinctId: id })
  })

  test('keeps a valid UUID, derives one from any other uuid, or gets a new one', async () => {
    const uuid = '01A1FD3C-6048-750C-8E9C-E5E16A8DAE36'
    expect(await one({ ...event, uuid })).toMatchObject({ uuid: uuid.toLowerCase() })
    expect(await one({ ...event, uuid: 'order-17' })).toMatchObject({ uuid: uuidOfText('order-17') })
    expect((await one(event))?.uuid).not.toBe((await one(event))?.uuid)
  })

  test('merges top-level $set into its properties', async () => {
    const body = { ...event, $set: { a: 1 }, properties: { $set: { a: 2, b: 2 }, x: 1 } }
    const captured = await one(body)
    expect(JSON.parse(captured?.properties ?? '')).toEqual({ $set: { a: 1, b: 2 }, x: 1 })
  })

  test('gets an elements chain from the $elements of older clients', async () => {
    const elements = [
      {
        tag_name: 'a',
        classes: ['b', 'a'],
        attr__href: '/x',
        nth_child: 1,
        nth_of_type: 2,
        $el_text: 'say "x"',
      },
      { tag_name: 'div', nth_child: 3 },
    ]
    expect(await one({ ...event, properties: { $elements: elements } })).toMatchObject({
      elementsChain: 'a.a.b:attr__href="/x"nth-child="1"nth-of-type="2"text="say \\"x\\"";div:nth-child="3"',
      properties: '{}',
    })
  })
})

describe('the time of an event', () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['uses its timestamp', { timestamp: '2026-01-05T11:00:00Z' }, now - hour],
    [
      'corrects its timestamp by the clock skew',
      { timestamp: '2026-01-05T05:00:00Z', sent_at: '2026-01-05T06:00:00Z' },
      now - hour,
    ],
    ['uses its offset', { offset: 5000 }, now - 5000],
    ['falls back to now without either', {}, now],
    ['falls back to now for a time in the far future', { timestamp: '2027-01-05T11:00:00Z' }, now],
    ['falls back to now for a time in the far past', { timestamp: '0001-01-05T11:00:00Z' }, now],
    ['falls back to now for an invalid time', { timestamp: 'yesterday' }, now],
    ['accepts epoch milliseconds', { timestamp: now - hour }, now - hour],
  ])('%s', async (_, part, time) => {
    expect(await one({ ...event, ...part })).toMatchObject({ timestamp: time })
  })

  test('corrects its time by the skew of the batch, but not by latency', async () => {
    const at = (sentAt: number) => ({
      api_key: 't',
      batch: [{ ...event, timestamp: now - hour }],
      sent_at: sentAt,
    })
    expect((await decode(JSON.stringify(at(now + hour)))).events).toMatchObject([
      { timestamp: now - 2 * hour },
    ])
    expect((await decode(JSON.stringify(at(now - 300)))).events).toMatchObject([{ timestamp: now - hour }])
  })
})

test.each<[string, object, CapturePrivacy, string]>([
  ['as sent', { uuid: randomUUID() }, keepsAll, '1700000000000.0'],
  ['serialised again without a uuid, since the text then tells repeats', {}, keepsAll, '1700000000000'],
  [
    'serialised again if texts are masked, since a repeated key could hide a text',
    { uuid: randomUUID() },
    { ...keepsAll, masked_texts: ['email'] },
    '1700000000000',
  ],
])('the JSON of a snapshot is stored %s', async (_, part, privacy, timestamp) => {
  const properties = { $session_id: 's', $snapshot_data: [{ type: 3, timestamp: 1_700_000_000_000 }] }
  const sent = JSON.stringify([{ ...event, ...part, event: '$snapshot', properties }])
  const body = Buffer.from(sent.replace('1700000000000', '1700000000000.0'))
  const { replay } = await decodeCapture({ body, path: '/s/', query: {}, privacy }, now)
  expect(String(Buffer.from(replay[0]?.lines.text ?? []))).toBe(`["s",{"type":3,"timestamp":${timestamp}}]`)
})

function deep(levels: number): string {
  return JSON.stringify(event).replace('}', `,"properties":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`)
}

function decode(body: string | Uint8Array, path = '/e/') {
  return decodeCapture({ body: Buffer.from(body), path, query: {} }, now)
}

async function one(item: unknown) {
  const { events } = await decode(JSON.stringify(item))
  return events[0]
}
