import { expect, test } from 'vitest'
import { alertKinds } from '../../contract/alerts/alert-rule.ts'
import { deliveryState, incidentState, minutesInWords, remindersInWords, ruleInWords } from './alert.ts'

const now = Date.parse('2026-11-22T12:00:00Z')
const open = { status: 'open', acknowledged: null, muted: null } as const

test('each kind of rule says when it opens an incident; a fixed threshold replaces the computed one', () => {
  const texts = alertKinds.map((kind) => ruleInWords({ kind, late_minutes: null }))
  expect(new Set(texts).size).toBe(alertKinds.length)
  expect(ruleInWords({ kind: 'late', late_minutes: null })).toContain('twice the 30-day p99 run time')
  expect(ruleInWords({ kind: 'late', late_minutes: 90 })).toBe(
    'A window is not delivered within 90 minutes of its end.',
  )
})

test('minutes are formatted in the largest whole unit', () => {
  expect([90, 60, 480, 1440, 10_080].map(minutesInWords)).toEqual([
    '90 minutes',
    '1 hour',
    '8 hours',
    '1 day',
    '7 days',
  ])
  expect([0, 60, 480].map(remindersInWords)).toEqual([
    'no reminders',
    'a reminder every hour',
    'a reminder every 8 hours',
  ])
})

test('an incident is open, muted until a time, acknowledged or recovered', () => {
  const muted = { by: 'Ada', until: '2026-11-22T20:00:00Z' }
  const acknowledged = { by: 'Ada', at: '2026-11-22T11:00:00Z' }
  expect(incidentState(open, now).text).toBe('Open')
  expect(incidentState({ ...open, muted }, now).text).toBe('Muted, ends in 8 h')
  expect(incidentState({ ...open, muted }, now + 9 * 3_600_000).text).toBe('Open')
  expect(incidentState({ ...open, muted, acknowledged }, now).text).toBe('Acknowledged by Ada')
  expect(incidentState({ ...open, status: 'recovered', acknowledged }, now).text).toBe('Recovered')
})

test('a message is being sent, waits for its next attempt, is delivered or not delivered', () => {
  const attempt = {
    at: '2026-11-22T11:59:00Z',
    duration_ms: 5,
    request: { method: 'POST', url: 'http://127.0.0.1:9', headers: {}, body: '{}' },
    response: null,
    error: 'refused',
  }
  const waiting = {
    id: 'a',
    transition: 'opened',
    incident: null,
    channel: { id: null, name: 'On call', type: 'webhook' },
    status: 'waiting',
    attempts: [],
    created_at: '2026-11-22T11:59:00Z',
    next_attempt_at: '2026-11-22T12:10:00Z',
    finished_at: null,
  } as const
  expect(deliveryState({ ...waiting, attempts: [] }, now).text).toBe('Being sent')
  expect(deliveryState({ ...waiting, attempts: [attempt] }, now).text).toBe(
    '1 attempt failed, next in 10 min',
  )
  expect(deliveryState({ ...waiting, attempts: [attempt], status: 'delivered' }, now).text).toBe(
    'Delivered, 1 attempt',
  )
  expect(deliveryState({ ...waiting, attempts: [attempt, attempt], status: 'failed' }, now).text).toBe(
    'Not delivered, 2 attempts',
  )
})
