import { randomUUID } from 'node:crypto'
import {
  type TestStep,
  type TestStepName,
  type DestinationTest,
} from '../../contract/destinations/destination-test.ts'
import { destinationKinds } from '../../contract/destinations/destination-kinds.ts'
import type { Services } from '../services.ts'
import type { BatchExportRow } from '../store/runs/batch-exports.ts'
import { pinEndpoint } from './destination-check.ts'
import type { FileDestination, Steps, Trial } from './destination-driver.ts'
import { openDestination, type OpenableDestination } from './destination-drivers.ts'
import { explainError, type ExplainedExport } from './explain-error.ts'
import { fileContent, type FileContent } from './file-content.ts'
import type { CountStatement, FileStore, RunStatement, StreamStatement, Upload } from './file-store.ts'
import { fileKey } from './file-key.ts'
import { countRows } from '../warehouse/run-rows.ts'

type TrialServices = Pick<
  Services,
  'config' | 'clock' | 'store' | 'warehouse' | 'secrets' | 'hosts' | 'exportsFolder'
>

type TriedDestination = OpenableDestination & Pick<BatchExportRow, 'project_id'>

const timeLimitMs = 10_000

/**
 * Tests a destination step by step; the last steps write and remove a tiny file in the same way as an export, or a trial table
 * with one row. Stops at the first failed step or after `limitMs` milliseconds. The result never contains a secret.
 */
export async function tryDestination(
  services: TrialServices,
  row: TriedDestination,
  { limitMs = timeLimitMs, until }: TrialOptions = {},
): Promise<DestinationTest> {
  const destination = await openDestination(services, row)
  const id = randomUUID()
  const signal = AbortSignal.timeout(limitMs)
  const key = destination.holds === 'files' ? keyOf(services, destination, id) : `_spool_trial_${id}`
  const closing: (() => unknown)[] = []
  const atEnd = (close: () => unknown) => void closing.push(close)
  const pin = async () => atEnd(await pinEndpoint(services, destination.url()))
  const trial = { ...services, key, signal, pin, atEnd }
  const run: RunStatement = async (sql, options) => {
    await services.warehouse.command(sql, { ...options, lane: 'trial', mark: `trial:${id}` })
  }
  const count: CountStatement = (from, options) =>
    countRows(services.warehouse, from, { ...options, mark: `trial:${id}` })
  const stream: StreamStatement = (sql, options, read) =>
    services.warehouse.stream(sql, { ...options, lane: 'trial', mark: `trial:${id}`, signal }, read)
  const upload: Upload = { signal, during: (send) => send(), onSent: () => undefined }
  const writing = { run, count, stream: services.warehouse.embedded ? null : stream, upload }
  const stop = () => void services.warehouse.kill(`trial:${id}`).catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    const attempt = { id, attempt: 1, project_id: row.project_id }
    const { steps: names, container } = destinationKinds[row.destination_type]
    const todo = {
      ...destination.steps(trial),
      ...(destination.holds === 'files' &&
        fileSteps(() => destination.openStore(services, attempt, writing), trial, contentOf(destination))),
    }
    const unneeded = `Not needed for a ${container.noun}.`
    const target = { ...destination.explained, hasQuery: false }
    const explain = (error: unknown) => (signal.aborted ? tooSlow(limitMs) : explanationOf(error, target))
    const steps = await runSteps(namesUntil(names, until), todo, unneeded, signal, explain)
    return { ok: steps.every(({ status }) => status !== 'failed'), steps }
  } finally {
    signal.removeEventListener('abort', stop)
    for (const close of closing.toReversed()) await Promise.try(close).catch(() => undefined)
  }
}

type TrialOptions = {
  limitMs?: number
  /** The last step to run, by default the last of the type. */
  until?: TestStepName
}

/** Returns the steps to run: what is written is also removed. */
function namesUntil(names: readonly TestStepName[], until: TestStepName | undefined) {
  return until === undefined || until === 'Write' ? names : names.slice(0, names.indexOf(until) + 1)
}

type Explain = (error: unknown) => Pick<TestStep, 'detail' | 'remedy'>

async function runSteps(
  names: readonly TestStepName[],
  todo: Steps,
  unneeded: string,
  signal: AbortSignal,
  explain: Explain,
) {
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => undefined)
  signal.addEventListener('abort', () => late.reject(signal.reason))
  const steps: TestStep[] = []
  let hasFailed = false
  for (const name of names) {
    const step = todo[name]
    if (!step || hasFailed) {
      const detail = step ? 'Not tried because an earlier step failed.' : unneeded
      steps.push({ name, status: 'skipped', detail, remedy: null })
      continue
    }
    try {
      signal.throwIfAborted()
      const detail = await Promise.race([step(), late.promise])
      steps.push({ name, status: 'ok', detail, remedy: null })
    } catch (error) {
      hasFailed = true
      steps.push({ name, status: 'failed', ...explain(error) })
    }
  }
  return steps
}

export function tooSlow(limitMs: number) {
  return {
    detail: `No response within ${limitMs / 1000} seconds.`,
    remedy: 'Check the endpoint, and that the network between the service and the store is not blocked.',
  }
}

/** Explains an error. Splits the explanation, which has the form "problem: remedy. (original error)". */
export function explanationOf(error: unknown, target: ExplainedExport) {
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

function fileSteps(open: () => Promise<FileStore>, { key, signal }: Trial, content: FileContent): Steps {
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
        if (file) await store.send?.([file])
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
function keyOf({ clock }: TrialServices, destination: FileDestination, id: string): string {
  const now = clock.now()
  const name = fileKey({ ...destination, model: 'events', interval: { start: now, end: now } }, null)
  return `${name.slice(0, name.lastIndexOf('/') + 1)}spool-connection-test-${id}`
}

function contentOf({ format, compression }: FileDestination): FileContent {
  const rows = {
    from: `(SELECT 'written by a connection test' AS spool) AS trial`,
    withRepeats: null,
    columns: [{ name: 'spool', expression: 'spool', kind: 'value' as const }],
    params: {},
  }
  const content = fileContent(rows, format, compression)
  return { ...content, settings: { ...content.settings, s3_retry_attempts: 1, s3_request_timeout_ms: 5000 } }
}
