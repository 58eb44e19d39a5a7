import { z } from 'zod'
import { PlainText } from '../../plain-text.ts'
import { ColumnChanges } from './column-changes.ts'
import { eventFields } from '../destination.ts'

/** Config keys of every table in a database that is reached with a connection. */
export const tableFields = {
  database: PlainText.min(1),
  table_name: PlainText.optional(),
  append_only: z.boolean().optional(),
  columns: ColumnChanges.nullable().optional(),
  ...eventFields,
}

/** Returns why a table cannot have this name, or null. */
export function ownNameProblem(name: string): string | null {
  return name.startsWith('_spool_') ? 'Names that begin with “_spool_” are the service’s own.' : null
}
