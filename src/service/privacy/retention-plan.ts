import { statfs } from 'node:fs/promises'
import { formatInstant } from '../../contract/instant.ts'
import {
  retentionFields,
  retentionKinds,
  type RetainedData,
  type RetentionKind,
} from '../../contract/privacy/retention.ts'
import type { PrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import type { Row } from '../engines/clickhouse/clickhouse.ts'
import { statementError } from '../problems/down-engine.ts'
import type { Services } from '../services.ts'
import { dayOf } from '../store/runs/day-changes.ts'
import {
  blockBytesSince,
  bytesPerRow,
  exportsInProgress,
  logsByDay,
  runsByDay,
  type DayCount,
} from '../store/privacy/retained-rows.ts'
import { windowsToRepair } from '../store/windows/windows-to-repair.ts'

type Engines = Pick<Services, 'store' | 'warehouse' | 'clock' | 'config'>
type Limits = Pick<
  PrivacySettings,
  'event_days' | 'event_bytes' | 'run_days' | 'run_bytes' | 'log_days' | 'log_bytes'
>
/** What holds rows from a time (milliseconds) on. */
type Hold = { since: number; batch_export: string; name: string }

const dayMs = 86_400_000
/** Days over which a rate is an average. */
const rateDays = 7
const forecastMsMax = 10 * 365 * dayMs
/** How much smaller blocks of recordings usually become by compression. */
const blockRatio = 4

/** Returns what a project stores, and what a sweep removes now with these limits. */
export async function planRetention(services: Engines, projectId: number, limits: Limits) {
  const plans: RetainedData[] = []
  for (const kind of retentionKinds) plans.push(await planKind(services, projectId, kind, limits))
  return plans
}

async function planKind(services: Engines, projectId: number, kind: RetentionKind, limits: Limits) {
  const now = services.clock.now()
  const counts = await countByDay(services, kind, { projectId })
  const rowBytes = await rowBytesOf(services, kind)
  const { days, bytes } = retentionFields[kind]
  const wanted = firstKeptDay(counts, rowBytes, { days: limits[days], bytes: limits[bytes] }, now)
  const oldest = counts[0]?.day ?? null
  const hold =
    oldest !== null && oldest < wanted && kind !== 'logs'
      ? await findHold(services, projectId, kind, { start: oldest * dayMs, end: wanted * dayMs })
      : null
  const first = Math.min(wanted, hold ? dayOf(hold.since) : Infinity)
  const total = rowsOfDays(counts, Infinity)
  const removed = rowsOfDays(counts, first)
  return {
    kind,
    rows: total,
    bytes: Math.round(total * rowBytes),
    oldest: oldest === null ? null : formatInstant(oldest * dayMs),
    bytes_per_day: Math.round(rateOf(counts, now) * rowBytes),
    until: removed > 0 ? formatInstant(first * dayMs) : null,
    removed_rows: removed,
    removed_bytes: Math.round(removed * rowBytes),
    held_rows: rowsOfDays(counts, wanted) - removed,
    held_by: hold && { ...hold, since: formatInstant(hold.since) },
  }
}

async function ask<T extends Row>(
  { warehouse }: Pick<Engines, 'warehouse'>,
  query: string,
  params: Row = {},
) {
  return await warehouse.query<T>(query, { params }).catch((error: unknown) => {
    throw statementError(error)
  })
}

/** Rows of a project, or those of all projects that arrived since a time (milliseconds). */
type Counted = { projectId: number } | { since: number }

async function countByDay({ store, warehouse }: Engines, kind: RetentionKind, counted: Counted) {
  if (kind === 'runs') return await runsByDay(store, counted)
  if (kind === 'logs') return await logsByDay(store, counted)
  return await ask<DayCount>(
    { warehouse },
    `SELECT intDiv(toUnixTimestamp(inserted_at), 86400) AS day, count() AS rows FROM events
    WHERE ${'since' in counted ? `inserted_at >= fromUnixTimestamp64Milli({since: Int64}, 'UTC')` : 'team_id = {projectId: Int64}'} GROUP BY day ORDER BY day`,
    counted,
  )
}

async function rowBytesOf({ store, warehouse }: Engines, kind: RetentionKind): Promise<number> {
  if (kind !== 'events') return await bytesPerRow(store, `batch_export_${kind}`)
  const [parts] = await ask<{ bytes: number; rows: number }>(
    { warehouse },
    `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts
    WHERE database = currentDatabase() AND table = 'events' AND active`,
  )
  return parts && parts.rows > 0 ? parts.bytes / parts.rows : 0
}

/** Returns the first day whose rows the limits keep. Today is always kept. */
export function firstKeptDay(
  counts: readonly DayCount[],
  rowBytes: number,
  { days, bytes }: { days: number | null; bytes: number | null },
  now: number,
): number {
  const byAge = days === null ? -Infinity : dayOf(now) - days
  let kept = 0
  const tooMuch =
    bytes === null ? undefined : counts.findLast(({ rows }) => (kept += rows * rowBytes) > bytes)
  return Math.min(Math.max(byAge, tooMuch ? tooMuch.day + 1 : -Infinity), dayOf(now))
}

function rowsOfDays(counts: readonly DayCount[], before: number): number {
  return counts.reduce((sum, { day, rows }) => sum + (day < before ? rows : 0), 0)
}

/** Returns the rows a day, on average of the last days on which the service ran. */
function rateOf(counts: readonly DayCount[], now: number): number {
  const today = dayOf(now)
  const recent = counts.filter(({ day }) => day > today - rateDays && day <= today)
  const [first] = recent
  return first ? rowsOfDays(recent, Infinity) / (today - first.day + 1) : 0
}

/**
 * Returns the first window in a period that a running export has yet to export, or to export again: without its rows, or without
 * its runs, that would never show. Windows of other models take no events.
 */
async function findHold(
  { store, clock }: Engines,
  projectId: number,
  kind: RetentionKind,
  period: { start: number; end: number },
): Promise<Hold | null> {
  const running = (await exportsInProgress(store, projectId)).filter(
    ({ model }) => kind === 'runs' || model === 'events',
  )
  const ids = running.map(({ id }) => id)
  const open = await windowsToRepair(store, { projectIds: [projectId], ids }, period, clock.now())
  const holds = running.map(({ id, name, since }) => {
    const stretch = open.get(id)?.find(({ cause }) => cause !== 'skipped')
    return { batch_export: id, name, since: Math.min(since.getTime(), stretch?.start ?? Infinity) }
  })
  const [first] = holds.toSorted((one, other) => one.since - other.since)
  return first && first.since < period.end ? first : null
}

/** Returns the disk of the warehouse, and what all projects add a day; null if the disk is unknown. */
export async function forecastDisk(services: Engines) {
  const disk = await readDisk(services)
  if (!disk) return null
  const { store, clock } = services
  const now = clock.now()
  const since = (dayOf(now) - rateDays + 1) * dayMs
  const blocks = await blockBytesSince(store, new Date(since))
  let bytesPerDay = blocks / blockRatio / rateDays
  for (const kind of retentionKinds)
    bytesPerDay +=
      rateOf(await countByDay(services, kind, { since }), now) * (await rowBytesOf(services, kind))
  const left = bytesPerDay > 0 ? (disk.free_bytes / bytesPerDay) * dayMs : Infinity
  const full_at = left < forecastMsMax ? formatInstant(Math.round(now + left)) : null
  return { ...disk, bytes_per_day: Math.round(bytesPerDay), full_at }
}

async function readDisk({ warehouse, config }: Engines) {
  if (warehouse.embedded) {
    const disk = await statfs(config.dataDirectory).catch(() => null)
    return disk && { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize }
  }
  const [disk] = await ask<{ free_bytes: number; total_bytes: number }>(
    { warehouse },
    `SELECT sum(free_space) AS free_bytes, sum(total_space) AS total_bytes FROM system.disks WHERE type = 'Local'`,
  )
  return disk && disk.total_bytes > 0 ? disk : null
}
