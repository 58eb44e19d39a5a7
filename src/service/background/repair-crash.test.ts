import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startReceiver, type TestReceiver } from '../testing/servers/test-receiver.ts'
import { itemAt, serviceClient, type ServiceClient } from '../testing/test-service-client.ts'
import { startServiceProcess, type ServiceProcess } from '../testing/servers/test-service-process.ts'

const apiKey = `phx_${'e'.repeat(40)}`
const crashes = Number(process.env['SPOOL_TEST_CRASHES'] ?? 3)
const hour = 3_600_000
const hours = 24
const until = Math.floor(Date.now() / hour) * hour - hour
const from = until - hours * hour
const names = ['first', 'second', 'third']
const windows = names.length * hours
/** A message that was being sent when its process died is sent again after a minute. */
const timeout = 180_000

let folder: string
let receiver: TestReceiver
let service: ServiceProcess | null = null
let client: ServiceClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-repair-crash-'))
  receiver = await startReceiver()
  client = serviceClient(folder, apiKey, () => service?.origin)
})
afterAll(async () => {
  await service?.stop()
  receiver.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test(
  `${crashes} crashes during a repair, and a receiver that fails every other time, lose and double no window and no message`,
  { tags: ['slow'], timeout: 900_000 },
  async () => {
    receiver.state.answer = (response) => {
      if (receiver.received.length % 2 === 0) response.end('ok')
      else response.destroy()
    }
    await start()
    const project = '/api/projects/@current'
    const channel = { type: 'webhook', name: 'On call', url: `${receiver.origin}/` }
    await client.request('POST', `${project}/alert_channels/`, channel)
    const events = Array.from({ length: hours * 10 }, (_, index) =>
      itemAt(from + (index * (until - from)) / (hours * 10)),
    )
    expect(await client.capture(await client.projectToken(), events)).toBe(200)

    const inTheWay = join(folder, 'exports', '1', 'shared')
    await mkdir(join(folder, 'exports', '1'), { recursive: true })
    await writeFile(inTheWay, 'A file.')
    for (const name of names) await failOnce(`shared/${name}`)
    await crash()
    await vi.waitFor(() => expect(transitions()).toEqual(['opened']), { timeout, interval: 1000 })
    await rm(inTheWay)

    const plan = await client.request<Plan>('POST', `${project}/repair_plans/`, {})
    // The plan cannot know that the folder is free again, so it leaves the steps out until they are included.
    const include = plan.results.map(({ number }) => number)
    await client.request('POST', `${project}/repair_plans/${plan.id}/run/`, { include })
    for (let crashed = 0; crashed < crashes; crashed += 1) {
      await untilExported((crashed * windows) / crashes)
      await crash()
    }
    const path = `${project}/repair_plans/${plan.id}/`
    const repaired = async () => await client.request<Plan>('GET', path)
    await vi.waitFor(async () => expect((await repaired()).status).toBe('Completed'), {
      timeout,
      interval: 1000,
    })
    expect(await repaired()).toMatchObject({ windows, proven: windows })
    await vi.waitFor(() => expect(transitions()).toEqual(['opened', 'recovered']), {
      timeout,
      interval: 1000,
    })

    const { rows: exported } = await client.withDatabase((database) =>
      database.query(`SELECT FROM batch_export_runs WHERE status = 'Completed'`),
    )
    expect(exported).toHaveLength(windows)
    const sent = events.map(({ uuid }) => uuid).sort()
    for (const name of names) expect((await client.exportedIds(`shared/${name}`)).sort()).toEqual(sent)
    expect(await storedMessages()).toEqual(new Set(messages().keys()))
  },
)

type Plan = {
  id: string
  status: string
  windows: number
  proven: number
  results: readonly { number: number }[]
}

async function start(): Promise<void> {
  service = await startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey })
}

/** Kills the service and PostgreSQL, and starts both again. */
async function crash(): Promise<void> {
  await service?.kill(true)
  await start()
}

/** Creates an export whose schedule has ended, and makes its windows fail. */
async function failOnce(path: string): Promise<void> {
  const id = await client.createExport(path, 'hour')
  await client.request('PATCH', `/api/projects/@current/batch_exports/${id}/`, {
    end_at: new Date(until).toISOString(),
  })
  await client.backfill(id, from, until)
  await client.untilAllEnded()
}

async function untilExported(count: number): Promise<void> {
  await client.withDatabase(async (database) => {
    for (;;) {
      const { rows } = await database.query<{ status: string }>(
        `SELECT status FROM batch_export_runs WHERE status IN ('Running', 'Completed')`,
      )
      const completed = rows.filter(({ status }) => status === 'Completed').length
      if (completed >= count && completed < rows.length) return
    }
  })
}

/** The transition of each message that has arrived, whether or not the answer was received, by id. */
function messages(): Map<string, string> {
  return new Map(
    receiver.received.map(({ body }) => {
      const { id, transition } = JSON.parse(body) as { id: string; transition: string }
      return [id, transition]
    }),
  )
}

function transitions(): string[] {
  return [...messages().values()]
}

async function storedMessages(): Promise<Set<string>> {
  const { rows } = await client.withDatabase((database) =>
    database.query<{ id: string }>('SELECT id FROM alert_deliveries'),
  )
  return new Set(rows.map(({ id }) => id))
}
