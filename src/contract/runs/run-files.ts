import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { offsetPage } from '../page.ts'

/** Start of the paths that serve exported files without a key. */
export const exportedFilePathStart = '/exported-files/'

const RunFile = z.object({
  /** The object key. */
  name: z.string(),
  /** Null if the run did not record it, and the service cannot look it up. */
  bytes: z.int().nullable(),
  /** Serves the file without a key until `expires_at`; null if the service's disk does not have the file. */
  path: z.string().nullable(),
})
export type RunFile = z.infer<typeof RunFile>

/** The files that a run wrote; a newer run of its window may have replaced them. */
export const RunFiles = offsetPage(RunFile).extend({ expires_at: Instant })
