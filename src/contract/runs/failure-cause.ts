import { z } from 'zod'
import { textsOf, type TextOf } from '../destinations/destination-kind.ts'
import { destinationKinds } from '../destinations/destination-kinds.ts'
import type { DestinationPlace } from '../destinations/destination.ts'
import { Instant, InstantInput } from '../datetime.ts'
import { Interval } from '../interval-schema.ts'
import { AssigneeFilter, AssigneeInput, triagedMax, triageShape } from '../triage.ts'
import { errorInWords } from './run-error.ts'

/** What to do about a failure of each class. */
export const failureAdvice = {
  credentials:
    'Enter the access key and its secret again in the destination, test the connection, then retry.',
  bucket: 'Create the bucket, or correct its name or prefix in the destination, then retry.',
  region: 'Set the region of the bucket in the destination, then retry.',
  permission: 'Allow the credentials, or the service’s user, to write, read and delete there, then retry.',
  destination: 'Correct the path, prefix or type of the destination, then retry.',
  network:
    'Check the endpoint, its certificate, and the network between the service and the store, then retry.',
  store: 'The store itself has a problem: retry when it works again.',
  query: 'Change the export’s query so that it can be computed for every row, then retry.',
  schema: 'The query no longer fits the columns or their types: change it, then retry.',
  memory:
    'Export fewer columns, a shorter interval or smaller files, or give the service more memory, then retry.',
  disk: 'Free some space on the disk and check that it works, then retry.',
  time: 'The run took too long: choose a shorter interval or export less, then retry.',
  service: 'The service was interrupted: see that it keeps running, then retry.',
  other: 'Read the full message and the logs of the run, then retry.',
}
export type FailureClass = keyof typeof failureAdvice
const failureClasses = Object.keys(failureAdvice) as FailureClass[]

/** Texts of the service's errors, in order of precedence. */
const classPatterns: readonly (readonly [RegExp, FailureClass])[] = [
  [
    /^The export's query cannot be computed.*(UNKNOWN_|TYPE_MISMATCH|NO_COMMON_TYPE|NO_SUCH_COLUMN)/s,
    'schema',
  ],
  [/^The export's query is no longer valid/, 'schema'],
  [/^The export's query/, 'query'],
  [/^The (store|server .*|database) does not (know|accept)|^The credentials have expired/, 'credentials'],
  [
    /^The shared access signature|^The private key cannot|^The storage account does not allow access keys/,
    'credentials',
  ],
  [
    /^There is no (bucket|container)|^The storage account or the name|^The (object was not found in|bucket.* is not allowed by S3)/,
    'bucket',
  ],
  [/is in another region|is not a region of/, 'region'],
  [/^The (user|credentials) may not|^Azure does not allow|^The storage account refuses/, 'permission'],
  [
    /was denied|^The KMS key|^The service is not allowed to write|^The server does not accept rows/,
    'permission',
  ],
  [/too many requests|an error that is not S3's|is not available at the moment/, 'store'],
  [
    /^The server .* (does not offer|lacks|could not)|^The (disk of|store at) .* is full|^A file or folder was/,
    'store',
  ],
  [/^The database (has|received)|^Another (session|connection)|^A later attempt/, 'store'],
  [/^The store kept|no longer exists: another client/, 'store'],
  [/^The disk (is full|of the service)|: check the disk/, 'disk'],
  [/needed more memory/, 'memory'],
  [/^The run exceeded its limit/, 'time'],
  [/^Another attempt wrote|^The service cannot write to its data directory/, 'service'],
  [/^Gave up after|^The statement that writes|^The engine did not respond/, 'service'],
  [/change the destination|destination is incomplete|^No file can be created|object key/, 'destination'],
  [/^There is no (database|schema)|^The (schema|table|column)\b|^A constraint of the table/, 'destination'],
  [/is a symbolic link|is a file, so no folder/, 'destination'],
  [
    /No secure connection|does not support TLS|or redirects|redirects to|refused the connection|connection to .* was lost/,
    'network',
  ],
  [
    /did not respond|^The host of .* was not found|has (the|a) host key|no method of encryption|network|public internet/,
    'network',
  ],
]

/** Classes whose cause lies at a bucket or folder, or at the store behind an endpoint; others have one cause wherever they occur. */
export const atBucketOrFolder: ReadonlySet<FailureClass> = new Set([
  'credentials',
  'bucket',
  'region',
  'permission',
  'destination',
])
const atEndpoint: ReadonlySet<FailureClass> = new Set(['network', 'store'])

export type FailureCause = {
  class: FailureClass
  /**
   * Equal for failures with the same cause: class, destination (if the cause lies there) and the pattern of the message, at most
   * 600 characters. Runs store it in `failure_cause`, so that failures can be compared and grouped by it.
   */
  key: string
  /** The bucket or endpoint at which the cause lies; null if the destination does not matter, as for a query. */
  destination: string | null
}

/**
 * Returns the cause of a run's failure: of its `latest_error`, as stored, and its export's destination. Two failures have one
 * cause if their keys are equal: the same access key error in two buckets is two causes, an invalid column in two exports is one.
 */
export function failureCause(error: string, destination: DestinationPlace): FailureCause {
  const failure = classPatterns.find(([pattern]) => pattern.test(error))?.[1] ?? 'other'
  const place = placeOf(failure, destination)
  const { headline, raw } = errorInWords(error)
  // The headline of these classes says too little.
  const isVague = failure === 'query' || failure === 'schema' || failure === 'other'
  const pattern = patternOf(isVague && raw !== null ? raw : headline)
  return { class: failure, key: `${failure}|${place ?? ''}|${pattern}`, destination: place }
}

/** Returns the class and destination of a key. */
export function readFailureKey(key: string): Omit<FailureCause, 'key'> {
  const [name = '', destination = ''] = key.split('|')
  return {
    class: failureClasses.find((one) => one === name) ?? 'other',
    destination: destination === '' ? null : destination,
  }
}

function placeOf(failure: FailureClass, { type, config }: DestinationPlace): string | null {
  const text: TextOf = (field) => textsOf(config)(field).replaceAll('|', ' ').slice(0, 180).toWellFormed()
  const place = destinationKinds[type].placeOf(text)
  // All folders are on one disk.
  if (place === null) return null
  if (atEndpoint.has(failure)) return place.store
  return atBucketOrFolder.has(failure) ? place.bucket : null
}

/** Replaces what differs between failures with the same cause: numbers, times, ids and quoted values. */
function patternOf(text: string): string {
  return text
    .replaceAll(/'[^']*'|`[^`]*`/g, '?')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '?')
    .replaceAll(/\d[\d.,:T+-]*/g, '#')
    .slice(0, 180)
    .toWellFormed()
}

const dayMs = 86_400_000
/** Default and maximum length (ms) of the period. */
export const failurePeriodMs = 7 * dayMs
export const failurePeriodMsMax = 92 * dayMs
/** Causes in a response, and exports of each cause. */
export const failureCausesMax = 100
export const failureExportsMax = 100

/** Problems are resolved by runs that export their windows, not by hand. */
export const problemStates = ['open', 'ignored'] as const
export const ProblemState = z.enum(problemStates)
export type ProblemState = z.infer<typeof ProblemState>

const triageValues = {
  state: ProblemState,
  /** When an ignored problem is open again; null for others. */
  ignored_until: Instant.nullable(),
  ...triageShape,
}

export const UpdatedProblems = z.object({ results: z.array(z.object({ key: z.string(), ...triageValues })) })

export const FailureCausesQuery = z.object({
  start: InstantInput.optional(),
  end: InstantInput.optional(),
  batch_export: z.guid().optional(),
  state: ProblemState.optional(),
  assignee: AssigneeFilter,
})

/** Longest time (ms) for which a problem is ignored. */
export const ignoreMsMax = 366 * dayMs

/** What is omitted stays. A problem is ignored until a time, at most `ignoreMsMax` ahead. */
export const ProblemsUpdate = z
  .strictObject({
    causes: z.array(z.string().min(1).max(600)).min(1).max(triagedMax),
    state: ProblemState.optional(),
    ignored_until: InstantInput.optional(),
    assignee: AssigneeInput.optional(),
  })
  .refine(({ state, assignee }) => state !== undefined || assignee !== undefined, {
    error: 'Nothing to update: send state, assignee or both.',
  })
  .refine(({ state, ignored_until: until }) => (state === 'ignored') === (until !== undefined), {
    error: "Send 'ignored_until' with the state 'ignored', and only with that.",
    path: ['ignored_until'],
  })

const FailedExport = z.object({
  id: z.string(),
  name: z.string(),
  interval: Interval,
  paused: z.boolean(),
  failures: z.int(),
  windows_left: z.int(),
  /** Whether runs fail again until the destination is changed: since the failures it was not, and no run has completed. */
  needs_fix: z.boolean(),
})

export const FailureCauseGroup = z.object({
  key: z.string(),
  class: z.enum(failureClasses),
  title: z.string(),
  advice: z.string(),
  destination: z.string().nullable(),
  /** Failed runs of the period. */
  failures: z.int(),
  /** Windows that failed, and those that no run has exported since or is exporting now. */
  windows: z.int(),
  windows_left: z.int(),
  first_seen: Instant,
  last_seen: Instant,
  /** Start of the first window that failed. */
  first_window: Instant,
  /** Error of the newest run, in full. */
  message: z.string(),
  /** The newest run. */
  run: z.string(),
  /** Those with the most windows left first, at most `failureExportsMax`. */
  exports: z.array(FailedExport),
  exports_count: z.int(),
  /** Those of all exports that are not paused. */
  exports_running: z.int(),
  ...triageValues,
})
export type FailureCauseGroup = z.infer<typeof FailureCauseGroup>

/**
 * Why runs of a period failed: causes with windows left first, then the newest ones, at most `failureCausesMax`. All numbers
 * are those of the causes that match the query, except `counts`: causes in each state that match the other filters, and in
 * `mine` all open ones that are assigned to the caller.
 */
export const FailureCauses = z.object({
  start: Instant,
  end: Instant,
  failures: z.int(),
  windows: z.int(),
  windows_left: z.int(),
  causes_count: z.int(),
  counts: z.object({ open: z.int(), ignored: z.int(), mine: z.int() }),
  results: z.array(FailureCauseGroup),
})
export type FailureCauses = z.infer<typeof FailureCauses>
