import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { processesIn } from '../src/service/engines/postgres/process-identity.ts'
import { freePort } from '../src/service/engines/loopback.ts'
import { postmaster, serviceBackends, signal } from '../src/service/testing/servers/postgres-processes.ts'
import { itemAt, serviceClient, type CapturedItem } from '../src/service/testing/test-service-client.ts'
import {
  startServiceProcess,
  type ServiceProcess,
} from '../src/service/testing/servers/test-service-process.ts'
import { randomFrom } from './bench/random-from.ts'
import { cleanUpAtEnd } from '../.ci/clean-up-at-end.ts'

/**
 * Captures events and exports them while the service's PostgreSQL and the service itself are killed and frozen at random.
 * Nothing acknowledged may be lost or exported twice, and the service must be ready again each time. Only a killed service
 * is restarted, as by a supervisor. Prints a line for each check; exits with 1 if one fails.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string' },
    report: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
/** Decides the faults and the pauses between them. */
const random = randomFrom(seed)
console.log(`chaos for ${seconds} seconds, seed ${seed}`)

const apiKey = `phx_${'c'.repeat(40)}`
const clients = 3
const batchSize = 20
const hour = 3_600_000
const freezeMs = 3000
const retryMs = 50
const roundMs = 2000
/** Longest time (ms) until the service must be ready after a fault, on a machine that also runs other work. */
const recoveryMsMax = 60_000
/** Each hour from this one on belongs to one round: its events are captured, then exported while the next is captured. */
const firstHour = Math.floor(Date.now() / hour) * hour - 1000 * hour

cleanUpAtEnd()
const folder = await mkdtemp(join(tmpdir(), 'spool-chaos-'))
const cluster = join(folder, 'postgres')
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const environment = { SPOOL_BOOTSTRAP_API_KEY: apiKey, SPOOL_PORT: String(port), LOG_LEVEL: 'silent' }
const client = serviceClient(folder, apiKey, () => origin)
let service: ServiceProcess = await startServiceProcess(folder, environment)
/** Ids of the acknowledged events. */
const acknowledged = new Set<string>()
let round = 0
let slowest = 0
let passed = 0
let failed = 0
/** Batches that are being sent. */
const unacknowledged = new Set<Promise<void>>()

type Fault = { name: string; cause(): Promise<void> }

const faults: readonly Fault[] = [
  { name: 'killed a backend', cause: () => signalBackend('SIGKILL') },
  { name: 'broke a connection', cause: () => signalBackend('SIGTERM') },
  { name: 'killed PostgreSQL', cause: async () => signal(await postmaster(cluster), 'SIGKILL') },
  { name: 'froze PostgreSQL', cause: freeze },
  { name: 'killed the service', cause: () => restart(false) },
  { name: 'killed the service and PostgreSQL', cause: () => restart(true) },
]

try {
  const token = await client.projectToken()
  const id = await client.createExport('chaos', 'hour')
  const until = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= until
  const exporting = exportRounds(id, isOver)
  const capturing = Array.from({ length: clients }, () => captureUntil(token, isOver))
  await causeFaults(isOver)
  await Promise.all(capturing)
  await exporting
  await untilReady()
  await client.untilAllEnded()
  await reportResults()
} catch (error) {
  check(String(error), false)
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
if (values.report !== undefined) await writeFile(values.report, JSON.stringify({ passed, failed }))
// After a failure, clients are still sending.
process.exit(failed > 0 ? 1 : 0)

/** Causes a random fault and waits until the service is ready, again and again. */
async function causeFaults(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const fault = pick(faults)
    const started = performance.now()
    await fault?.cause()
    await untilReady()
    const elapsed = performance.now() - started
    slowest = Math.max(slowest, elapsed)
    console.log(`  ${fault?.name}: ready after ${(elapsed / 1000).toFixed(1)} s`)
    if (!service.isRunning()) throw new Error('the service ended by itself')
    // The next fault comes at a random moment, also while the last one is still being cleaned up.
    await delay(random() * 1500)
  }
}

async function captureUntil(token: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const batchRound = round
    const batch = Array.from({ length: batchSize }, () =>
      itemAt(firstHour + batchRound * hour + Math.floor(Math.random() * hour)),
    )
    const sending = send(token, batch)
    unacknowledged.add(sending)
    await sending
    unacknowledged.delete(sending)
  }
}

/** Sends a batch until it is acknowledged, as PostHog's clients do. */
async function send(token: string, batch: readonly CapturedItem[]): Promise<void> {
  while ((await client.capture(token, batch).catch(() => 0)) !== 200) await delay(retryMs)
  for (const { uuid } of batch) acknowledged.add(uuid)
}

/**
 * Ends one round after the other, and exports its hour once all of its events and those of the next round are acknowledged:
 * an export leaves out events that arrived in the same second as one that is still being inserted.
 */
async function exportRounds(id: string, isOver: () => boolean): Promise<void> {
  for (let isLast = false; !isLast;) {
    isLast = isOver()
    await delay(roundMs)
    round += 1
    await Promise.all(unacknowledged)
    if (round > 1) await backfill(id, round - 2)
  }
  await backfill(id, round - 1)
}

/** Requests the export of a round's hour until the request succeeds; an earlier one may have succeeded unnoticed. */
async function backfill(id: string, ended: number): Promise<void> {
  const start = firstHour + ended * hour
  for (;;) {
    const problem = await client.backfill(id, start, start + hour).then(
      () => null,
      (error: unknown) => String(error),
    )
    if (problem === null || problem.includes(': 409 ')) return
    await delay(retryMs)
  }
}

async function untilReady(): Promise<void> {
  const deadline = performance.now() + recoveryMsMax
  for (;;) {
    const response = await fetch(`${origin}/_ready`).catch(() => null)
    const text = (await response?.text().catch(() => null)) ?? 'no response'
    if (response?.status === 200) return
    if (performance.now() > deadline) throw new Error(`the service is not ready: ${text}`)
    await delay(50)
  }
}

async function reportResults(): Promise<void> {
  const { rows } = await client.withDatabase((database) =>
    database.query<{ status: string }>(`SELECT status FROM batch_export_runs WHERE status <> 'Completed'`),
  )
  const exported = await client.exportedIds('chaos')
  const unique = new Set(exported)
  const lost = [...acknowledged].filter((uuid) => !unique.has(uuid))
  check(`${acknowledged.size} events were acknowledged`, acknowledged.size > 0)
  check(`${lost.length} acknowledged events are in no file`, lost.length === 0)
  check(`${exported.length - unique.size} events are in the files twice`, exported.length === unique.size)
  check(`${rows.length} of the runs did not complete`, rows.length === 0)
  check(`the service was ready again each time, after ${(slowest / 1000).toFixed(1)} s at most`, true)
}

function check(result: string, isGood: boolean): void {
  if (isGood) passed += 1
  else failed += 1
  console.log(`${isGood ? '✓' : '✗'} ${result}`)
}

async function signalBackend(name: NodeJS.Signals): Promise<void> {
  const pid = pick(await serviceBackends(cluster))
  if (pid !== undefined) signal(pid, name)
}

async function freeze(): Promise<void> {
  const processes = await processesIn(cluster)
  for (const pid of processes) signal(pid, 'SIGSTOP')
  await delay(freezeMs)
  for (const pid of processes) signal(pid, 'SIGCONT')
}

async function restart(withPostgres: boolean): Promise<void> {
  await service.kill(withPostgres)
  service = await startServiceProcess(folder, environment)
}

function pick<T>(choices: readonly T[]): T | undefined {
  return choices[Math.floor(random() * choices.length)]
}
