import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { windowAt, windowsBetween, type Interval, type Window } from '../../../contract/interval.ts'
import type { WindowState } from '../../../contract/runs/window-state.ts'
import type { RunStatus } from '../../../contract/runs/batch-export-run.ts'
import { beginSchedule, moveSchedule, nextWindows, scheduleOf } from '../../../contract/exports/schedule.ts'
import * as expectations from './expectation.ts'
import * as engine from './judge-windows.ts'

/*
 * Random histories of an export, whose windows are judged twice: by the engine, and slot by slot of five minutes from what
 * happened. The second uses nothing of the engine.
 */

const slotMs = 5 * 60_000
const created = Date.UTC(2026, 2, 4, 10, 35)
const intervals = ['hour', 'every 30 minutes', 'every 10 minutes'] as const satisfies Interval[]
const outcomes = [
  'Completed',
  'Completed',
  'Completed',
  'Failed',
  'TimedOut',
  'Cancelled',
  'Running',
  'FailedRetryable',
] as const satisfies RunStatus[]

const slots = (min: number, max: number) => fc.integer({ min, max })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pass: slots(1, 30) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      work: fc.array(fc.record({ status: fc.constantFrom(...outcomes), isShort: fc.boolean() }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ again: fc.nat({ max: 30 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verify: fc.nat({ max: 30 }),
      found: fc.constantFrom('refuted', 'unheld', 'proven', 'late'),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom('pause' as const, 'unpause' as const) },
  { weight: 2, arbitrary: fc.record({ interval: fc.constantFrom(...intervals) }) },
  { weight: 1, arbitrary: fc.record({ start: fc.option(slots(-60, 40)) }) },
  { weight: 1, arbitrary: fc.record({ end: fc.option(slots(-40, 40)) }) },
  { weight: 1, arbitrary: fc.record({ backfill: slots(-40, 0), windows: slots(1, 6) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Run = Window & { id: string; status: RunStatus; records: number; total: number; isScheduled: boolean }

class History {
  now = created
  interval: Interval
  readonly runs: Run[] = []
  readonly marks: engine.LedgerMark[] = []
  /** Start of the schedule's first window. */
  began: number
  /** Slots whose windows pauses that have ended skipped. */
  readonly skipped = new Set<number>()
  pausedAt: number | null = null
  cursor: number
  startAt: number | null = null
  endAt: number | null = null
  readonly #edits: expectations.ScheduleHistory['edits'][number][] = []
  readonly #pauses: expectations.ScheduleHistory['pauses'][number][] = []

  constructor(interval: Interval) {
    this.interval = interval
    this.cursor = beginSchedule(this.#schedule(), this.now)
    this.began = this.cursor
  }

  perform(action: Step): void {
    if (action === 'pause') this.pausedAt ??= this.now
    else if (action === 'unpause') this.#unpause()
    else if ('pass' in action) this.#pass(action.pass)
    else if ('work' in action) this.#work(action.work)
    else if ('again' in action) this.#addAgain(action.again)
    else if ('verify' in action) this.#verify(action.verify, action.found)
    else if ('end' in action) this.endAt = this.#time(action.end)
    else if ('backfill' in action) this.#backfill(action.backfill, action.windows)
    // The windows that an edit during a pause skips would have two reasons.
    else if (this.pausedAt !== null) return
    else if ('interval' in action)
      this.#edit({ interval: this.interval }, () => (this.interval = action.interval))
    else {
      const before = this.startAt === null ? null : new Date(this.startAt).toISOString()
      this.#edit({ start_at: before }, () => (this.startAt = this.#time(action.start)))
    }
  }

  row(): expectations.ScheduleColumns {
    const date = (time: number | null) => (time === null ? null : new Date(time))
    return {
      interval: this.interval,
      created_at: new Date(created),
      start_at: date(this.startAt),
      end_at: date(this.endAt),
      scheduled_until: new Date(this.cursor),
    }
  }

  /** The facts that the database has. */
  facts(): expectations.ScheduleHistory {
    const scheduled = this.runs.filter(({ isScheduled }) => isScheduled)
    const earliest = (runs: readonly Run[]) =>
      runs.length === 0 ? null : Math.min(...runs.map(({ start }) => start))
    const open = { start: this.pausedAt ?? 0, end: null, skippedFrom: null, skippedUntil: null }
    return {
      earliestRun: earliest(this.runs),
      earliestScheduled: earliest(scheduled),
      pauses: this.pausedAt === null ? this.#pauses : [...this.#pauses, open],
      edits: this.#edits.toReversed(),
    }
  }

  #schedule() {
    return scheduleOf({
      interval: this.interval,
      start_at: this.startAt === null ? null : new Date(this.startAt),
      end_at: this.endAt === null ? null : new Date(this.endAt),
    })
  }

  #time(slots: number | null): number | null {
    return slots === null ? null : this.now + slots * slotMs
  }

  #add({ start, end }: Window, isScheduled: boolean): void {
    this.runs.push({
      id: `${this.runs.length}`,
      start,
      end,
      status: 'Starting',
      records: 0,
      total: 0,
      isScheduled,
    })
  }

  #pass(count: number): void {
    this.now += count * slotMs
    if (this.pausedAt !== null) return
    for (const window of nextWindows(this.#schedule(), this.cursor, this.now - 2 * slotMs, 1000)) {
      this.#add(window, true)
      this.cursor = window.end
    }
  }

  #unpause(): void {
    if (this.pausedAt === null) return
    const resumed = windowAt(this.interval, this.now).start
    const from = Math.max(this.cursor, windowAt(this.interval, this.pausedAt).start)
    const isEmpty = from >= resumed
    this.#pauses.push({
      start: this.pausedAt,
      end: this.now,
      skippedFrom: isEmpty ? null : from,
      skippedUntil: resumed,
    })
    for (const slot of slotsOf({ start: from, end: resumed })) this.skipped.add(slot)
    this.cursor = Math.max(this.cursor, resumed)
    this.pausedAt = null
  }

  #work(results: readonly { status: (typeof outcomes)[number]; isShort: boolean }[]): void {
    const waiting = this.runs.filter(({ status }) => status === 'Starting')
    for (const [index, run] of waiting.entries()) {
      const result = results[index % results.length]
      if (!result) continue
      run.status = result.status
      run.total = 60
      run.records = result.isShort ? 45 : 60
    }
  }

  #addAgain(index: number): void {
    const run = this.runs[index % Math.max(1, this.runs.length)]
    if (run) this.#add(run, false)
  }

  #backfill(from: number, count: number): void {
    const { start, end } = windowAt(this.interval, this.now + from * slotMs)
    for (const window of windowsBetween(this.interval, start, start + count * (end - start)))
      this.#add(window, false)
  }

  #verify(index: number, found: 'refuted' | 'unheld' | 'proven' | 'late'): void {
    const done = this.runs.filter(({ status }) => status === 'Completed')
    const run = done[index % Math.max(1, done.length)]
    if (!run || this.marks.some(({ start, end }) => start === run.start && end === run.end)) return
    const flags = { refuted: ['gone'], unheld: ['source'], proven: [], late: ['late'] } as const
    this.marks.push({
      start: run.start,
      end: run.end,
      flags: flags[found],
      isRefuted: found === 'refuted',
      isUnheld: found === 'unheld',
      isProven: found === 'proven' || found === 'late',
    })
  }

  #edit(before: { interval: Interval } | { start_at: string | null }, change: () => void): void {
    change()
    const hasBegun = this.began <= this.now
    this.cursor = moveSchedule(this.cursor, this.#schedule(), this.now)
    this.#edits.push({ at: this.now, ...before })
    if (!hasBegun) this.began = this.cursor
  }
}

function slotsOf({ start, end }: Window): number[] {
  return Array.from({ length: Math.max(0, (end - start) / slotMs) }, (_, index) => start + index * slotMs)
}

type Judged = {
  state: WindowState
  run: string | null
  records: number | null
  flags: string[]
  isProven: boolean
}

/** The reference: judges a window from its slots. */
function judge(history: History, window: Window): Judged {
  const { now, interval, startAt, endAt, cursor, began, runs, pausedAt } = history
  const counts: readonly RunStatus[] = [
    'Completed',
    'Failed',
    'TimedOut',
    'Starting',
    'Running',
    'FailedRetryable',
  ]
  const isSame = (one: Window, other: Window) => one.start === other.start && one.end === other.end
  const touches = (one: Window) => one.start < window.end && one.end > window.start
  /** The run that decides an interval: the newest that has completed or may complete, else the newest that failed. */
  const deciding = runs
    .filter((run) => counts.includes(run.status))
    .filter((run) => {
      const same = runs.filter((other) => isSame(other, run) && counts.includes(other.status))
      const hopeful = same.filter(({ status }) => status !== 'Failed' && status !== 'TimedOut')
      return run === (hopeful.at(-1) ?? same.at(-1))
    })
    .filter(touches)
    .toSorted((one, other) => one.end - other.end || one.start - other.start)
  const stateOf = ({ status, records, total }: Run): WindowState => {
    if (status === 'Completed') return records < total ? 'short' : 'completed'
    if (status === 'Failed' || status === 'TimedOut') return 'failed'
    return status === 'Running' ? 'running' : 'waiting'
  }
  const within = (run: Run) => slotsOf(run).filter((slot) => window.start <= slot && slot < window.end)
  const share = (run: Run) => Math.round((run.records * within(run).length) / slotsOf(run).length)
  const marks = history.marks.filter(touches)
  const marked = (state: WindowState, run: string | null, records: number | null): Judged => {
    const isExported = state === 'completed' || state === 'short'
    const own = marks.filter((mark) => isSame(mark, window))
    const counted = own.length > 0 ? own : isExported ? marks : []
    const isUnheld = state === 'short' && marks.some((mark) => mark.isUnheld)
    const isRefuted = isExported && marks.some((mark) => mark.isRefuted)
    return {
      state: isRefuted ? 'short' : isUnheld ? 'completed' : state,
      run,
      records,
      flags: [...new Set(counted.flatMap(({ flags }) => flags))].toSorted(),
      isProven: counted.length > 0 && counted.every((mark) => mark.isProven),
    }
  }
  const exact = deciding.find((run) => isSame(run, window))
  if (exact && (stateOf(exact) !== 'failed' || deciding.length === 1))
    return marked(stateOf(exact), exact.id, exact.records)
  const exported = deciding.filter(({ status }) => status === 'Completed')
  const earliest = Math.min(began, ...runs.map(({ start }) => start))
  const begins = startAt === null ? earliest : Math.max(earliest, windowAt(interval, startAt).start)
  const written = new Set(exported.flatMap(slotsOf))
  const open = slotsOf(window).filter((slot) => !written.has(slot))
  const last = exported.at(-1)
  if (last && open.every((slot) => slot < begins)) {
    const isShort = exported.some((run) => stateOf(run) === 'short')
    return marked(
      isShort ? 'short' : 'completed',
      last.id,
      exported.reduce((sum, run) => sum + share(run), 0),
    )
  }
  for (const state of ['running', 'waiting', 'failed'] as const) {
    const run = deciding.findLast(
      (run) =>
        stateOf(run) === state && (state !== 'failed' || within(run).some((slot) => open.includes(slot))),
    )
    if (run) return marked(state, run.id, share(run))
  }
  if (endAt !== null && window.end > endAt) return marked('after', null, null)
  if (window.end > now) return marked('future', null, null)
  const asked = open.filter((slot) => slot >= begins)
  if (asked.length === 0) return marked('before', null, null)
  const paused =
    pausedAt === null
      ? []
      : slotsOf({
          start: Math.max(cursor, windowAt(interval, pausedAt).start),
          end: windowAt(interval, now).start,
        })
  const left = asked.filter((slot) => !history.skipped.has(slot) && !paused.includes(slot))
  if (left.some((slot) => slot < cursor)) return marked('missing', null, null)
  return marked(left.length > 0 ? 'due' : 'paused', null, null)
}

type Engine = Pick<typeof engine, 'judgeWindows'> & Pick<typeof expectations, 'expectationOf'>

function property({ judgeWindows, expectationOf }: Engine) {
  return fc.property(
    fc.constantFrom(...intervals),
    fc.array(step, { minLength: 8, maxLength: 30, size: 'max' }),
    (interval, steps) => {
      const history = new History(interval)
      for (const each of steps) history.perform(each)
      const windows = windowsBetween(history.interval, created - 50 * slotMs, history.now + 15 * slotMs)
      const runs = history.runs
        .toSorted((one, other) => one.end - other.end || one.start - other.start)
        .map(({ isScheduled: _, ...run }) => ({ ...run, attempt: 1, duration: null }))
      const touching = runs.filter(({ end }) => end > (windows[0]?.start ?? 0))
      const expectation = expectationOf(history.row(), history.facts(), history.now)
      const judged = judgeWindows(windows, touching, history.marks, expectation, history.now)
      const shown = judged.map(({ state, run, flags, isProven }): Judged => ({
        state,
        run: run?.id ?? null,
        records: run?.records ?? null,
        flags: flags.toSorted(),
        isProven,
      }))
      expect(shown).toEqual(windows.map((window) => judge(history, window)))
    },
  )
}

test('every window of a random history has the state and marks that follow from its slots', () => {
  fc.assert(property({ ...engine, ...expectations }), { numRuns: 500 })
})

const faults: [what: string, file: 'judge-windows.ts' | 'expectation.ts', code: string, fault: string][] = [
  ['a failed run decides despite others', 'judge-windows.ts', "exact.state !== 'failed')", 'true)'],
  ['an older run in progress still counts', 'judge-windows.ts', '[undefined, run]', '[inProgress, run]'],
  [
    'a failure outweighs success',
    'judge-windows.ts',
    'inProgress ?? completed ?? failed',
    'failed ?? inProgress ?? completed',
  ],
  ['no run is short', 'judge-windows.ts', 'records < total', 'records < 0'],
  [
    'time before the first window is asked for',
    'judge-windows.ts',
    'Math.max(window.start, expectation.begins)',
    'window.start',
  ],
  ['a window that ends with the export is after it', 'judge-windows.ts', 'end > ends', 'end >= ends'],
  ['a window that ends now is in the future', 'judge-windows.ts', 'end > now', 'end >= now'],
  ['the window before the first is expected', 'judge-windows.ts', 'end <= begins', 'end < begins'],
  ['pauses skip nothing', 'judge-windows.ts', 'subtract(expected, skipped)', 'expected'],
  ['windows that are due are missing', 'judge-windows.ts', 'end: scheduledUntil', 'end: Infinity'],
  [
    'refuted rows count as exported',
    'judge-windows.ts',
    'marks.some(({ isRefuted }) => isRefuted)',
    'marks.length < 0',
  ],
  [
    'rows no longer held are short',
    'judge-windows.ts',
    'marks.some(({ isUnheld }) => isUnheld)',
    'marks.length < 0',
  ],
  [
    'the marks of other intervals hide the own',
    'judge-windows.ts',
    'own.length > 0 ? own',
    'own.length < 0 ? own',
  ],
  ['edits of the schedule are forgotten', 'expectation.ts', 'at >= time', 'at < time - at'],
  [
    'a moved start excludes nothing',
    'expectation.ts',
    'windowAt(row.interval, startAt).start,',
    '-Infinity,',
  ],
  ['an ended pause skips from its start', 'expectation.ts', 'start: skippedFrom ?? end', 'start'],
]

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-faults-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Loads a file of the engine with this fault. */
async function loadFaulty(file: string, code: string, fault: string, name: string): Promise<Partial<Engine>> {
  const source = await readFile(join(import.meta.dirname, file), 'utf8')
  expect(source.split(code), `'${code}' stands once in ${file}`).toHaveLength(2)
  const { resolve } = createRequire(import.meta.url)
  const faulty = source
    .replace(code, fault)
    .replace(
      /from '([^']+)'/g,
      (_, path: string) =>
        `from '${pathToFileURL(path.startsWith('.') ? join(import.meta.dirname, path) : resolve(path)).href}'`,
    )
  const path = join(folder, `${name}.ts`)
  await writeFile(path, faulty)
  return await import(/* @vite-ignore */ pathToFileURL(path).href)
}

test.each(faults.map((fault, index) => ({ fault, name: `fault-${index}`, what: fault[0] })))(
  'finds the fault that $what',
  async ({ fault: [, file, code, fault], name }) => {
    const faulty = await loadFaulty(file, code, fault, name)
    const { failed, errorInstance } = fc.check(property({ ...engine, ...expectations, ...faulty }), {
      numRuns: 2000,
      endOnFailure: true,
    })
    expect(failed).toBe(true)
    expect(errorInstance).toMatchObject({ name: 'AssertionError' })
  },
)
