import { z } from 'zod'
import { DestinationInput } from './destination.ts'

/** With the `id` of a batch export, omitted config (usually secrets) is taken from its stored destination. */
export const ConnectionTestInput = z.object({ destination: DestinationInput, id: z.string().optional() })

export const connectionSteps = [
  'Address',
  'Reach',
  'TLS',
  'Credentials',
  'Bucket',
  'Container',
  'Folder',
  'Database',
  'Schema',
  'Table',
  'Write',
  'Remove',
] as const
export type ConnectionStepName = (typeof connectionSteps)[number]

/** The steps of a bucket; a folder on the service's disk has only those that write and remove. */
export const fileSteps = ['Address', 'Reach', 'Credentials', 'Bucket', 'Write', 'Remove'] as const

/** The steps of a container of Azure, and those of a folder on an SFTP server. */
export const containerSteps = ['Address', 'Reach', 'Credentials', 'Container', 'Write', 'Remove'] as const
export const folderSteps = ['Address', 'Reach', 'Credentials', 'Folder', 'Write', 'Remove'] as const

/** The steps of a table in a database with schemas. */
export const tableSteps = [
  'Address',
  'Reach',
  'TLS',
  'Credentials',
  'Database',
  'Schema',
  'Table',
  'Write',
  'Remove',
] as const

/** The steps of a table in a database without schemas. */
export const databaseSteps = tableSteps.filter((name) => name !== 'Schema')

/** The steps of a destination that receives requests. */
export const requestSteps = ['Address', 'Reach', 'TLS', 'Write'] as const

/** `detail` describes the result, `remedy` the fix (null unless the step failed). */
export const ConnectionStep = z.object({
  name: z.enum(connectionSteps),
  status: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
  remedy: z.string().nullable(),
})
export type ConnectionStep = z.infer<typeof ConnectionStep>

export const ConnectionTest = z.object({ ok: z.boolean(), steps: z.array(ConnectionStep) })
export type ConnectionTest = z.infer<typeof ConnectionTest>
