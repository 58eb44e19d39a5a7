import { z } from 'zod'
import { ChangedField } from './batch-export-change.ts'
import { AppliedFacts, BatchExportCreate } from './batch-export.ts'
import { repeatable } from '../page.ts'
import { plainName } from '../plain-text.ts'

/** The settings of a batch export as a file defines them: those of its creation, with secrets. */
export const ExportDefinition = z.strictObject(
  BatchExportCreate.omit({ last_paused_at: true, reason: true, until: true }).shape,
)
export type ExportDefinition = z.infer<typeof ExportDefinition>

/** Whether a field of the history is a setting that a user can change through the export itself. */
export function isSetting(field: string): boolean {
  return (
    /^destination\.(type$|integration$|config\.)/.test(field) || Object.hasOwn(ExportDefinition.shape, field)
  )
}

/** The value that stands for "none" in a field: null, or the empty value that it accepts; undefined if it requires a value. */
export function noneOf(field: string): unknown {
  const schema: z.ZodType | undefined = new Map(Object.entries<z.ZodType>(ExportDefinition.shape)).get(field)
  return [null, '', []].find((none) => schema?.safeParse(none).success)
}

const optional = Object.keys(ExportDefinition.shape).filter((field) => noneOf(field) !== undefined)

/** Returns a definition in which the settings that it omits have the values of a new export; `paused` stays omitted. */
export function completeDefinition(definition: ExportDefinition): ExportDefinition {
  const none = Object.fromEntries(optional.map((field) => [field, noneOf(field)]))
  return { ...none, model: 'events', ...definition }
}

/** Exports in one file or request. */
const definitionsMax = 1000

/** Settings without a value in the file get that of a new export, except `paused`, which stays. */
export const ApplyInput = z.strictObject({
  exports: z
    .array(ExportDefinition)
    .max(definitionsMax, `Apply at most ${definitionsMax} batch exports at once.`),
  dry_run: z.boolean().optional().describe('Only checks the definitions and says what would change.'),
  prune: z.boolean().optional().describe('Also deletes the batch exports that the definitions do not name.'),
  source: plainName(200).optional().describe('Name of the file, for the history.'),
})
export type ApplyInput = z.infer<typeof ApplyInput>

/** What the definitions change for one export; `unlisted`: they do not name the export, and it stays. */
const PlannedChange = z.object({
  name: z.string(),
  /** null if the export does not exist yet. */
  batch_export: z.string().nullable(),
  action: z.enum(['create', 'update', 'unchanged', 'delete', 'unlisted']),
  fields: z.array(ChangedField),
})
export type PlannedChange = z.infer<typeof PlannedChange>

/** All changes of a plan are applied, or none. */
export const AppliedExports = z.object({ applied: z.boolean(), changes: z.array(PlannedChange) })
export type AppliedExports = z.infer<typeof AppliedExports>

/** The settings that differ from those last applied from a file; `applied` is null if none were. */
export const Drift = z.object({ applied: AppliedFacts.nullable(), fields: z.array(ChangedField) })
export type Drift = z.infer<typeof Drift>

export const YamlQuery = z.object({ id: repeatable(z.guid()).describe('By default, all batch exports.') })
