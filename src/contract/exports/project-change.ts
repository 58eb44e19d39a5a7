import { z } from 'zod'
import { BatchExportChange, ChangeKind } from './batch-export-change.ts'
import { InstantInput } from '../datetime.ts'
import { repeatable } from '../page.ts'

/** A change in the history of a project, with the batch export, which may have been deleted since. */
export const ProjectChange = BatchExportChange.extend({
  batch_export: z.object({ id: z.string(), name: z.string(), deleted: z.boolean() }),
})
export type ProjectChange = z.infer<typeof ProjectChange>

/** `search` finds a part of a batch export's name, an author, a file, a field, its label or a value. */
export const ProjectChangeQuery = z.object({
  cursor: z.string().optional(),
  search: z.string().max(200).optional(),
  kind: repeatable(ChangeKind),
  by: z.string().optional(),
  batch_export: z.guid().optional(),
  after: InstantInput.optional(),
  before: InstantInput.optional(),
})
