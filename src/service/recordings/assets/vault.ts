import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { storedOrigin } from '../../auth/sign-in-link.ts'
import type { Services } from '../../services.ts'
import {
  claimFile,
  countBytes,
  countFetch,
  deletePastCounts,
  lockFile,
  refuseFile,
  type AssetRow,
  type FetchLimits,
} from '../../store/recordings/asset-queue.ts'
import { insertFoundFiles, type FoundFile } from '../../store/recordings/asset-search.ts'
import {
  findShared,
  insertContent,
  isReferenced,
  lockContent,
  storedBytes,
} from '../../store/recordings/recording-assets.ts'
import { recordingSettings } from '../../store/recordings/recording-settings.ts'
import type { StoreTransaction } from '../../store/schema/database.ts'
import { updateRows } from '../../store/schema/rows.ts'
import { assetKey } from './asset-key.ts'
import { allowedAddresses, publicHosts, type AssetPolicy } from './asset-policy.ts'
import { stylesheetType } from './asset-type.ts'
import { fetchAsset, fetchTimes, type FetchTimes } from './fetch-asset.ts'
import { MissingAsset, UnavailableAsset } from './missing-asset.ts'
import { referencesMax } from './reference-finder.ts'
import { openReferenceThread, searchFor, type ReferenceThread } from './reference-thread.ts'
import { pendingLimit, roomFor, type PendingLimit } from './search-assets.ts'

type VaultServices = Pick<Services, 'store' | 'objects' | 'clock' | 'logger'>
type Limits = FetchLimits & {
  /** Fetches of this process; all other limits hold for all processes together. */
  atOnce: number
  recordingBytes: number
  pending: PendingLimit
}
type Options = { policy?: AssetPolicy; times?: FetchTimes; limits?: Partial<Limits>; pollMs?: number }

const defaultLimits: Limits = {
  atOnce: 8,
  host: { atOnce: 2, perMinute: 300 },
  project: { atOnce: 4, perMinute: 600 },
  // Anyone who knows a project's token can add recordings, so a limit for each of them is not enough.
  projectBytesPerHour: 1_000_000_000,
  recordingBytes: 50_000_000,
  pending: pendingLimit,
}
/** Time (ms) after which another process may fetch a claimed file: the process that claimed it has ended. */
const claimMs = 60_000
/** Time (ms) for which the recordings of a project share the response of a URL. */
const sharedMs = 600_000
/** Delay (ms) between searches for files to fetch while others are being fetched. */
const defaultPollMs = 1000
/** Greatest depth of a fetched file: 0 if the recording names it, 1 if one of its style sheets does, and so on. */
const depthMax = 3
/** Delays (ms) before an unavailable file is fetched again; then it is missing. */
const retryMs = [10_000, 60_000, 600_000]
/** Missing files of a recording that have a row with their URL; further ones are counted. */
const missingRowsMax = 50

/**
 * Stores the files that recordings show but do not hold. A file that is being fetched is claimed for a minute, and its
 * content is stored with its row, so a crash loses and repeats nothing.
 */
export function openVault(services: VaultServices, options: Options = {}) {
  const { store, clock } = services
  const limits = { ...defaultLimits, ...options.limits }
  const pollMs = options.pollMs ?? defaultPollMs
  const thread = openReferenceThread()
  // Stores one file at a time: capture needs the connections and the disk.
  let storing: Promise<unknown> = Promise.resolve()
  const storeNext = (work: () => Promise<void>) => {
    const stored = storing.then(work)
    storing = stored.catch(() => undefined)
    return stored
  }

  const fetchFile = async (file: AssetRow, origin: string | null, signal: AbortSignal): Promise<Content> => {
    const settings = await recordingSettings(store, file.project_id)
    if ((await storedBytes(store, file.recording_id)) >= limits.recordingBytes)
      throw tooMuch(limits.recordingBytes)
    let received = 0
    const { bytes, contentType, url } = await fetchAsset(file.url, {
      isStylesheet: file.is_stylesheet,
      addressesOf: (hop) =>
        allowedAddresses(hop, settings, { policy: options.policy ?? publicHosts, origin }),
      times: options.times ?? fetchTimes,
      count: (size) => (received += size),
      signal,
    }).finally(() => countBytes(store, file.project_id, received, clock.now()))
    const hash = createHash('sha256').update(bytes).digest()
    return { hash, content_type: contentType, size: bytes.length, final_url: url, bytes, isStored: false }
  }

  const process = async (file: AssetRow, origin: string | null, signal: AbortSignal): Promise<void> => {
    try {
      const shared = await sharedContent(services, file)
      if (shared) await countFetch(store, file, -1, clock.now())
      const outcome = shared ?? (await fetchFile(file, origin, signal).catch(failureOf))
      await storeNext(async () => {
        const nested = file.depth < depthMax ? await nestedFiles(services, thread, outcome) : []
        await storeOutcome(services, file, { outcome, nested }, limits)
      })
    } catch (error) {
      await updateRows(store, 'session_recording_assets', { id: file.id }, { claimed_until: null })
      if (!signal.aborted) throw error
    }
  }

  return {
    /** Fetches files until none can be claimed or the signal is aborted; resolves to their number. */
    async fetchWaiting(signal: AbortSignal) {
      const origin = await storedOrigin(store)
      const running = new Set<Promise<void>>()
      const failures: unknown[] = []
      const begin = (file: AssetRow) => {
        const work = process(file, origin, signal)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(work))
        running.add(work)
      }
      let count = 0
      try {
        for (;;) {
          // A claim may find none only because of a fetch that ends during the claim; then it is repeated.
          const before = [...running]
          const free = failures.length === 0 && !signal.aborted ? limits.atOnce - running.size : 0
          const file =
            free > 0 ? await claimFile(store, { now: clock.now(), claimMs, limits, free }) : undefined
          if (file) begin(file)
          else if (before.length > 0) await Promise.race([...before, wait(pollMs, undefined, { ref: false })])
          else break
          if (file) count += 1
        }
      } finally {
        await thread.stop()
      }
      if (count > 0) await deletePastCounts(store, clock.now())
      if (failures.length > 0) throw new AggregateError(failures, 'failed to fetch or store files')
      return count
    },
  }
}

/** What a URL returned. `bytes` may be null if another recording of the project names the same content. */
type Content = {
  hash: Buffer
  content_type: string
  size: number
  final_url: string | null
  bytes: Buffer | null
  isStored: boolean
}
/** Why a URL returned nothing, and whether it may later. */
type Failure = { reason: string; isTemporary: boolean }

/** Returns the content that another recording of the project recently got from the URL. */
async function sharedContent({ store, objects, clock }: VaultServices, file: AssetRow) {
  const shared = await findShared(store, file, new Date(clock.now() - sharedMs))
  if (!shared) return null
  const bytes = file.is_stylesheet ? await objects.get(assetKey(file.project_id, shared.hash)) : null
  return bytes || !file.is_stylesheet ? { ...shared, bytes, isStored: true } : null
}

function failureOf(error: unknown): Failure {
  if (error instanceof MissingAsset)
    return { reason: error.message, isTemporary: error instanceof UnavailableAsset }
  throw error
}

const tooManyPending = 'Too many files of the project are waiting to be fetched.'

function tooMuch(bytesMax: number): MissingAsset {
  return new MissingAsset(`The files of the recording are larger than ${bytesMax / 1e6} MB.`)
}

/** Stores the outcome of fetching a file, unless its recording was deleted or another process was faster. */
async function storeOutcome(
  services: VaultServices,
  file: AssetRow,
  { outcome, nested }: { outcome: Content | Failure; nested: readonly FoundFile[] },
  { recordingBytes, pending }: Limits,
): Promise<void> {
  const { store, clock } = services
  await store.transaction().execute(async (transaction) => {
    if (!(await lockFile(transaction, file))) return
    const now = clock.now()
    if ('reason' in outcome) return await storeFailure(transaction, file, outcome, now)
    const stored = await storedBytes(transaction, file.recording_id)
    if (stored + outcome.size > recordingBytes)
      return await storeFailure(transaction, file, failureOf(tooMuch(recordingBytes)), now)
    const recording = { id: file.recording_id, project_id: file.project_id }
    const room = await roomFor(transaction, recording, pending)
    const found = { recording, files: nested, depth: file.depth + 1 }
    const left = await insertFoundFiles(transaction, found, { countMax: referencesMax, room })
    if (left > 0)
      return await storeFailure(transaction, file, { reason: tooManyPending, isTemporary: true }, now)
    if (!(await storeContent(services, transaction, file.project_id, outcome))) return
    const { hash, final_url } = outcome
    const change = { hash, final_url, fetched_at: new Date(now), reason: null }
    await updateRows(transaction, 'session_recording_assets', { id: file.id }, change)
  })
}

/** Stores why a file is missing, or when it is fetched again. */
async function storeFailure(
  transaction: StoreTransaction,
  file: AssetRow,
  { reason, isTemporary }: Failure,
  now: number,
): Promise<void> {
  const attempts = file.attempts + 1
  const delay = isTemporary ? retryMs[file.attempts] : undefined
  if (delay !== undefined) {
    const retry = { attempts, reason, retry_at: new Date(now + delay), claimed_until: null }
    await updateRows(transaction, 'session_recording_assets', { id: file.id }, retry)
  } else {
    const text = attempts > 1 ? `${reason} It was tried ${attempts} times.` : reason
    const refusal = { reason: text, fetched_at: new Date(now), rowsMax: missingRowsMax }
    await refuseFile(transaction, file, refusal)
  }
}

/** Stores a content if necessary and prevents its deletion; returns false if it was just deleted. */
export async function storeContent(
  { objects }: Pick<Services, 'objects'>,
  transaction: StoreTransaction,
  project_id: number,
  { hash, content_type, size, bytes, isStored }: Content,
): Promise<boolean> {
  if (isStored) return await lockContent(transaction, { project_id, hash })
  await insertContent(transaction, { project_id, hash, content_type, bytes: size })
  // A crash may have removed the object of a content that no recording names.
  if (bytes && !(await isReferenced(transaction, { project_id, hash })))
    await objects.put(assetKey(project_id, hash), bytes)
  return true
}

/** Returns the files that a style sheet names; none if the search takes too long. */
async function nestedFiles({ logger }: VaultServices, thread: ReferenceThread, outcome: Content | Failure) {
  if ('reason' in outcome || outcome.content_type !== stylesheetType || !outcome.bytes) return []
  try {
    const { found } = await searchFor(thread, { css: outcome.bytes, base: outcome.final_url ?? '' })
    return found.map(([url, is_stylesheet]) => ({ url, is_stylesheet }))
  } catch (error) {
    logger.warn({ err: error }, 'failed to search a style sheet for files')
    return []
  }
}
