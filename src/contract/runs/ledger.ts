import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { Interval } from '../interval-schema.ts'
import { cursorPage } from '../page.ts'
import { ledgerFlags, type LedgerFlag } from './ledger-flags.ts'
import { isUnusual, type UsualRows } from './usual-rows.ts'

/**
 * State of a window in the ledger. `proven`: the destination has exactly the rows that the run took; `unverified`: written but
 * never read back; `sent`: to a receiver of requests, which cannot be read back; `refuted`: the destination differs, and flags say how; `unreadable`: the destination could not be read back;
 * `unrecorded`: exported before the ledger existed; `missing`: no run has completed; `pending`: its run has yet to complete;
 * `skipped`: paused, outside the export's lifetime, or not ended yet.
 */
const letters = {
  proven: 'p',
  unverified: 'u',
  sent: 't',
  refuted: 'r',
  unreadable: 'x',
  unrecorded: 'o',
  missing: 'm',
  pending: 'w',
  skipped: 's',
}
export const ledgerStates = Object.keys(letters) as (keyof typeof letters)[]
const stateOf = new Map(ledgerStates.map((state) => [letters[state], state]))
export const LedgerState = z.enum(ledgerStates)
export type LedgerState = z.infer<typeof LedgerState>

const Flag = z.enum(ledgerFlags)

/**
 * An object that a run wrote. `checksum`: recorded when it was written, as `sha256:` (a file), `etag:` (an object in a bucket) or
 * `crc32:` (a file of an earlier version) and the value. `checksum_read`: the SHA-256 of the bytes that the first verification
 * read, if `checksum` is of another kind. `holds`: exported rows, the manifest of a split export, or files that belong to the rows.
 */
export const LedgerObject = z.object({
  key: z.string(),
  bytes: z.int(),
  checksum: z.string(),
  checksum_read: z.string().optional(),
  holds: z.enum(['rows', 'manifest', 'attachment']),
})
export type LedgerObject = z.infer<typeof LedgerObject>

/**
 * What identifies the bytes of an object; `sha256_read`: its SHA-256 since the first verification, and before that an ETag;
 * `crc32_sha256_read`: likewise, but before that a CRC-32, so that a forgery from before the first verification does not show.
 */
export const objectHashes = ['sha256', 'sha256_read', 'etag', 'crc32_sha256_read', 'crc32'] as const
export type ObjectHash = (typeof objectHashes)[number]

export function objectHash({ checksum, checksum_read }: Pick<LedgerObject, 'checksum' | 'checksum_read'>) {
  const isCrc = checksum.startsWith('crc32:')
  if (checksum_read !== undefined) return isCrc ? 'crc32_sha256_read' : 'sha256_read'
  if (isCrc) return 'crc32'
  // Earlier versions recorded an ETag without its name.
  return checksum.startsWith('sha256:') ? 'sha256' : 'etag'
}

/** Counts objects by what identifies their bytes. */
export function countHashes(objects: readonly LedgerObject[]): Partial<Record<ObjectHash, number>> {
  const counts: Partial<Record<ObjectHash, number>> = {}
  for (const object of objects) counts[objectHash(object)] = (counts[objectHash(object)] ?? 0) + 1
  return counts
}

/** When windows are verified without a request: never, after each run, or each night a sample. */
export const verifyModes = ['never', 'each_run', 'nightly'] as const
export const VerifyMode = z.enum(verifyModes)
export type VerifyMode = z.infer<typeof VerifyMode>

/** What a run wrote, and what the last verification found. Counts and hashes are null until known. */
export const LedgerEntry = z.object({
  run: z.string(),
  rows_expected: z.int(),
  rows_written: z.int(),
  /** The first 100; a CSV file and a receipt contain all. */
  objects: z.array(LedgerObject),
  /** Number and size of all objects. */
  object_count: z.int(),
  bytes: z.int(),
  /** The bucket or folder that the run wrote to; absent from receipts of earlier versions. */
  destination: z.string().optional(),
  /** The statement that reads the window in the table that the run wrote to; null if it wrote no table. */
  window_query: z.string().nullable().optional(),
  written_at: Instant,
  verified_at: Instant.nullable(),
  rows_read: z.int().nullable(),
  /** Hash of the rows, in any order, as computed from the source and from the destination. */
  hash_expected: z.string().nullable(),
  hash_read: z.string().nullable(),
  late_rows: z.int(),
  /** Why the destination could not, or cannot, be read back. */
  problem: z.string().nullable(),
  /** The erasure of a person whose rows the destination may still hold; absent from receipts of earlier versions. */
  erasure: z.string().nullable().optional(),
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const LedgerWindow = z.object({
  start: Instant,
  end: Instant,
  state: LedgerState,
  flags: z.array(Flag),
  /** Usual number of rows at this hour of the week; null if too little is known. */
  rows_usual: z.int().nullable(),
  /** Null for a window without a recorded run. */
  entry: LedgerEntry.nullable(),
})
export type LedgerWindow = z.infer<typeof LedgerWindow>

/** The windows of a period that have flags, oldest first. */
export const LedgerFlags = z.object({
  windows: z.array(LedgerWindow.pick({ start: true, end: true, flags: true })),
})
export type LedgerFlags = z.infer<typeof LedgerFlags>

/** A verification: reads windows back in the background. */
export const Verification = z.object({
  id: z.string(),
  status: z.enum(['Running', 'Completed']),
  total: z.int(),
  done: z.int(),
  /** Label of the key that started it. */
  by: z.string(),
  created_at: Instant,
})
export type Verification = z.infer<typeof Verification>

const counts = z.record(z.string(), z.int())

/**
 * The windows of a period, newest first, in pages; states and totals are those of the whole period. Windows from before the
 * export's interval was changed are listed as their runs had them; `states` has windows of the present interval only.
 */
export const Ledger = z.object({
  interval: Interval,
  start: Instant,
  end: Instant,
  verify: VerifyMode,
  /** The newest verification of the export. */
  verification: Verification.nullable(),
  totals: z.object({ windows: z.int(), states: counts, flags: counts }),
  /** One letter per window of the period, oldest first; read it with `decodeLedgerStates`. */
  states: z.string(),
  ...cursorPage(LedgerWindow).shape,
})
export type Ledger = z.infer<typeof Ledger>

const period = { start: InstantInput.optional(), end: InstantInput.optional() }
/** Days before now that the ledger shows without a period. */
export const ledgerDays = 30
/** Windows of a page, and objects of a window in it: an export with blocks writes an object for each recording. */
export const ledgerPageSize = 100
export const ledgerObjectsMax = 100
export const LedgerPeriod = z.object(period)
export const LedgerQuery = z.object({
  ...period,
  /** Shows the windows that start before this time, from `next`. */
  cursor: InstantInput.optional(),
})
export const LedgerUpdate = z.strictObject({ verify: VerifyMode })
export const LedgerSettings = z.object({ verify: VerifyMode })

/** Windows to verify: those of a period, or those that start at the given times. */
export const VerifyInput = z
  .strictObject({ ...period, windows: z.array(InstantInput).min(1).max(1000).optional() })
  .refine(({ start, end, windows }) => windows !== undefined || (start !== undefined && end !== undefined), {
    error: "Send 'windows', or 'start' and 'end'.",
    path: ['windows'],
  })

const signed = z.object({
  version: z.literal(1),
  project: z.int(),
  export: z.object({ id: z.string(), name: z.string(), destination: z.string() }),
  start: Instant,
  end: Instant,
  issued_at: Instant,
  totals: Ledger.shape.totals,
  /** Number of objects by `ObjectHash`; absent from receipts of earlier versions, whose objects have CRC-32s and ETags. */
  hashes: counts.optional(),
  windows: z.array(LedgerWindow),
})
/** A signed statement of the ledger. `signature`: Ed25519 over the canonical JSON of `receipt`, in base64. */
export const LedgerReceipt = z.object({
  receipt: signed,
  algorithm: z.literal('Ed25519'),
  public_key: z.string(),
  signature: z.string(),
})
export type LedgerReceipt = z.infer<typeof LedgerReceipt>
/** `public_key`: SPKI in PEM, with which anyone can check receipts of this installation. */
export const ReceiptKey = z.object({ algorithm: z.literal('Ed25519'), public_key: z.string() })

/** Encodes each state as one letter. */
export function encodeLedgerStates(states: readonly LedgerState[]): string {
  return states.map((state) => letters[state]).join('')
}

/** Decodes `encodeLedgerStates`; a letter that only a newer service knows becomes `skipped`. */
export function decodeLedgerStates(text: string): LedgerState[] {
  return Array.from(text, (letter) => stateOf.get(letter) ?? 'skipped')
}

/** What a verification found about the objects of a window. */
export type ObjectsFound = 'intact' | 'changed' | 'gone'

/** An entry with the facts that determine its flags. */
export type JudgedEntry = Pick<
  LedgerEntry,
  'rows_expected' | 'rows_written' | 'rows_read' | 'hash_expected' | 'hash_read' | 'late_rows' | 'problem'
> & {
  verified: boolean
  objects_found: ObjectsFound | null
  /** Rows that the source had at the verification, of those that the run took. */
  rows_source: number | null
  /** The erasure of a person whose rows the destination may still hold. */
  erasure_id?: string | null
}

/** Returns the flags of a window that has an entry. `usual`: see `usualRows`. */
export function ledgerFlagsOf(entry: JudgedEntry, usual: UsualRows | null): LedgerFlag[] {
  const { rows_expected, rows_written, rows_read, rows_source, objects_found, late_rows } = entry
  const isErased = (entry.erasure_id ?? null) !== null
  const differs = rows_source !== null && rows_source !== rows_expected
  // The rows of an erased person are not missing.
  const sourceChanged = differs && !(isErased && rows_source < rows_expected)
  const contentDiffers =
    rows_read !== null && rows_read >= rows_written && entry.hash_read !== entry.hash_expected
  const found: Record<LedgerFlag, boolean> = {
    short: rows_written < rows_expected || (rows_read !== null && rows_read < rows_written),
    changed: objects_found === 'changed' || (contentDiffers && !differs),
    gone: objects_found === 'gone',
    source: sourceChanged,
    late: late_rows > 0,
    erased: isErased,
    zero: rows_written === 0 && usual !== null && usual.rows > 0,
    unusual: rows_written > 0 && usual !== null && isUnusual(rows_written, usual),
  }
  return ledgerFlags.filter((flag) => found[flag])
}

/** The problem of windows that were sent to a receiver of requests. */
export const sentOnly =
  'The receiver confirmed every batch, each sent at least once. Nothing can be read back from a receiver.'

const refuting: readonly LedgerFlag[] = ['short', 'changed', 'gone', 'source']

/** Returns the state of a window that has an entry. */
export function ledgerStateOf(entry: JudgedEntry, flags: readonly LedgerFlag[]): LedgerState {
  if (entry.problem === sentOnly && !flags.some((flag) => refuting.includes(flag))) return 'sent'
  if (!entry.verified) return flags.includes('short') ? 'refuted' : 'unverified'
  if (flags.some((flag) => refuting.includes(flag))) return 'refuted'
  if (entry.problem !== null) return 'unreadable'
  // Without the rows of the erased person, nothing shows which rows should be there.
  return entry.rows_read !== null && entry.hash_read !== entry.hash_expected ? 'unverified' : 'proven'
}
