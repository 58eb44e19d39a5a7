import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BatchExport } from '../../contract/exports/batch-export.ts'
import { openIngest, type Ingest } from '../capture/ingest.ts'
import { createServer } from '../server/server.ts'
import type { Services } from '../services.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'
import { tick } from '../background/scheduler.ts'
import { openWorker, type Worker } from './worker.ts'

const minute = 60_000
const hour = 60 * minute

/** One of several processes on the same engines, on a machine with its own clock. */
type Process = {
  services: Services
  server: FastifyInstance
  ingest: Ingest
  worker: Worker
  /** Time (ms) by which the machine's clock is ahead of the database's. */
  skew: number
  /** While set, this process's inserts into the warehouse hang. */
  stalled: PromiseWithResolvers<void> | null
}

let service: TestService
let processes: Process[]
/** The time of the database's clock, in milliseconds since the epoch. */
let databaseTime: number
let latestTime: number

beforeAll(async () => {
  service = await createTestService()
  databaseTime = latestTime = service.clock.now()
  processes = await Promise.all(Array.from({ length: 3 }, openProcess))
})
afterAll(async () => {
  for (const { server } of processes) await server.close()
  await service.stop()
})

async function openProcess(): Promise<Process> {
  const { services } = service
  const process: Omit<Process, 'services' | 'server' | 'ingest' | 'worker'> = { skew: 0, stalled: null }
  const own: Services = {
    ...services,
    clock: { now: () => databaseTime + process.skew, databaseTime: () => databaseTime },
    warehouse: {
      ...services.warehouse,
      async insert(...row) {
        await process.stalled?.promise
        await services.warehouse.insert(...row)
      },
    },
  }
  const server = await createServer(own)
  return Object.assign(process, { services: own, server, ingest: openIngest(own), worker: openWorker(own) })
}

const step = fc.record({
  process: fc.nat({ max: 2 }),
  action: fc.oneof(
    { weight: 5, arbitrary: fc.record({ capture: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 4, arbitrary: fc.record({ advance: fc.integer({ min: -100, max: 120 }) }) },
    { weight: 2, arbitrary: fc.record({ skew: fc.integer({ min: -100, max: 100 }) }) },
    { weight: 5, arbitrary: fc.constant('schedule' as const) },
    { weight: 1, arbitrary: fc.constant('create' as const) },
    { weight: 1, arbitrary: fc.constant('stall' as const) },
    { weight: 1, arbitrary: fc.constant('resume' as const) },
  ),
})

test('every acknowledged event is in exactly one file, whatever the clocks of the database and three machines do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const trial = new Trial()
      await trial.create(processAt(0))
      for (const { process: index, action } of steps) {
        const process = processAt(index)
        if (action === 'schedule') await trial.schedule(process)
        else if (action === 'create') await trial.create(process)
        else if (action === 'stall') process.stalled ??= Promise.withResolvers()
        else if (action === 'resume') resume(process)
        else if ('capture' in action) await trial.capture(process, action.capture)
        else if ('advance' in action) advance(action.advance * minute)
        else process.skew = action.skew * minute
      }
      await trial.finish()
    }),
    { numRuns: 6 },
  )
}, 300_000)

/** The exports and events of one sequence of steps. */
class Trial {
  readonly #exports: { id: string; expected: string[] }[] = []
  readonly #captured = new Set<string>()
  readonly #capturing: Promise<void>[] = []

  async create({ server }: Process): Promise<void> {
    const response = await server.inject({
      method: 'POST',
      url: `/api/projects/${service.own.project_id}/batch_exports/`,
      headers: { authorization: `Bearer ${service.own.api_key}` },
      payload: {
        name: 'Clocks',
        interval: 'hour',
        destination: { type: 'File', config: { path: randomUUID() } },
      },
    })
    expect(response.statusCode, response.body).toBe(201)
    this.#exports.push({ id: BatchExport.parse(response.json()).id, expected: [] })
  }

  /** Sends events; resolves when they are acknowledged, or at once while inserts hang. */
  async capture({ ingest, stalled }: Process, count: number): Promise<void> {
    const uuids = Array.from({ length: count }, () => randomUUID())
    const expecting = this.#exports.map(({ expected }) => expected)
    for (const uuid of uuids) this.#captured.add(uuid)
    const add = async () => {
      await ingest.add(service.own.project_id, uuids.map(event))
      for (const expected of expecting) expected.push(...uuids)
    }
    const capturing = add()
    this.#capturing.push(capturing)
    if (!stalled) await capturing
  }

  async schedule({ services, worker }: Process): Promise<number> {
    const { created } = await tick(services)
    const runs = await services.store
      .selectFrom('batch_export_runs')
      .select('id')
      .where('status', '=', 'Starting')
      .execute()
    for (const { id } of runs) await worker.work(id)
    return created
  }

  /** Completes all inserts, moves the clocks past the latest time that any of them showed, and checks the files. */
  async finish(): Promise<void> {
    for (const process of processes) {
      resume(process)
      process.skew = 0
    }
    await Promise.all(this.#capturing)
    databaseTime = latestTime + 3 * hour
    latestTime = databaseTime
    while ((await this.schedule(processAt(0))) > 0);
    for (const { id, expected } of this.#exports) {
      const exported = await this.#exported(id)
      expect(new Set(exported).size, 'no event is exported twice').toBe(exported.length)
      expect(new Set(expected).difference(new Set(exported)), 'no event is lost').toEqual(new Set())
    }
    await service.services.store
      .updateTable('batch_exports')
      .set({ deleted_at: new Date(databaseTime) })
      .execute()
  }

  async #exported(exportId: string): Promise<string[]> {
    const { store, exportsFolder } = service.services
    const folder = join(exportsFolder ?? '', `${service.own.project_id}`)
    const runs = await store
      .selectFrom('batch_export_runs')
      .select(['status', 'files'])
      .where('batch_export_id', '=', exportId)
      .execute()
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['Completed']))
    const files = await Promise.all(
      runs.flatMap((run) => run.files).map((file) => readFile(join(folder, file), 'utf8')),
    )
    return files
      .flatMap((text) => text.trimEnd().split('\n'))
      .map((line): string => JSON.parse(line).uuid)
      .filter((uuid) => this.#captured.has(uuid))
  }
}

function processAt(index: number): Process {
  const process = processes[index]
  if (!process) throw new Error(`there is no process ${index}`)
  return process
}

function advance(ms: number): void {
  databaseTime += ms
  latestTime = Math.max(latestTime, databaseTime)
}

function resume(process: Process): void {
  process.stalled?.resolve()
  process.stalled = null
}

function event(uuid: string) {
  return {
    uuid,
    event: 'captured',
    distinctId: 'someone',
    timestamp: databaseTime,
    properties: '{}',
    sessionId: '',
    elementsChain: '',
    change: null,
  }
}
