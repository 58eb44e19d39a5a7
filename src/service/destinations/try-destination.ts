import { randomUUID } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import type { S3Config } from '../../contract/destinations/s3.ts'
import {
  connectionSteps,
  type ConnectionStep,
  type ConnectionStepName,
  type ConnectionTest,
} from '../../contract/destinations/connection-test.ts'
import { hostOf } from '../engines/hosts.ts'
import { sendRequest } from '../http/send-request.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow, DestinationColumns } from '../store/runs/batch-exports.ts'
import { pinEndpoint } from './destination-check.ts'
import { explainedAt, openDestination, type OpenDestination } from './destination-config.ts'
import { explainError, type ExplainedExport } from './explain-error.ts'
import { fileContent, type FileContent } from './file-content.ts'
import type { CountStatement, FileStore, RunStatement } from './file-store.ts'
import { fileKey } from './file-key.ts'
import { endpointUrl, objectUrl } from './s3/s3-location.ts'
import { countRows } from '../warehouse/run-rows.ts'
import { openFolder } from './folder/write-folder.ts'
import { connect, refusalOf } from './s3/bucket-objects.ts'
import { openBucket } from './s3/write-s3.ts'

type TrialServices = Pick<Services, 'config' | 'clock' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder'>

/** Runs a step and returns its result as text; throws errors that `explainError` explains. */
type Step = () => Promise<string>
type Steps = Partial<Record<ConnectionStepName, Step>>

type Trial = {
  id: string
  key: string
  content: FileContent
  signal: AbortSignal
  /** Called at the end of the trial. */
  cleanUps: (() => void)[]
}

type TriedDestination = DestinationColumns & Pick<BatchExportRow, 'project_id'>

const timeLimitMs = 10_000

/**
 * Tests a destination step by step; the last steps write and remove a tiny file in the same way as an export. Stops at
 * the first failed step or after `limitMs`. The result never contains a secret.
 */
export async function tryDestination(
  services: TrialServices,
  row: TriedDestination,
  limitMs = timeLimitMs,
): Promise<ConnectionTest> {
  const destination = openDestination(row, services.secrets)
  const id = randomUUID()
  const signal = AbortSignal.timeout(limitMs)
  const trial: Trial = {
    id,
    key: keyOf(services, destination, id),
    content: contentOf(destination),
    signal,
    cleanUps: [],
  }
  const statement: RunStatement = async (sql, options) => {
    await services.warehouse.command(sql, { ...options, lane: 'trial', mark: `trial:${id}` })
  }
  const count: CountStatement = (from, options) =>
    countRows(services.warehouse, from, { ...options, mark: `trial:${id}` })
  const stop = () => void services.warehouse.kill(`trial:${id}`).catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    const folder = { root: services.exportsFolder, projectId: row.project_id }
    const todo =
      destination.type === 'S3'
        ? bucketSteps(services, destination.config, trial, statement)
        : fileSteps(() => openFolder(folder, id, statement, count), trial)
    const steps = await runSteps(todo, signal, limitMs, explainedAt(destination, false))
    return { ok: steps.every(({ status }) => status !== 'failed'), steps }
  } finally {
    signal.removeEventListener('abort', stop)
    for (const cleanUp of trial.cleanUps) cleanUp()
  }
}

async function runSteps(todo: Steps, signal: AbortSignal, limitMs: number, target: ExplainedExport) {
  const steps: ConnectionStep[] = []
  let hasFailed = false
  for (const name of connectionSteps) {
    const step = todo[name]
    if (!step || hasFailed) {
      const detail = step ? 'Not tried because an earlier step failed.' : 'Not needed for a folder.'
      steps.push({ name, status: 'skipped', detail, remedy: null })
      continue
    }
    try {
      steps.push({ name, status: 'ok', detail: await withinLimit(step, signal), remedy: null })
    } catch (error) {
      hasFailed = true
      steps.push({
        name,
        status: 'failed',
        ...(signal.aborted ? tooSlow(limitMs) : explanationOf(error, target)),
      })
    }
  }
  return steps
}

async function withinLimit(step: Step, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const late = Promise.withResolvers<never>()
  const giveUp = () => late.reject(signal.reason)
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([step(), late.promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

function tooSlow(limitMs: number) {
  return {
    detail: `No response within ${limitMs / 1000} seconds.`,
    remedy: 'Check the endpoint, and that the network between the service and the store is not blocked.',
  }
}

/** Splits an explanation, which has the form "problem: remedy. (original error)". */
function explanationOf(error: unknown, target: ExplainedExport): Pick<ConnectionStep, 'detail' | 'remedy'> {
  const { message } = explainError(error, target)
  const [, meaning = message, original] = /^(.*?)(?: \((.*)\))?$/s.exec(message) ?? []
  const plain = meaning === 'The export failed.' ? 'The test failed' : meaning.replace(/\.$/, '')
  const [, wrong = plain, remedy] = /^(.*?): (.*)$/s.exec(meaning) ?? []
  return {
    detail: original ? `${wrong}. (${original})` : `${wrong}.`,
    remedy: remedy
      ? remedy.charAt(0).toUpperCase() + remedy.slice(1)
      : 'Check the fields of the destination and the store itself.',
  }
}

function bucketSteps(
  services: TrialServices,
  config: S3Config,
  trial: Trial,
  statement: RunStatement,
): Steps {
  const { lookup } = services.hosts
  let probed: Promise<void> | null = null
  const probe = () => (probed ??= probeBucket(config, trial, lookup))
  return {
    async Address() {
      const url = objectUrl(config, '')
      trial.cleanUps.push(await pinEndpoint(services, url))
      return `The host ${hostOf(url)} was found.`
    },
    async Reach() {
      const { origin } = new URL(objectUrl(config, ''))
      await sendRequest(origin, { method: 'HEAD', signal: trial.signal, lookup })
      return `${endpointUrl(config)} responds.`
    },
    async Credentials() {
      await probe().catch((error: unknown) => {
        if (aboutCredentials.test(nameOf(error))) throw error
      })
      return 'The store accepts the credentials (checked by reading only).'
    },
    async Bucket() {
      await probe()
      return `The bucket "${config.bucket_name}" exists (checked by reading only).`
    },
    ...fileSteps(() => openBucket(config, { id: trial.id, attempt: 1 }, statement, lookup), trial),
  }
}

const aboutCredentials =
  /InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|TokenRefreshRequired|InvalidToken/

/**
 * Requests a missing object. Without permission to list, the store reports only "denied"; then the write step decides.
 */
async function probeBucket(
  config: S3Config,
  { key: Key, signal: abortSignal }: Trial,
  lookup: LookupFunction,
): Promise<void> {
  const client = await connect(config, lookup)
  try {
    await client.getObject({ Bucket: config.bucket_name, Key }, { abortSignal })
  } catch (error) {
    const name = nameOf(error)
    if (name === 'NoSuchKey' || name === 'AccessDenied') return
    const isPlainDenial = refusalOf(error) === 403 && !aboutCredentials.test(name)
    if (!isPlainDenial) throw error
  } finally {
    client.destroy()
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function fileSteps(open: () => Promise<FileStore>, { key, content, signal }: Trial): Steps {
  const use = async <T>(work: (store: FileStore) => Promise<T>) => {
    const store = await open()
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  return {
    async Write() {
      const draft = { guess: content, settled: Promise.resolve(content) }
      const written = use(async (store) => {
        const file = await store.stageWhole(() => key, null, draft)
        if (file) await store.publish(file)
        return file
      })
      const remove = () => use((store) => store.remove([key])).catch(() => undefined)
      // Removes a file that was written but could not be checked, or that was written after the time limit.
      void written.then(() => (signal.aborted ? remove() : undefined), remove)
      return `Wrote ${key} (${(await written)?.bytes ?? 0} bytes).`
    },
    async Remove() {
      await use((store) => store.remove([key]))
      return 'Removed the test file.'
    },
  }
}

/** Returns a key in the folder of the export's files, with a name that no export uses. */
function keyOf({ clock }: TrialServices, destination: OpenDestination, id: string): string {
  const now = clock.now()
  const name = fileKey({ ...destination, model: 'events', interval: { start: now, end: now } }, null)
  return `${name.slice(0, name.lastIndexOf('/') + 1)}spool-connection-test-${id}`
}

function contentOf({ format, compression }: OpenDestination): FileContent {
  const rows = {
    from: `(SELECT 'written by a connection test' AS spool) AS trial`,
    withRepeats: null,
    columns: [{ name: 'spool', expression: 'spool', kind: 'value' as const }],
    params: {},
  }
  const content = fileContent(rows, format, compression)
  return { ...content, settings: { ...content.settings, s3_retry_attempts: 1, s3_request_timeout_ms: 5000 } }
}
