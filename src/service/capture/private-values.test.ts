import fc from 'fast-check'
import { isIP } from 'node:net'
import { expect, test } from 'vitest'
import { EventType } from '../../replay/recorded/rrweb.ts'
import { decodeCapture } from './decode.ts'
import { maskText } from '../../contract/privacy/mask-text.ts'
import { keepsAll, masksSlowly, networkOf, type CapturePrivacy } from './private-values.ts'

const now = Date.UTC(2026, 0, 5, 12)

test.each([
  ['203.0.113.77', '203.0.113.0'],
  [' 203.0.113.77 ', '203.0.113.0'],
  ['2001:db8:85a3:1234::8a2e:370:7334', '2001:db8:85a3::'],
  ['2001:DB8::1', '2001:db8::'],
  ['2001:db8:0:5::1', '2001:db8::'],
  ['::1', '::'],
  ['::ffff:203.0.113.77', '203.0.113.0'],
  ['203.0.113.77, 10.0.0.1', null],
  ['fe80::1%eth0', null],
  ['203.0.113.77:443', null],
  ['a text', null],
  [3_405_803_853, null],
])('the network of %j is %j', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('addresses of one network, and no others, have the same one, which is an address', () => {
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      const text = (parts: number[]) => parts.map((part) => part.toString(16)).join(':')
      const network = networkOf(text(one))
      expect(isIP(network ?? '')).toBeGreaterThan(0)
      expect(networkOf(text([...one.slice(0, 3), ...other.slice(3)]))).toBe(network)
      if (one.slice(0, 3).join() !== other.slice(0, 3).join())
        expect(networkOf(text(other))).not.toBe(network)
    }),
  )
})

test.each([
  ['Write to ada.l+x@mail.example.com!', 'Write to [email]!'],
  ['/u?mail=ada%40example.com&x=1', '/u?mail=[email]&x=1'],
  ['paid with 4242 4242 4242 4242', 'paid with [card]'],
  ['5555-5555-5555-4444.', '[card].'],
  ['order 4242424242424241', 'order 4242424242424241'],
  ['0000000000000000', '0000000000000000'],
  ['@handle at 12:30', '@handle at 12:30'],
])('masks %j as %j', (text, masked) => {
  expect(maskText(text, { masked_texts: ['email', 'card'], masked_patterns: [] })).toBe(masked)
})

const properties = {
  $ip: '203.0.113.77',
  tip: '203.0.113.77',
  zip: '12345',
  client: { ipAddress: '2001:db8:85a3::1', hops: [{ 'x-forwarded-for': '10.1.2.3' }] },
  note: 'by ada@example.com',
  $set: { email: 'ada@example.com', last_ip: '203.0.113.77' },
  $set_once: { $initial_ip: '203.0.113.77' },
  $elements: [{ tag_name: 'a', $el_text: 'ada@example.com' }],
}

async function decoded(rules: Partial<CapturePrivacy> = {}) {
  const network = {
    plugin: 'rrweb/network@1',
    payload: { requests: [{ name: '/a', responseHeaders: { 'x-real-ip': '203.0.113.77' } }] },
  }
  const $snapshot_data = [{ type: EventType.Plugin, timestamp: now, data: network }]
  const snapshot = { $session_id: 's', $snapshot_data }
  const batch = [
    { event: 'a', distinct_id: 'ada@example.com', properties },
    { event: '$snapshot', distinct_id: 'u', properties: snapshot },
  ]
  const body = Buffer.from(JSON.stringify({ api_key: 't', batch }))
  const { events, replay } = await decodeCapture(
    { body, path: '/e', query: {}, privacy: { ...keepsAll, ...rules } },
    now,
  )
  const [event] = events
  return {
    stored: JSON.parse(event?.properties ?? '') as unknown,
    event,
    replay: String(Buffer.from(replay[0]?.lines.text ?? [])),
  }
}

test('without a rule, everything is stored as sent', async () => {
  const { $elements: _, ...sent } = properties
  const { stored, event, replay } = await decoded()
  expect(stored).toEqual(sent)
  expect(event?.elementsChain).toContain('ada@example.com')
  expect(replay).toContain('203.0.113.77')
})

test('addresses are truncated in properties, in those of the person, and in recorded requests', async () => {
  const { stored, event, replay } = await decoded({ ip_addresses: 'truncate', masked_texts: [] })
  expect(stored).toMatchObject({
    $ip: '203.0.113.0',
    tip: '203.0.113.77',
    zip: '12345',
    client: { ipAddress: '2001:db8:85a3::', hops: [{ 'x-forwarded-for': '10.1.2.0' }] },
  })
  expect(event?.change).toMatchObject({
    set: { email: 'ada@example.com', last_ip: '203.0.113.0' },
    setOnce: { $initial_ip: '203.0.113.0' },
  })
  expect(replay).toContain('"x-real-ip":"203.0.113.0"')
})

test('addresses are dropped, and texts masked except those that identify the person', async () => {
  const { stored, event, replay } = await decoded({ ip_addresses: 'drop', masked_texts: ['email'] })
  expect(stored).toEqual({
    tip: '203.0.113.77',
    zip: '12345',
    client: { hops: [{}] },
    note: 'by [email]',
    $set: { email: 'ada@example.com' },
    $set_once: {},
  })
  expect([event?.distinctId, event?.elementsChain]).toEqual([
    'ada@example.com',
    expect.stringContaining('[email]'),
  ])
  expect(replay).not.toContain('203.0.113')
})

test('a thread masks by the patterns of projects and in recorded pages', () => {
  const emails = { ...keepsAll, masked_texts: ['email' as const] }
  expect([keepsAll, emails].map((privacy) => masksSlowly(privacy, 'a'))).toEqual([false, false])
  expect([keepsAll, emails].map((privacy) => masksSlowly(privacy, '$snapshot'))).toEqual([false, true])
  expect(masksSlowly({ ...keepsAll, masked_patterns: ['a{1,900}b'] }, 'a')).toBe(true)
})
