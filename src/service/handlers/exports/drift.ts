import type { ChangedField } from '../../../contract/exports/batch-export-change.ts'
import type { AppliedFacts } from '../../../contract/exports/batch-export.ts'
import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import type { BatchExportRow } from '../../store/runs/batch-exports.ts'
import { definitionsOf, editedSinceApplied, type DefinitionRow } from '../../store/runs/export-definitions.ts'
import type { Handler } from '../handler.ts'
import { plainChanges, secretChanges, shownFields } from './changed-fields.ts'
import { storedSecrets } from './destination-input.ts'

type Box = Pick<Services, 'secrets' | 'logger'>

export const driftOfBatchExport: Handler<'driftOfBatchExport'> = async ({ services, batchExport }) => {
  const definition = (await definitionsOf(services.store, [batchExport.id])).get(batchExport.id)
  if (!definition) return { applied: null, fields: [] }
  const fields = driftOf(services, definition, batchExport)
  return { applied: showApplied(definition, fields), fields }
}

/** Returns, by export, when each was last applied from a file; exports that never were are missing. */
export async function appliedFactsOf(
  services: Box & Pick<Services, 'store'>,
  rows: readonly BatchExportRow[],
): Promise<Map<string, { applied: AppliedFacts }>> {
  const definitions = await definitionsOf(
    services.store,
    rows.map(({ id }) => id),
  )
  return new Map(
    rows.flatMap((row) => {
      const definition = definitions.get(row.id)
      if (!definition) return []
      return [[row.id, { applied: showApplied(definition, driftOf(services, definition, row)) }]]
    }),
  )
}

/** Returns the ids of the exports of these projects whose settings differ from those applied. */
export async function driftedExports(services: Box & Pick<Services, 'store'>, projectIds: readonly number[]) {
  const rows = await editedSinceApplied(services.store, projectIds)
  const facts = await appliedFactsOf(services, rows)
  return new Set(rows.flatMap(({ id }) => (facts.get(id)?.applied.changed ? id : [])))
}

/** Returns the settings that a file has applied to an export; `paused` only if the file sets it. */
export function appliedSettings(
  services: Box,
  row: BatchExportRow,
  setsPaused: boolean,
): Pick<DefinitionRow, 'settings' | 'secrets'> {
  const { paused, pause_reason: _, paused_until: __, ...settings } = shownFields(row)
  return { settings: { ...settings, ...(setsPaused && { paused }) }, secrets: secretTokens(services, row) }
}

function showApplied({ applied_at, actor, source }: DefinitionRow, drift: readonly unknown[]): AppliedFacts {
  return { at: formatInstant(applied_at), by: actor, source, changed: drift.length > 0 }
}

/** Lists the settings that differ from those applied; secrets without their values. */
function driftOf(services: Box, definition: DefinitionRow, row: BatchExportRow): ChangedField[] {
  const now = appliedSettings(services, row, 'paused' in definition.settings)
  return [
    ...plainChanges(definition.settings, now.settings),
    ...secretChanges(definition.secrets, now.secrets),
  ]
}

/** A token shows whether a secret has changed; nobody without the installation's key can test a guess against it. */
function secretTokens(services: Box, row: BatchExportRow): Record<string, string> {
  return Object.fromEntries(
    Object.entries(storedSecrets(services, row)).map(([name, value]) => [
      name,
      services.secrets.token(
        `definition ${row.id} ${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ),
    ]),
  )
}
