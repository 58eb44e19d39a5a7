import { expect, test } from 'vitest'
import type { Incident, Transition } from '../../contract/alerts/alert-incident.ts'
import { newsIn, newsInWords, notificationOf } from './news.ts'

function incident(id: string, ...transitions: [Transition, string][]): Incident {
  return {
    id,
    kind: 'failed',
    status: 'open',
    title: `Incident ${id}`,
    detail: '',
    destination: null,
    url: '/',
    exports: [],
    export_count: 0,
    opened_at: '',
    recovered_at: null,
    acknowledged: null,
    muted: null,
    transitions: transitions.map(([transition, time]) => ({ transition, at: `2026-11-22T${time}Z` })),
    last_updated_at: '',
  }
}

const changed = [
  incident('a', ['opened', '08:00:00'], ['recovered', '10:00:00.500000']),
  incident('b', ['opened', '10:00:00'], ['reminded', '10:01:00']),
]

test('news are the transitions after the newest change that the page knew, oldest first', () => {
  const named = (since: string | null) =>
    newsIn(changed, since).map(({ incident: { id }, transition }) => `${id} ${transition}`)
  expect(named('2026-11-22T10:00:00Z')).toEqual(['a recovered', 'b reminded'])
  expect(named(null)).toEqual(['a opened', 'b opened', 'a recovered', 'b reminded'])
})

test('a message says what opened and recovered, and counts several; reminders alone give none', () => {
  const since = (time: string) => newsInWords(newsIn(changed, `2026-11-22T${time}Z`))
  expect(since('10:00:00')).toBe('Recovered: Incident a.')
  expect(since('07:00:00')).toBe('2 incidents opened. Recovered: Incident a.')
  expect(since('10:00:30')).toBeNull()
})

test('the notification of a recovery does not repeat what was wrong', () => {
  const failed = { ...incident('a'), detail: 'The bucket is missing.' }
  const bodyOf = (transition: Transition) => notificationOf({ incident: failed, transition, at: '' }).body
  expect([bodyOf('reminded'), bodyOf('recovered')]).toEqual(['The bucket is missing.', ''])
})
