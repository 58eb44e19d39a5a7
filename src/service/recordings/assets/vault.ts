import { createHash } from 'node:crypto'
import { storedOrigin } from '../../auth/sign-in.ts'
import type { Services } from '../../services.ts'
import {
  claimFile,
  findShared,
  finishFile,
  insertContent,
  insertFoundFiles,
  isNamed,
  lockContent,
  lockFile,
  releaseFile,
  storedBytes,
  type AssetRow,
  type FoundFile,
} from '../../store/recording-assets.ts'
import { recordingSettings } from '../../store/recording-settings.ts'
import type { StoreTransaction } from '../../store/database.ts'
import { assetKey } from './asset-key.ts'
import { allowedAddresses, publicHosts, type AssetPolicy } from './asset-policy.ts'
import { stylesheetType } from './asset-type.ts'
import { fetchAsset, fetchTimes, type FetchTimes } from './fetch-asset.ts'
import { ByteLimit, FetchLimits, type Limit } from './fetch-limits.ts'
import { MissingAsset } from './missing-asset.ts'
import { referencesMax } from './reference-finder.ts'
import { startReferenceThread, type ReferenceThread } from './reference-thread.ts'

type VaultServices = Pick<Services, 'store' | 'objects' | 'clock' | 'logger'>
type Limits = {
  atOnce: number
  host: Limit
  project: Limit
  /** Anyone who knows a project's token can add recordings, so a limit for each of them is not enough. */
  projectBytesPerHour: number
  recordingBytes: number
}
type Options = { policy?: AssetPolicy; times?: FetchTimes; limits?: Partial<Limits> }

const defaultLimits: Limits = {
  atOnce: 8,
  host: { atOnce: 2, perMinute: 300 },
  project: { atOnce: 4, perMinute: 600 },
  projectBytesPerHour: 1_000_000_000,
  recordingBytes: 50_000_000,
}
/** Time (ms) after which another process may fetch a claimed file: the process that claimed it has ended. */
const claimMs = 60_000
/** Time (ms) for which the recordings of a project share the response of a URL. */
const sharedMs = 600_000
/** Greatest depth of a fetched file: 0 if the recording names it, 1 if one of its style sheets does, and so on. */
const depthMax = 3

export type Vault = {
  /** Fetches files until none is pending or the signal is aborted; resolves to their number. */
  fetchWaiting(signal: AbortSignal): Promise<number>
}

/**
 * Stores the files that recordings show but do not hold. A file that is being fetched is claimed for a minute, and its
 * content is stored with its row, so a crash loses and repeats nothing.
 */
export function openVault(services: VaultServices, options: Options = {}): Vault {
  const { store, clock } = services
  const limits = { ...defaultLimits, ...options.limits }
  const hosts = new FetchLimits<string>(limits.host, () => clock.now())
  const projects = new FetchLimits<number>(limits.project, () => clock.now())
  const projectBytes = new ByteLimit<number>(limits.projectBytesPerHour, () => clock.now())
  const thread = startReferenceThread()
  // Stores one file at a time: capture needs the connections and the disk.
  let storing: Promise<unknown> = Promise.resolve()
  const storeNext = (work: () => Promise<void>) => {
    const stored = storing.then(work)
    storing = stored.catch(() => undefined)
    return stored
  }

  const claimNext = () => {
    const now = clock.now()
    const full = { hosts: hosts.full(), projects: [...projects.full(), ...projectBytes.full()] }
    return claimFile(store, { now: new Date(now), until: new Date(now + claimMs), ...full })
  }

  const fetchFile = async (file: AssetRow, origin: string | null, signal: AbortSignal): Promise<Content> => {
    const settings = await recordingSettings(store, file.project_id)
    if ((await storedBytes(store, file.recording_id)) >= limits.recordingBytes)
      throw tooMuch(limits.recordingBytes)
    const { bytes, contentType, url } = await fetchAsset(file.url, {
      isStylesheet: file.is_stylesheet,
      addressesOf: (hop) =>
        allowedAddresses(hop, settings, { policy: options.policy ?? publicHosts, origin }),
      times: options.times ?? fetchTimes,
      count: (size) => projectBytes.add(file.project_id, size),
      signal,
    })
    const hash = createHash('sha256').update(bytes).digest()
    return { hash, content_type: contentType, size: bytes.length, final_url: url, bytes, isStored: false }
  }

  const process = async (file: AssetRow, origin: string | null, signal: AbortSignal): Promise<void> => {
    try {
      const shared = await sharedContent(services, file)
      if (shared) {
        hosts.uncount(file.host)
        projects.uncount(file.project_id)
      }
      const outcome = shared ?? (await fetchFile(file, origin, signal).catch(missing))
      await storeNext(async () => {
        const nested = file.depth < depthMax ? await nestedFiles(services, thread, outcome) : []
        await storeOutcome(services, file, { outcome, nested }, limits.recordingBytes)
      })
    } catch (error) {
      await releaseFile(store, file.id)
      if (!signal.aborted) throw error
    }
  }

  return {
    async fetchWaiting(signal) {
      const origin = await storedOrigin(store)
      const running = new Set<Promise<void>>()
      const failures: unknown[] = []
      const begin = (file: AssetRow) => {
        hosts.begin(file.host)
        projects.begin(file.project_id)
        const work = process(file, origin, signal)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => {
            hosts.end(file.host)
            projects.end(file.project_id)
            running.delete(work)
          })
        running.add(work)
      }
      let count = 0
      try {
        for (;;) {
          const isOpen = running.size < limits.atOnce && failures.length === 0 && !signal.aborted
          const file = isOpen ? await claimNext() : undefined
          if (file) begin(file)
          else if (running.size > 0) await Promise.race(running)
          else break
          if (file) count += 1
        }
      } finally {
        await thread.stop()
      }
      if (failures.length > 0) throw new AggregateError(failures, 'files could not be fetched or stored')
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
type Missing = { reason: string }

/** Returns the content that another recording of the project recently got from the URL. */
async function sharedContent(
  { store, objects, clock }: VaultServices,
  file: AssetRow,
): Promise<Content | null> {
  const shared = await findShared(store, file, new Date(clock.now() - sharedMs))
  if (!shared) return null
  const bytes = file.is_stylesheet ? await objects.get(assetKey(file.project_id, shared.hash)) : null
  return bytes || !file.is_stylesheet ? { ...shared, bytes, isStored: true } : null
}

function missing(error: unknown): Missing {
  if (error instanceof MissingAsset) return { reason: error.message }
  throw error
}

function tooMuch(bytesMax: number): MissingAsset {
  return new MissingAsset(`The files of the recording are larger than ${bytesMax / 1e6} MB.`)
}

/** Stores the outcome of fetching a file, unless its recording was deleted or another process was faster. */
async function storeOutcome(
  services: VaultServices,
  file: AssetRow,
  { outcome, nested }: { outcome: Content | Missing; nested: readonly FoundFile[] },
  bytesMax: number,
): Promise<void> {
  const { store, clock } = services
  await store.transaction().execute(async (transaction) => {
    if (!(await lockFile(transaction, file))) return
    const fetched_at = new Date(clock.now())
    const refuse = ({ reason }: Missing) =>
      finishFile(transaction, file.id, { hash: null, final_url: null, reason, fetched_at })
    if ('reason' in outcome) return await refuse(outcome)
    const stored = await storedBytes(transaction, file.recording_id)
    if (stored + outcome.size > bytesMax) return await refuse(missing(tooMuch(bytesMax)))
    if (!(await storeContent(services, transaction, file.project_id, outcome))) return
    const { hash, final_url } = outcome
    await finishFile(transaction, file.id, { hash, final_url, reason: null, fetched_at })
    const recording = { id: file.recording_id, project_id: file.project_id }
    const found = { recording, files: nested, depth: file.depth + 1, missing: null }
    await insertFoundFiles(transaction, found, referencesMax)
  })
}

/** Stores a content if necessary and prevents its deletion; returns false if it was just deleted. */
async function storeContent(
  { objects }: VaultServices,
  transaction: StoreTransaction,
  project_id: number,
  { hash, content_type, size, bytes, isStored }: Content,
): Promise<boolean> {
  if (isStored) return await lockContent(transaction, { project_id, hash })
  await insertContent(transaction, { project_id, hash, content_type, bytes: size })
  // A crash may have removed the object of a content that no recording names.
  if (bytes && !(await isNamed(transaction, { project_id, hash })))
    await objects.put(assetKey(project_id, hash), bytes)
  return true
}

/** Returns the files that a style sheet names; none if the search takes too long. */
async function nestedFiles(
  { logger }: VaultServices,
  thread: ReferenceThread,
  outcome: Content | Missing,
): Promise<FoundFile[]> {
  if ('reason' in outcome || outcome.content_type !== stylesheetType || !outcome.bytes) return []
  try {
    const { found } = await thread.search({ css: outcome.bytes, base: outcome.final_url ?? '' })
    return found.map(([url, is_stylesheet]) => ({ url, is_stylesheet }))
  } catch (error) {
    logger.warn({ err: error }, 'a style sheet could not be searched for files')
    return []
  }
}
