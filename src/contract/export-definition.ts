import { z } from 'zod'
import { BatchExportCreate } from './batch-export.ts'

/** The settings of a batch export as a file defines them: those of its creation, with secrets. */
export const ExportDefinition = z.strictObject(BatchExportCreate.omit({ last_paused_at: true }).shape)
export type ExportDefinition = z.infer<typeof ExportDefinition>

/** Whether a field of the history is a setting that a user can change through the export itself. */
export function isSetting(field: string): boolean {
  return /^destination\.(type$|config\.)/.test(field) || Object.hasOwn(ExportDefinition.shape, field)
}

/** The value that stands for "none" in a field: null, or what else the field accepts; undefined if a value is required. */
export function noneOf(field: string): unknown {
  const schema: z.ZodType | undefined = new Map(Object.entries<z.ZodType>(ExportDefinition.shape)).get(field)
  return [null, '', []].find((none) => schema?.safeParse(none).success)
}
