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
  const oldSecrets = before ? storedSecrets(services, before) : {}
  return [...plainChanges(old, now), ...secretChanges(oldSecrets, storedSecrets(services, after))]
}

type Values = Record<string, unknown>

/** Lists the settings that differ, with their values. */
export function plainChanges(old: Values, now: Values): ChangedField[] {
  return differing(old, now).map((field) => ({
    field,
    before: old[field] ?? null,
    after: now[field] ?? null,
    secret: false,
  }))
}

/** Lists the secrets of the destination that differ, without their values. */
export function secretChanges(old: Values, now: Values): ChangedField[] {
  return differing(old, now).map((name) => ({
    field: `destination.config.${name}`,
    before: null,
    after: null,
    secret: true,
  }))
}

/** Returns the settings of an export that the history shows by name, without secrets. */
export function shownFields(row: BatchExportRow): Record<string, unknown> {
  const config = Object.entries(row.destination_config)
  return {
    name: row.name,
    model: row.model,
    interval: row.interval,
    'destination.type': row.destination_type,
    'destination.integration': row.integration_config?.['name'] ?? null,
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
function differing(old: Values, now: Values): string[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return names.filter((name) => !isDeepStrictEqual(old[name] ?? null, now[name] ?? null))
}
