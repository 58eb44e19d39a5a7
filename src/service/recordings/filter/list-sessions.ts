import { sql } from 'kysely'
import { textArray } from '../../engines/postgres/text-array.ts'
import type { Services } from '../../services.ts'
import { isOneOf, type RowCondition } from '../../store/recordings/recordings-list.ts'
import { allSessionsWith } from './filter-sessions.ts'
import type { SessionCondition } from './session-condition.ts'
import type { SessionQuery } from './read-filter.ts'
import { sessionsOfPeriod, type Span } from './sessions-of-period.ts'

/**
 * Turns conditions that few sessions match into lists of session ids (`listed`); the others stay unchanged (`unlisted`). At most
 * `most` sessions meet those that are listed.
 */
export async function listSessions(
  { store, warehouse }: Pick<Services, 'store' | 'warehouse'>,
  projectId: number,
  { sessionFilters, period }: SessionQuery,
): Promise<{ listed: RowCondition[]; unlisted: SessionCondition[]; most: number }> {
  let span: Span | undefined
  const spanOf = (given: { from: number; to: number | null }) =>
    (span ??= sessionsOfPeriod(store, projectId, given))
  const sessions = await Promise.all(
    sessionFilters.map((condition) => allSessionsWith(warehouse, projectId, condition, period, spanOf)),
  )
  const lengths = sessions.map((ids, index) => (sessionFilters[index]?.negated ? Infinity : ids?.length))
  const listed = sessionFilters.flatMap(({ negated }, index) => {
    const ids = sessions[index]
    return ids ? [inSessions(ids, negated)] : []
  })
  const unlisted = sessionFilters.filter((_, index) => !sessions[index])
  return { listed, unlisted, most: Math.min(...lengths.map((length) => length ?? Infinity)) }
}

/** Requires that the recording belongs to one of these sessions, or (negated) to none. */
export function inSessions(ids: readonly string[], negated = false): RowCondition {
  return negated ? sql`recording.session_id <> ALL (${textArray(ids)}::text[])` : isOneOf('session_id', ids)
}
