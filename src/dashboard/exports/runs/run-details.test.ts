import { expect, test } from 'vitest'
import { attemptsIn } from './run-details.tsx'

/** Returns the attempts in a log with these messages, oldest first, a second apart. */
function attempts(...messages: string[]) {
  const lines = messages.map((message, second) => ({
    log_source_id: 'export',
    instance_id: 'run',
    timestamp: `2026-11-21T08:00:0${second}Z`,
    level: 'INFO' as const,
    message,
  }))
  return attemptsIn(lines.reverse()).map(({ number, tone, outcome, endedAt }) => [
    number,
    tone,
    outcome,
    endedAt?.slice(17, 19) ?? null,
  ])
}

test('reports when and why each attempt ended', () => {
  expect(
    attempts(
      'Attempt 1 started.',
      '3 records to export.',
      'Attempt 1 failed: The store is not available at the moment. Next attempt at 2026-11-21T08:01:00Z.',
      'Attempt 2 started.',
      'Completed: wrote a.parquet (3 records, 1 kB, 0.1 s, 30 records/s).',
    ),
  ).toEqual([
    [1, 'failed', 'The store is not available at the moment. Next attempt at 2026-11-21T08:01:00Z.', '02'],
    [2, 'ok', 'Wrote a.parquet (3 records, 1 kB, 0.1 s, 30 records/s).', '04'],
  ])
})

test('separates an attempt whose worker died from the one that took over and still runs', () => {
  expect(
    attempts(
      'Attempt 1 started.',
      'Taken over: the worker of attempt 1 has sent no heartbeat.',
      'Attempt 2 started.',
    ),
  ).toEqual([
    [1, 'quiet', 'Taken over: the worker of attempt 1 has sent no heartbeat.', '01'],
    [2, 'running', null, null],
  ])
})

test('returns no attempts for a waiting run', () => {
  expect(attempts('Retry of run 1.')).toEqual([])
})
