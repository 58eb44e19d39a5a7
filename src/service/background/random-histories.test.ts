import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RepairPlanDetails, repairPeriod } from '../../contract/repair/repair-plan.ts'
import { formatInstant } from '../../contract/instant.ts'
import { intervalLength, type Interval, type Window } from '../../contract/interval.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { requestVerification } from '../store/windows/verifications.ts'
import { windowLedger, type LedgeredInterval } from '../store/windows/window-ledger.ts'
import { windowsToRepair } from '../store/windows/windows-to-repair.ts'
import { createExport } from '../testing/test-rows.ts'
import { bodyOf, createTestService, type TestService } from '../testing/test-service.ts'
import { endPauses } from './end-pauses.ts'
import { continueRepairPlans } from './run-repair-plans.ts'
import { tick } from './scheduler.ts'
import { takeOverAll } from '../store/runs/write-runs.ts'
import { verifyNext } from './verify-windows.ts'
import { openWorker, type Worker } from '../runs/worker.ts'

/* Random histories of an export with real runs and files: the model knows the events, the files and which runs are waiting. */

const slotMs = 15 * 60_000
const intervals = ['hour', 'every 30 minutes', 'every 15 minutes'] as const satisfies Interval[]
/** Slots with events before the export is created. */
const earlierSlots = 8
const { signal } = new AbortController()

const outcome = fc.constantFrom('ok', 'ok', 'ok', 'fail', 'cancel', 'die before', 'die after')
type Outcome = typeof outcome extends fc.Arbitrary<infer Value> ? Value : never
const slotsFromNow = (min: number, max: number) => fc.option(fc.integer({ min, max }))
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      pass: fc.integer({ min: 1, max: 10 }),
      /** Slots by which an event is late. */
      late: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ work: fc.array(outcome, { minLength: 1, maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ pause: slotsFromNow(1, 15) }) },
  { weight: 2, arbitrary: fc.constant('unpause' as const) },
  { weight: 1, arbitrary: fc.record({ interval: fc.constantFrom(...intervals) }) },
  { weight: 1, arbitrary: fc.record({ start_at: slotsFromNow(-20, 10) }) },
  { weight: 1, arbitrary: fc.record({ end_at: slotsFromNow(-20, 10) }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.nat({ max: 50 }) }) },
  { weight: 1, arbitrary: fc.record({ repair: fc.array(outcome, { minLength: 1, maxLength: 6 }) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

let service: TestService
let worker: Worker
beforeAll(async () => {
  service = await createTestService({ now: '2026-03-04T10:02:30Z' })
  worker = openWorker(service.services)
})
afterAll(() => service.stop())

/** A file at the destination. */
type File = Window & { path: string; uuids: string[] }

class History {
  #id = ''
  #folder = ''
  /** Start of the first window that was ever to be exported. */
  #earliest = 0
  /** Start of the schedule's first window: no later event is said to have taken place before it. */
  #began = 0
  /** When each event arrived. */
  readonly #arrivals = new Map<string, number>()
  /** Files that somebody removed and nothing has written again. */
  readonly #removed = new Set<string>()

  async create(interval: Interval, earlierWindows: number): Promise<void> {
    // Earlier histories have events of the same project.
    service.clock.advance(earlierSlots * slotMs)
    const now = service.clock.now()
    const path = crypto.randomUUID()
    const { id } = await createExport(service, { interval, destination: { type: 'File', config: { path } } })
    this.#id = id
    this.#folder = join(service.services.exportsFolder ?? '', `${service.own.project_id}`, path)
    this.#began = floor(interval, now)
    this.#earliest = this.#began - earlierWindows * intervalLength(interval)
    await this.#capture(Array.from({ length: earlierSlots }, (_, index) => [now - index * slotMs]))
    if (earlierWindows === 0) return
    const body = { start_at: formatInstant(this.#earliest), end_at: formatInstant(this.#began) }
    expect(await this.#request('POST', 'backfill/', body)).toBe(200)
  }

  async perform(action: Step): Promise<void> {
    if (action === 'unpause') await this.#request('POST', 'unpause/', {})
    else if ('pass' in action) await this.#pass(action.pass, action.late)
    else if ('work' in action) await this.#work(action.work)
    else if ('pause' in action) {
      await this.#schedule()
      await this.#request('POST', 'pause/', { until: at(action.pause) })
    } else if ('interval' in action) {
      const row = await this.#export()
      // Windows of a shorter interval may have ended before the pause began; they count as due until it ends.
      const isDue = row.paused && intervalLength(action.interval) < intervalLength(row.interval)
      if (!isDue) await this.#request('PATCH', '', action)
    } else if ('remove' in action) await this.#remove(action.remove)
    else if ('repair' in action) await this.#repair(action.repair, { includesSkipped: false })
    // Whether a pause or the edit skips a window would depend on their order, which the files do not show.
    else if (!(await this.#export()).paused)
      await this.#request(
        'PATCH',
        '',
        'start_at' in action ? { start_at: at(action.start_at) } : { end_at: at(action.end_at) },
      )
  }

  /**
   * Compares files, plan and ledger with the events: a file has all that arrived within its bounds, the plan repairs all slots
   * without a file, and the ledger says the same of each window. Returns the slots to repair.
   */
  async compare(): Promise<Set<number>> {
    await this.#schedule()
    await this.#verifyAll()
    const now = service.clock.now()
    const row = await this.#export()
    const files = await this.#files()
    for (const file of files) expect(file.uuids.toSorted(), file.path).toEqual(this.#arrivedIn(file))
    const runs = await this.#runs()
    const pending = slotsOfAll(runs.filter(({ status }) => ['Starting', 'Running'].includes(status)))
    const written = new Set(files.flatMap(slotsOf))
    const lacking = (slots: Iterable<number>) =>
      [...slots].filter((slot) => !written.has(slot) && !pending.has(slot))
    const begins = Math.max(this.#earliest, row.start_at ? floor(row.interval, row.start_at.getTime()) : 0)
    const ends = floor(row.interval, Math.min(now, row.end_at?.getTime() ?? Infinity))
    // Failed and removed windows are repaired even if an edit has excluded them from the schedule since.
    const failed = lacking(slotsOfAll(runs.filter(({ status }) => status === 'Failed')))
    const gone = lacking([...this.#removed].flatMap((path) => slotsOf(boundsOfFile(path))))
    const expected = new Set([...lacking(slotsOf({ start: begins, end: ends })), ...failed, ...gone])
    const scope = { projectIds: [row.project_id], ids: [row.id] }
    const found = await windowsToRepair(service.services.store, scope, repairPeriod(now), now)
    expect(sorted((found.get(row.id) ?? []).flatMap(slotsOf)), 'planned').toEqual(sorted(expected))
    for (const window of await windowLedger(service.services.store, row, { start: begins, end: now }, now)) {
      for (const each of [window, ...window.recorded]) this.#compareRows(each)
      const own = slotsOf(window)
      if (window.end > ends || own.some((slot) => pending.has(slot))) continue
      const missing = own.filter((slot) => expected.has(slot))
      const isGone = missing.every((slot) => gone.includes(slot))
      const states = missing.length === 0 ? ['proven'] : isGone ? ['refuted'] : ['missing', 'skipped']
      expect(states, nameOf(window)).toContain(window.state)
    }
    return expected
  }

  #compareRows({ entry, state, ...window }: LedgeredInterval): void {
    if (!entry) return
    const { rows_expected, rows_written, rows_read } = entry
    const bounds = { start: entry.data_interval_start.getTime(), end: entry.data_interval_end.getTime() }
    const rows = this.#arrivedIn(bounds).length
    expect([rows_expected, rows_written], nameOf(window)).toEqual([rows, rows])
    if (state === 'proven') expect(rows_read, nameOf(window)).toBe(rows)
  }

  /** Ends every limit of the export, and repairs all: then each event is in exactly one file. */
  async finish(): Promise<void> {
    await this.#request('PATCH', '', { paused: false, start_at: null, end_at: null })
    await this.#pass(4, [])
    await this.#work(['ok'])
    await this.#repair(['ok'], { includesSkipped: true })
    expect(await this.compare()).toEqual(new Set())
    const { interval } = await this.#export()
    const ended = { start: this.#earliest, end: floor(interval, service.clock.now()) }
    const exported = (await this.#files()).flatMap(({ uuids }) => uuids).toSorted()
    expect(exported).toEqual(this.#arrivedIn(ended))
    await this.#request('DELETE', '')
  }

  async #repair(
    outcomes: readonly Outcome[],
    { includesSkipped }: { includesSkipped: boolean },
  ): Promise<void> {
    const expected = await this.compare()
    const path = '/api/projects/@current/repair_plans/'
    const created = await service.request('POST', path, { body: { batch_export_ids: [this.#id] } })
    const plan = bodyOf(RepairPlanDetails, created)
    const include = includesSkipped ? plan.results.map(({ number }) => number) : []
    const before = await this.#runs()
    await service.request('POST', `${path}${plan.id}/run/`, { body: { include } })
    const status = async () =>
      bodyOf(RepairPlanDetails, await service.request('GET', `${path}${plan.id}/`)).status
    while ((await status()) !== 'Completed') {
      await continueRepairPlans(service.services)
      await this.#work(outcomes)
      await takeOverAll(service.services)
      await this.#verifyAll()
    }
    const known = new Set(before.map(({ id }) => id))
    const sent = (await this.#runs())
      .filter(({ id }) => !known.has(id))
      .flatMap((run) => slotsOf(boundsOf(run)))
    expect(new Set(sent).size, 'no slot is sent twice').toBe(sent.length)
    if (includesSkipped) expect(sorted(sent), 'sent').toEqual(sorted(expected))
  }

  /** Lets slots pass, in each of which an event arrives; those that are late arrive in the last one. */
  async #pass(count: number, late: readonly number[]): Promise<void> {
    const now = service.clock.now()
    service.clock.advance(count * slotMs)
    const end = service.clock.now()
    await this.#capture([
      ...Array.from({ length: count }, (_, index): [number] => [now + (index + 1) * slotMs]),
      ...late.map((by): [number, number] => [end, Math.max(this.#began, end - by * slotMs)]),
    ])
  }

  async #capture(events: readonly [arrival: number, timestamp?: number][]): Promise<void> {
    const lines = events.map(([arrival, timestamp = arrival]) => {
      const uuid = crypto.randomUUID()
      this.#arrivals.set(uuid, arrival)
      return JSON.stringify({
        team_id: service.own.project_id,
        uuid,
        event: 'captured',
        properties: '{}',
        distinct_id: 'someone',
        timestamp: new Date(timestamp).toISOString(),
        created_at: new Date(arrival).toISOString(),
        inserted_at: new Date(arrival).toISOString(),
        elements_chain: '',
        person_id: uuid,
        person_properties: '{}',
      })
    })
    await service.services.warehouse.insert('events', lines.join('\n'))
  }

  #arrivedIn({ start, end }: Window): string[] {
    const arrived = [...this.#arrivals].filter(([, arrival]) => start <= arrival && arrival < end)
    return arrived.map(([uuid]) => uuid).toSorted()
  }

  async #schedule(): Promise<void> {
    await endPauses(service.services)
    while ((await tick(service.services)).created > 0);
  }

  /** Ends the waiting runs with these outcomes in turn; runs of dead workers are taken over and complete. */
  async #work(outcomes: readonly Outcome[]): Promise<void> {
    await this.#schedule()
    const waiting = (await this.#runs()).filter(({ status }) => ['Starting', 'Running'].includes(status))
    for (const [index, run] of waiting.entries()) {
      const outcome = run.status === 'Running' ? 'ok' : outcomes[index % outcomes.length]
      if (outcome === 'fail') await this.#change(run, { status: 'Failed', finished_at: new Date() })
      else if (outcome === 'cancel') await this.#request('POST', `runs/${run.id}/cancel/`, {})
      else if (outcome === 'die before') await this.#die(run)
      else if (outcome === 'die after' && !(await this.#isRecorded(run))) {
        await worker.work(run.id)
        await service.services.store.deleteFrom('batch_export_ledger').where('run_id', '=', run.id).execute()
        await this.#die(run)
      } else await worker.work(run.id)
    }
    for (const { path } of await this.#files()) this.#removed.delete(path)
  }

  /** Leaves a run as a worker does that dies before it ends the run. */
  async #die(run: RunRow): Promise<void> {
    const heartbeat_at = new Date(service.clock.now())
    await this.#change(run, { status: 'Running', worker_id: 'dead', heartbeat_at, finished_at: null })
  }

  #change({ id }: RunRow, values: Partial<RunRow>): Promise<unknown> {
    return service.services.store.updateTable('batch_export_runs').set(values).where('id', '=', id).execute()
  }

  async #isRecorded(run: RunRow): Promise<boolean> {
    const entry = await service.services.store
      .selectFrom('batch_export_ledger')
      .select('run_id')
      .where('batch_export_id', '=', this.#id)
      .where('data_interval_start', '=', run.data_interval_start)
      .where('data_interval_end', '=', run.data_interval_end)
      .executeTakeFirst()
    return entry !== undefined
  }

  /** Removes a file of a recorded window. */
  async #remove(index: number): Promise<void> {
    const files = await this.#files()
    const file = files[index % Math.max(1, files.length)]
    if (!file) return
    const pending = slotsOfAll((await this.#runs()).filter(({ status }) => status === 'Running'))
    if (slotsOf(file).some((slot) => pending.has(slot))) return
    await rm(join(this.#folder, file.path))
    this.#removed.add(file.path)
  }

  async #verifyAll(): Promise<void> {
    const selection = { start: new Date(0), end: new Date(service.clock.now()) }
    const request = { batchExportId: this.#id, actor: 'Key', at: new Date(service.clock.now()), selection }
    await requestVerification(service.services.store, request)
    while (await verifyNext(service.services, signal));
  }

  async #files(): Promise<File[]> {
    const paths = (await readdir(this.#folder).catch(() => [])).toSorted()
    return await Promise.all(
      paths.map(async (path) => {
        const lines = (await readFile(join(this.#folder, path), 'utf8')).trimEnd().split('\n')
        return { ...boundsOfFile(path), path, uuids: lines.map((line): string => JSON.parse(line).uuid) }
      }),
    )
  }

  /** Sends a request about the export; the API may refuse it. */
  async #request(method: string, path: string, body?: object): Promise<number> {
    const url = `/api/projects/@current/batch_exports/${this.#id}/${path}`
    const { status, text } = await service.request(method, url, { body })
    expect([200, 204, 400], text).toContain(status)
    return status
  }

  #runs(): Promise<RunRow[]> {
    const runs = service.services.store.selectFrom('batch_export_runs').selectAll()
    return runs.where('batch_export_id', '=', this.#id).orderBy('id').execute()
  }

  #export(): Promise<BatchExportRow> {
    const exports = service.services.store.selectFrom('batch_exports').selectAll()
    return exports.where('id', '=', this.#id).executeTakeFirstOrThrow()
  }
}

/** Windows of these intervals start at multiples of their length. */
function floor(interval: Interval, time: number): number {
  return time - (time % intervalLength(interval))
}

function at(slots: number | null): string | null {
  return slots === null ? null : formatInstant(service.clock.now() + slots * slotMs)
}

function boundsOf(run: RunRow): Window {
  return { start: run.data_interval_start.getTime(), end: run.data_interval_end.getTime() }
}

/** Reads the bounds from a name like `2026-03-04T10:00:00+00:00-2026-03-04T11:00:00+00:00.jsonl`. */
function boundsOfFile(name: string): Window {
  return { start: Date.parse(name.slice(0, 25)), end: Date.parse(name.slice(26, 51)) }
}

function slotsOf({ start, end }: Window): number[] {
  return Array.from({ length: Math.max(0, (end - start) / slotMs) }, (_, index) => start + index * slotMs)
}

function slotsOfAll(runs: readonly RunRow[]): Set<number> {
  return new Set(runs.map(boundsOf).flatMap(slotsOf))
}

function nameOf({ start, end }: Window): string {
  return `${new Date(start).toISOString()} to ${new Date(end).toISOString()}`
}

function sorted(slots: Iterable<number>): string[] {
  return [...slots].toSorted((one, other) => one - other).map((slot) => new Date(slot).toISOString())
}

async function check(numRuns: number, maxLength: number): Promise<void> {
  const steps = fc.array(step, { minLength: maxLength / 2, maxLength, size: 'max' })
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...intervals),
      fc.nat({ max: 1 }),
      steps,
      async (interval, earlier, steps) => {
        const history = new History()
        await history.create(interval, earlier)
        for (const each of steps) await history.perform(each)
        await history.finish()
      },
    ),
    { numRuns },
  )
}

test(
  'plan and ledger show what the files lack; a repair leaves every event in exactly one',
  () => check(1, 14),
  120_000,
)

test('plan, ledger and repair are right in many histories', { tags: ['slow'], timeout: 1_800_000 }, () =>
  check(40, 20),
)
