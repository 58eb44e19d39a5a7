import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IncrementalSource, MouseInteractions } from '../../../replay/recorded/rrweb.ts'
import { readConfig } from '../../config.ts'
import { openEngines, type Engines } from '../../engines/engines.ts'
import { readBlock } from '../../snapshots/blocks.ts'
import { startServiceProcess, type ServiceProcess } from '../../testing/servers/test-service-process.ts'
import { recorded, snapshotItem, start } from '../../testing/test-replay.ts'

const apiKey = `phx_${'d'.repeat(40)}`
const deaths = Number(process.env['SPOOL_TEST_CRASHES'] ?? 1)
const clients = 4
const sessions = Array.from({ length: 5 }, (_, index) => `session-${index}`)

let folder: string
/** The service that is running or starting. */
let service: Promise<ServiceProcess>
let engines: Engines | null = null
const over = new AbortController()
let acknowledged = 0
let awaited: { count: number; reached: () => void } | null = null
/** All lines created so far; each is sent until acknowledged. */
const sent: { session: string; line: string }[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-replay-death-'))
})
afterAll(async () => {
  await engines?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

test(`stores and counts acknowledged replay exactly once while the service is killed ${deaths} times`, async () => {
  service = startService()
  const token = await projectToken()
  const visits = Array.from({ length: clients }, () => visit(token))
  for (let death = 0; death < deaths; death += 1) {
    await untilAcknowledged(acknowledged + 1 + (death % 5) * clients)
    // Kills at a different point in the work each time.
    for (let turn = 0; turn < death * 200; turn += 1) await new Promise(setImmediate)
    await (await service).kill(death % 2 === 0)
    service = startService()
  }
  await untilAcknowledged(acknowledged + 1)
  over.abort()
  await Promise.all(visits)
  await (await service).stop()

  engines = await openEngines(readConfig({ SPOOL_DATA_DIR: folder }))
  expect(sent.length).toBeGreaterThan(deaths * 3)
  for (const session of sessions) {
    const lines = sent.filter((one) => one.session === session).map(({ line }) => line)
    const { row, stored, messages } = await recording(engines, session)
    expect(stored.length).toBe(lines.length)
    expect(new Set(stored)).toEqual(new Set(lines))
    expect(row).toMatchObject({
      click_count: lines.length / 3,
      keypress_count: lines.length / 3,
      console_error_count: lines.length / 3,
      mouse_activity_count: lines.length / 3,
    })
    const times = lines.map((line): number => JSON.parse(line)[1].timestamp)
    expect(row.start_time).toEqual(new Date(Math.min(...times)))
    expect(row.end_time).toEqual(new Date(Math.max(...times)))
    expect(messages).toHaveLength(lines.length / 3)
    expect(new Set(messages).size).toBe(messages.length)
  }
}, 300_000)

function startService(): Promise<ServiceProcess> {
  return startServiceProcess(folder, { SPOOL_BOOTSTRAP_API_KEY: apiKey, SPOOL_ROLES: 'serve' })
}

async function projectToken(): Promise<string> {
  const { origin } = await service
  const response = await fetch(`${origin}/api/users/@me/`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const user = (await response.json()) as { organization: { teams: { api_token: string }[] } }
  return user.organization.teams[0]?.api_token ?? ''
}

/** Sends one item after another, each until the current service accepts it. */
async function visit(token: string): Promise<void> {
  while (!over.signal.aborted) {
    const item = newItem()
    const body = JSON.stringify({ api_key: token, batch: [item] })
    while (!(await isAccepted(body)));
    acknowledged += 1
    if (awaited && acknowledged >= awaited.count) awaited.reached()
  }
}

function newItem() {
  const at = Date.now() - start + sent.length
  const session = sessions[sent.length % sessions.length] ?? ''
  const events = [
    recorded.interaction(at, MouseInteractions.Click),
    recorded.source(at + 1, IncrementalSource.Input),
    recorded.log(at + 2, 'error', `failure ${at}`),
  ]
  for (const event of events) sent.push({ session, line: JSON.stringify(['window-1', event]) })
  return snapshotItem(session, { events })
}

/** Sends an item; returns false when the service was killed meanwhile. */
async function isAccepted(body: string): Promise<boolean> {
  try {
    const { origin } = await service
    const response = await fetch(`${origin}/s/`, { method: 'POST', body })
    if (response.status < 500 && response.status !== 200) throw new Error(await response.text())
    return response.status === 200
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return false
  }
}

async function untilAcknowledged(count: number): Promise<void> {
  await new Promise<void>((reached) => (awaited = { count, reached }))
}

async function recording({ postgres, objects, warehouse }: Engines, session: string) {
  const rows = await postgres.pool.query(`SELECT * FROM session_recordings WHERE session_id = $1`, [session])
  const blocks = await postgres.pool.query<{ object_key: string }>(
    `SELECT object_key FROM session_recording_blocks WHERE recording_id = $1`,
    [rows.rows[0]?.id],
  )
  const texts = await Promise.all(blocks.rows.map((block) => readBlock(objects, block.object_key)))
  const entries = await warehouse.query<{ message: string }>(
    `SELECT message FROM console_entries FINAL WHERE session_id = {session: String}`,
    { params: { session } },
  )
  return {
    row: rows.rows[0],
    stored: texts.flatMap((text) => text.toString('utf8').split('\n')),
    messages: entries.map(({ message }) => message),
  }
}
