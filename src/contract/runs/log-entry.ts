import { z } from 'zod'
import { Instant, InstantInput } from '../datetime.ts'
import { offsetPage, longListQuery, repeatable } from '../page.ts'
import { logLevels } from './log-levels.ts'

export const LogLevel = z.enum(logLevels)
export type LogLevel = z.infer<typeof LogLevel>

/** `log_source_id` is the batch export's id, `instance_id` the run's ("" for a line about the export itself). */
export const LogEntry = z.object({
  log_source_id: z.string(),
  instance_id: z.string(),
  timestamp: Instant,
  level: LogLevel,
  message: z.string(),
})
export type LogEntry = z.infer<typeof LogEntry>

export const LogPage = offsetPage(LogEntry)

const filter = {
  after: InstantInput.optional(),
  before: InstantInput.optional(),
  level: repeatable(z.string().toUpperCase().pipe(LogLevel)),
  search: z.string().optional(),
}

/** A download contains every matching line, so it has no `limit` or `offset`. */
export const LogDownloadQuery = z.object(filter)

export const LogQuery = longListQuery(50, 500).extend(filter)
