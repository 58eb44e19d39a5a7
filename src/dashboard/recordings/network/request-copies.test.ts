import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networkRequests } from '../../../replay/recorded/network-request.ts'
import { EventType, networkPlugin } from '../../../replay/recorded/rrweb.ts'
import { requestAsCurl, requestsAsHar } from './request-copies.ts'

const secret = 'tr0ub4dor'
const recorded = {
  name: `https://api.example/cart?id=7&token=${secret}`,
  entryType: 'resource',
  initiatorType: 'fetch',
  method: 'post',
  status: 503,
  timestamp: 1_772_000_000_000,
  startTime: 100,
  domainLookupStart: 102,
  domainLookupEnd: 105,
  connectStart: 105,
  connectEnd: 110,
  requestStart: 111,
  responseStart: 150,
  responseEnd: 160,
  duration: 60,
  transferSize: 900,
  requestHeaders: {
    'content-type': 'application/json',
    authorization: `Bearer ${secret}`,
    '@/etc/hosts': 'x',
  },
  requestBody: JSON.stringify({ lamp: "Anna's", password: secret }),
  responseHeaders: { 'Content-Type': 'text/plain' },
  responseBody: 'no lamp',
}

function requestOf(changes: object = {}) {
  const payload = { requests: [{ ...recorded, ...changes }] }
  const [request] = networkRequests({
    type: EventType.Plugin,
    timestamp: recorded.timestamp,
    data: { plugin: networkPlugin, payload },
  })
  if (!request) throw new Error('there is no request')
  return request
}

/** Stands for curl, and prints its arguments. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-curl-'))
  await writeFile(join(folder, 'curl'), '#!/bin/sh\nprintf "%s\\0" "$@"\n', { mode: 0o755 })
})
afterAll(() => rm(folder, { recursive: true }))

function argumentsOf(command: string): string[] {
  const output = execFileSync('bash', ['--norc', '-c', command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: `${folder}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  })
  return output.split('\0').slice(0, -1)
}

test('the curl command repeats the request without its secrets', () => {
  const command = requestAsCurl(requestOf()) ?? ''
  expect(command).not.toContain(secret)
  expect(argumentsOf(command)).toEqual([
    '--globoff',
    '-X',
    'POST',
    '--url',
    'https://api.example/cart?id=7&token=[redacted]',
    '-H',
    'content-type: application/json',
    '-H',
    'authorization: [redacted]',
    '--data-raw',
    `{"lamp":"Anna's","password":"[redacted]"}`,
  ])
})

test('only HTTP requests have a curl command', () => {
  for (const name of ['data:text/plain,x', 'file:///etc/passwd', '-o/etc/x', 'not a URL'])
    expect(requestAsCurl(requestOf({ name }))).toBeNull()
})

test('no recorded text becomes another argument or another command', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      "'; touch x #",
      '$(touch x)',
      '`touch x`',
      '\\',
      '\u001b[201~\ntouch x\n',
      '@/etc/passwd',
      '-K x',
      '"\n',
    ),
    fc.string({ unit: 'binary', maxLength: 10 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  )
  fc.assert(
    fc.property(hostile, hostile, (value, body) => {
      const request = { ...requestOf(), requestHeaders: { 'x-shop': value }, requestBody: body }
      const command = requestAsCurl(request) ?? ''
      expect(command.replaceAll(' \\\n', '')).not.toMatch(/\p{Cc}/u)
      expect(argumentsOf(command).slice(5)).toEqual(['-H', `x-shop: ${value}`, '--data-raw', body])
    }),
    { numRuns: 40 },
  )
})

test('in a shell without escapes in quotes, a text still cannot end its quotes', () => {
  const request = { ...requestOf(), requestBody: "\n'; touch x #" }
  const command = requestAsCurl(request) ?? ''
  expect(argumentsOf(command).at(-1)).toBe(request.requestBody)
  // A backslash means nothing in the quotes of such a shell.
  expect(command.slice(command.indexOf("$'") + 2).indexOf("'")).toBe(
    command.length - command.indexOf("$'") - 3,
  )
})

test('the HAR 1.2 archive contains the recorded requests without secrets', () => {
  const har = requestsAsHar([
    requestOf(),
    requestOf({ name: 'not a URL' }),
    requestOf({ startTime: undefined }),
  ])
  expect(JSON.stringify(har)).not.toContain(secret)
  const { version, entries } = har.log
  expect([version, entries.length]).toEqual(['1.2', 2])
  expect(entries[0]).toEqual({
    startedDateTime: '2026-02-25T06:13:20.000Z',
    time: 59,
    request: {
      method: 'POST',
      url: 'https://api.example/cart?id=7&token=[redacted]',
      httpVersion: '',
      cookies: [],
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'authorization', value: '[redacted]' },
        { name: '@/etc/hosts', value: 'x' },
      ],
      queryString: [
        { name: 'id', value: '7' },
        { name: 'token', value: '[redacted]' },
      ],
      postData: { mimeType: 'application/json', text: `{"lamp":"Anna's","password":"[redacted]"}` },
      headersSize: -1,
      bodySize: 41,
    },
    response: {
      status: 503,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [{ name: 'Content-Type', value: 'text/plain' }],
      content: { size: 7, mimeType: 'text/plain', text: 'no lamp' },
      redirectURL: '',
      headersSize: -1,
      bodySize: 900,
    },
    cache: {},
    timings: { blocked: 2, dns: 3, connect: 5, send: 0, wait: 39, receive: 10 },
  })
  expect(entries[1]).toMatchObject({ time: 60, timings: { wait: 60, receive: 0 } })
})
