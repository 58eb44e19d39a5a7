import { isDeepStrictEqual } from 'node:util'
import type { ChangedField } from '../../../contract/exports/batch-export-change.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { storedSecrets } from './destination-input.ts'

type Box = Pick<Services, 'secrets' | 'logger'>

/** Lists the fields that differ between two states of a batch export, or all fields set on a new one (`before` is null). */
export function changedFields(
  services: Box,
  before: BatchExportRow | null,
  after: BatchExportRow,
): ChangedField[] {
  const [old, now] = [before ? shownFields(before) : {}, shownFields(after)]
  const plain = differing(old, now).map((field) => ({
    field,
    before: old[field] ?? null,
    after: now[field] ?? null,
    secret: false,
  }))
  const [oldSecrets, nowSecrets] = [
    before ? storedSecrets(services, before) : {},
    storedSecrets(services, after),
  ]
  const secret = differing(oldSecrets, nowSecrets).map((name) => ({
    field: `destination.config.${name}`,
    before: null,
    after: null,
    secret: true,
  }))
  return [...plain, ...secret]
}

/** Returns the settings of an export that the history shows by name, without secrets. */
export function shownFields(row: BatchExportRow): Record<string, unknown> {
  const config = Object.entries(row.destination_config)
  return {
    name: row.name,
    model: row.model,
    interval: row.interval,
    'destination.type': row.destination_type,
    ...Object.fromEntries(config.map(([name, value]) => [`destination.config.${name}`, value])),
    hogql_query: row.hogql_query,
    start_at: row.start_at && formatInstant(row.start_at),
    end_at: row.end_at && formatInstant(row.end_at),
    paused: row.paused,
    pause_reason: row.pause_reason,
    paused_until: row.paused_until && formatInstant(row.paused_until),
    tags: row.tags.length > 0 ? row.tags : null,
    owner: row.owner || null,
    note: row.note || null,
  }
}

/** Returns the names whose values differ; missing and null count as equal. */
export function differing(old: Record<string, unknown>, now: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names.filter((name) => !isDeepStrictEqual(old[name] ?? null, now[name] ?? null))
}
