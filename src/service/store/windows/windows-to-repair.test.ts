import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repairPeriod } from '../../../contract/repair/repair-plan.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { windowAt, type Interval, type Window } from '../../../contract/interval.ts'
import { continueRepairPlans, runRepairPlan } from '../../background/run-repair-plans.ts'
import { planRepair } from '../../background/plan-repair.ts'
import { tick } from '../../background/scheduler.ts'
import { createExport } from '../../testing/test-rows.ts'
import { createTestService, type TestService } from '../../testing/test-service.ts'
import type { BatchExportRow } from '../runs/batch-exports.ts'
import { refreshDays } from './export-days.ts'
import { lockRepairPlan } from '../repair/repair-plans.ts'
import { ledgerSettings, recordWindow } from './ledger.ts'
import { noteDays } from '../runs/day-changes.ts'
import type { RunRow } from '../runs/runs-list.ts'
import { changeRuns } from '../runs/write-runs.ts'
import { windowLedger } from './window-ledger.ts'
import { windowsToRepair, type RepairStretch } from './windows-to-repair.ts'

const slotMs = 5 * 60_000
const intervals = ['hour', 'every 30 minutes', 'day', 'every 5 minutes'] as const satisfies Interval[]
const outcomes = ['Completed', 'Completed', 'Completed', 'Failed', 'Cancelled', 'gone', 'waiting'] as const
type Outcome = (typeof outcomes)[number]

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pass: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 4, arbitrary: fc.constant('schedule' as const) },
  {
    weight: 6,
    arbitrary: fc.record({ work: fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 8 }) }),
  },
  { weight: 2, arbitrary: fc.constantFrom('pause' as const, 'unpause' as const) },
  { weight: 1, arbitrary: fc.record({ interval: fc.constantFrom(...intervals) }) },
  { weight: 1, arbitrary: fc.record({ start: fc.option(fc.integer({ min: -100, max: 60 })) }) },
  { weight: 1, arbitrary: fc.record({ end: fc.option(fc.integer({ min: -100, max: 100 })) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      backfill: fc.tuple(fc.integer({ min: -80, max: 0 }), fc.integer({ min: 1, max: 20 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat({ max: 50 }) }) },
  { weight: 1, arbitrary: fc.constant('repair' as const) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let service: TestService
beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:32:30Z' })
})
afterAll(() => service.stop())

/** Slots by what they need: missing and failed ones to be exported, `due` ones the next run of the schedule. */
type Needed = Record<'missing' | 'failed' | 'skipped' | 'covered' | 'due', ReadonlySet<number>>

/**
 * A history of one export, and what it leaves to repair: every slot of five minutes is judged alone, from the runs that exist and
 * from what the schedule did when it was paused or edited.
 */
class History {
  #row: Pick<BatchExportRow, 'id' | 'project_id'> = { id: '', project_id: 0 }
  /** Start of the schedule's first window. */
  #began = 0
  #pausedAt: number | null = null
  /** Slots that a pause skipped. */
  readonly #skipped = new Set<number>()
  /** Whether an edit of the interval has divided windows: the ledger then shows what touches each. */
  #isDivided = false

  async create(interval: Interval): Promise<void> {
    const { id, team_id } = await createExport(service, { interval })
    this.#row = { id, project_id: team_id }
    this.#began = (await this.#export()).scheduled_until.getTime()
  }

  async perform(action: Step): Promise<void> {
    if (action === 'schedule') await tick(service.services)
    else if (action === 'pause') await this.#edit({ paused: true })
    else if (action === 'unpause') await this.#edit({ paused: false })
    else if (action === 'repair') await this.repair()
    else if ('pass' in action) service.clock.advance(action.pass * slotMs)
    else if ('work' in action) await this.#work(action.work)
    else if ('interval' in action) await this.#editInterval(action.interval)
    else if ('start' in action) {
      // An edit during a pause skips windows for two reasons, which the model does not tell apart.
      if (this.#pausedAt === null) await this.#edit({ start_at: at(action.start) })
    } else if ('end' in action) await this.#edit({ end_at: at(action.end) })
    else if ('backfill' in action) await this.#backfill(...action.backfill)
    else await this.#remove(action.remove)
  }

  /** Repairs everything, and checks that each window was sent once. */
  async repair(): Promise<void> {
    const before = await this.toRepair()
    const sent = await this.#sendAll()
    const expected = before.stretches.filter(({ cause }) => cause !== 'skipped').flatMap(windowsOf)
    expect(keysOf(sent)).toEqual(keysOf(expected))
    await this.#work(['Completed'])
    await continueRepairPlans(service.services)
    const { stretches } = await this.toRepair()
    expect(stretches.filter(({ cause }) => cause !== 'skipped')).toEqual([])
    const { repaired } = before
    const times = new Map<number, number>()
    for (const slot of (await this.#intervals('Completed')).flatMap(slotsOf))
      times.set(slot, (times.get(slot) ?? 0) + 1)
    for (const slot of repaired) expect(times.get(slot), 'a repaired slot is exported once').toBe(1)
  }

  /** Compares what is found with what each slot needs; returns both. */
  async toRepair(): Promise<{ stretches: RepairStretch[]; repaired: Set<number> }> {
    const now = service.clock.now()
    const scope = { projectIds: [this.#row.project_id], ids: [this.#row.id] }
    const found = await windowsToRepair(service.services.store, scope, repairPeriod(now), now)
    const stretches = found.get(this.#row.id) ?? []
    const repaired = stretches.filter(({ cause }) => cause !== 'skipped').flatMap(windowsOf)
    expect(await this.#numberAtHome(now)).toBe(repaired.length)
    const needed = await this.#needed(now)
    if (!this.#isDivided) await this.#compareLedger(needed, now)
    const slots = (...causes: RepairStretch['cause'][]) =>
      stretches.filter(({ cause }) => causes.includes(cause)).flatMap(slotsOf)
    expect(sorted(slots('missing')), 'missing').toEqual(sorted(needed.missing))
    expect(sorted(slots('failed')), 'failed').toEqual(sorted(needed.failed))
    expect(sorted(slots('skipped')), 'skipped').toEqual(sorted(needed.skipped))
    const short = stretches.filter(({ cause }) => cause === 'short').flatMap(windowsOf)
    expect(keysOf(short), 'short').toEqual(keysOf(await this.#gone()))
    for (const { start, end, length } of stretches) expect((end - start) % length).toBe(0)
    for (const { end, selectsBy } of stretches)
      expect(selectsBy).toBe(end <= this.#began ? 'time' : 'arrival')
    return { stretches, repaired: new Set([...needed.missing, ...needed.failed]) }
  }

  /** The number of windows to repair that the home page shows. */
  async #numberAtHome(now: number): Promise<number> {
    const { store } = service.services
    await refreshDays(store, this.#row.project_id, now)
    const row = store.selectFrom('batch_exports_to_repair').select('windows')
    return (await row.where('batch_export_id', '=', this.#row.id).executeTakeFirstOrThrow()).windows
  }

  /** Compares the ledger's state of every window with the recorded runs, and with what is needed of the others. */
  async #compareLedger({ missing, failed, covered, due }: Needed, now: number): Promise<void> {
    const { store } = service.services
    const ledger = await windowLedger(store, await this.#export(), repairPeriod(now), now)
    const entries = store.selectFrom('batch_export_ledger').selectAll()
    const recorded = await entries.where('batch_export_id', '=', this.#row.id).execute()
    const found = new Map(recorded.map((entry) => [keyOf(boundsOf(entry)), entry.objects_found]))
    const stateOf = (window: Window) => {
      const objects = found.get(keyOf(window))
      if (objects) return objects === 'gone' ? 'refuted' : 'proven'
      if (missing.has(window.start) || failed.has(window.start)) return 'missing'
      return covered.has(window.start) || due.has(window.start) ? 'pending' : 'skipped'
    }
    const expected = ledger.map((window) => `${keyOf(window)} ${stateOf(window)}`)
    expect(ledger.map((window) => `${keyOf(window)} ${window.state}`)).toEqual(expected)
  }

  async #editInterval(interval: Interval): Promise<void> {
    await this.#edit({ interval })
    this.#isDivided = true
  }

  async #needed(now: number): Promise<Needed> {
    const row = await this.#export()
    const runs = await this.#runs()
    const floor = (time: number) => windowAt(row.interval, time).start
    const boundsIn = (...statuses: RunRow['status'][]) =>
      runs.filter(({ status }) => statuses.includes(status)).map(boundsOf)
    const covered = new Set(boundsIn('Completed', 'Starting', 'Running').flatMap(slotsOf))
    // A backfill can also export windows that have yet to begin.
    const begun = boundsIn('Failed').filter(({ start }) => start < now)
    const failed = new Set(begun.flatMap(slotsOf)).difference(covered)
    const earliest = Math.min(this.#began, ...runs.map((run) => run.data_interval_start.getTime()))
    const from = Math.max(earliest, row.start_at ? floor(row.start_at.getTime()) : -Infinity)
    const until = Math.min(floor(now), row.end_at ? floor(row.end_at.getTime()) : Infinity)
    const skippedNow = new Set([...this.#skipped, ...this.#skippedByOpenPause(row, now)])
    const missing = new Set<number>()
    const skipped = new Set<number>()
    const due = new Set<number>()
    for (const slot of slotsOf({ start: from, end: until })) {
      if (covered.has(slot) || failed.has(slot)) continue
      if (skippedNow.has(slot)) skipped.add(slot)
      else if (slot < row.scheduled_until.getTime()) missing.add(slot)
      else due.add(slot)
    }
    return { missing, failed, skipped, covered, due }
  }

  #skippedByOpenPause(row: BatchExportRow, now: number): number[] {
    if (this.#pausedAt === null) return []
    const resumed = windowAt(row.interval, now).start
    if (windowAt(row.interval, this.#pausedAt).start >= resumed) return []
    return slotsOf({ start: skippedFrom(row, this.#pausedAt), end: resumed })
  }

  /** Edits the export; an edit that the API refuses changes nothing. */
  async #edit(body: object): Promise<void> {
    const before = await this.#export()
    const now = service.clock.now()
    const url = `/api/projects/@current/batch_exports/${this.#row.id}/`
    const response = await service.request('PATCH', url, { body })
    if (response.status === 400) return
    expect(response.status, response.text).toBe(200)
    const after = await this.#export()
    if (this.#began > now) this.#began = after.scheduled_until.getTime()
    if (!before.paused && after.paused) this.#pausedAt = now
    if (!before.paused || after.paused) return
    const jumped = {
      start: skippedFrom(before, this.#pausedAt ?? now),
      end: Math.min(after.scheduled_until.getTime(), now),
    }
    this.#pausedAt = null
    for (const slot of slotsOf(jumped)) this.#skipped.add(slot)
  }

  async #backfill(from: number, slots: number): Promise<void> {
    const start = service.clock.now() + from * slotMs
    const body = { start_at: formatInstant(start), end_at: formatInstant(start + slots * slotMs) }
    const url = `/api/projects/@current/batch_exports/${this.#row.id}/backfill/`
    await service.request('POST', url, { body })
  }

  /** Ends the waiting runs with these outcomes in turn. */
  async #work(results: readonly Outcome[]): Promise<void> {
    const row = await this.#export()
    const waiting = (await this.#runs()).filter(({ status }) => status === 'Starting')
    for (const [index, run] of waiting.entries()) {
      const outcome = results[index % results.length] ?? 'waiting'
      if (outcome === 'waiting') continue
      const status = outcome === 'gone' ? 'Completed' : outcome
      const at = new Date(service.clock.now())
      await service.services.store.transaction().execute(async (transaction) => {
        const ended = { status, finished_at: at, records_completed: 1, records_total_count: 1 }
        await changeRuns(transaction, ended, sql`id = ${run.id}`)
        if (status !== 'Completed') return
        await recordWindow(transaction, {
          batch_export_id: row.id,
          data_interval_start: run.data_interval_start,
          data_interval_end: run.data_interval_end,
          run_id: run.id,
          selects_by: run.selects_by,
          taken_until: at,
          settings: ledgerSettings(row),
          rows_expected: 1,
          rows_written: 1,
          objects: [],
          written_at: at,
        })
      })
      if (outcome === 'gone') await this.#found(run.id, 'gone')
    }
    await this.#verified()
  }

  /** Removes the object of a recorded window, as a verification notices. */
  async #remove(index: number): Promise<void> {
    const entries = await service.services.store
      .selectFrom('batch_export_ledger')
      .select('run_id')
      .where('batch_export_id', '=', this.#row.id)
      .orderBy('data_interval_start')
      .orderBy('data_interval_end')
      .execute()
    const entry = entries[index % Math.max(1, entries.length)]
    if (entry) await this.#found(entry.run_id, 'gone')
  }

  async #found(runId: string, objects_found: 'gone' | 'intact'): Promise<void> {
    await noteDays(service.services.store, this.#row.id)
    await service.services.store
      .updateTable('batch_export_ledger')
      .set({
        objects_found,
        verified_at: new Date(service.clock.now()),
        rows_read: objects_found === 'intact' ? 1 : null,
      })
      .where('run_id', '=', runId)
      .execute()
  }

  async #verified(): Promise<void> {
    await noteDays(service.services.store, this.#row.id)
    await service.services.store
      .updateTable('batch_export_ledger')
      .set({
        objects_found: 'intact',
        rows_read: 1,
        verified_at: new Date(service.clock.now()),
        verify_requested_at: null,
      })
      .where('batch_export_id', '=', this.#row.id)
      .where('verified_at', 'is', null)
      .execute()
  }

  /** Runs a repair plan until all its windows wait for a worker, and returns them. */
  async #sendAll(): Promise<Window[]> {
    const { services, clock } = service
    const period = repairPeriod(clock.now())
    const { project_id: projectId, id } = this.#row
    const known = new Set((await this.#runs()).map((run) => run.id))
    const plan = await planRepair(services, { projectId, ids: [id], period, actor: 'Key', stepsMax: 10_000 })
    await services.store.transaction().execute(async (transaction) => {
      await runRepairPlan(services, transaction, await lockRepairPlan(transaction, plan?.id ?? ''))
    })
    const sent: Window[] = []
    for (;;) {
      await continueRepairPlans(services)
      const added = (await this.#runs()).filter((run) => !known.has(run.id))
      for (const run of added) known.add(run.id)
      sent.push(...added.map(boundsOf))
      const { status } = await services.store
        .transaction()
        .execute((transaction) => lockRepairPlan(transaction, plan?.id ?? ''))
      if (status === 'Completed') return sent
      await this.#work(['Completed'])
      await this.#verified()
      await this.#endVerification()
    }
  }

  async #endVerification(): Promise<void> {
    await service.services.store
      .updateTable('batch_export_ledger')
      .set({ verify_requested_at: null })
      .where('batch_export_id', '=', this.#row.id)
      .execute()
  }

  async #gone(): Promise<Window[]> {
    const entries = await service.services.store
      .selectFrom('batch_export_ledger')
      .selectAll()
      .where('batch_export_id', '=', this.#row.id)
      .where('objects_found', '=', 'gone')
      .where('data_interval_start', '<', new Date(service.clock.now()))
      .execute()
    const waiting = keysOf(await this.#intervals('Starting'))
    return entries.map(boundsOf).filter((window) => !waiting.includes(keyOf(window)))
  }

  async #intervals(status: RunRow['status']): Promise<Window[]> {
    const runs = (await this.#runs()).filter((run) => run.status === status)
    return [...new Map(runs.map((run) => [keyOf(boundsOf(run)), boundsOf(run)])).values()]
  }

  #runs(): Promise<RunRow[]> {
    const runs = service.services.store.selectFrom('batch_export_runs').selectAll()
    return runs.where('batch_export_id', '=', this.#row.id).orderBy('id').execute()
  }

  #export(): Promise<BatchExportRow> {
    const exports = service.services.store.selectFrom('batch_exports').selectAll()
    return exports.where('id', '=', this.#row.id).executeTakeFirstOrThrow()
  }
}

/** A pause skips no window that ended before it: only the export's end can have kept that one from its run. */
function skippedFrom({ interval, scheduled_until }: BatchExportRow, pausedAt: number): number {
  return Math.max(scheduled_until.getTime(), windowAt(interval, pausedAt).start)
}

function at(slots: number | null): string | null {
  return slots === null ? null : formatInstant(service.clock.now() + slots * slotMs)
}

function boundsOf(run: Pick<RunRow, 'data_interval_start' | 'data_interval_end'>): Window {
  return { start: run.data_interval_start.getTime(), end: run.data_interval_end.getTime() }
}

function slotsOf({ start, end }: Window): number[] {
  return Array.from({ length: Math.max(0, (end - start) / slotMs) }, (_, index) => start + index * slotMs)
}

function windowsOf({ start, end, length }: RepairStretch): Window[] {
  return Array.from({ length: (end - start) / length }, (_, index) => ({
    start: start + index * length,
    end: start + (index + 1) * length,
  }))
}

function keyOf({ start, end }: Window): string {
  return `${new Date(start).toISOString()} ${new Date(end).toISOString()}`
}

function keysOf(windows: readonly Window[]): string[] {
  return windows.map(keyOf).toSorted()
}

function sorted(slots: Iterable<number>): string[] {
  return [...slots].toSorted((one, other) => one - other).map((slot) => new Date(slot).toISOString())
}

async function check(numRuns: number, stepsMax: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...intervals),
      fc.array(step, { minLength: 5, maxLength: stepsMax }),
      async (interval, steps) => {
        const history = new History()
        await history.create(interval)
        for (const each of steps) await history.perform(each)
        await history.repair()
      },
    ),
    { numRuns },
  )
}

test('no window is missed, invented or doubled, whatever happens to an export', () => check(5, 20), 60_000)

test(
  'no window is missed, invented or doubled in many histories',
  { tags: ['slow'], timeout: 1_800_000 },
  () => check(400, 30),
)
