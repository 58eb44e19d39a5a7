import { Bindings } from './filter-sql.ts'
import { sessionMsMax, type Period } from './sessions-of-period.ts'

/** Requires that a session has a matching event, console entry or failed request, or (negated) none. */
export type SessionCondition = {
  table: 'events' | 'session_events' | 'console_entries' | 'session_failed_requests'
  negated: boolean
  where: (bindings: Bindings) => string
  /**
   * The same condition on gathered properties, and on `session_texts` if that table has the property. Events that arrived later
   * than `until` (µs since the epoch) are queried directly; it is null if there are no such events.
   */
  gathered?: {
    table: 'session_properties' | 'event_properties'
    until: number | null
    where: (bindings: Bindings, team: string) => string
    ofText?: (bindings: Bindings) => string
  }
  /** Of console entries: as `readEntriesSince` returns it. */
  entriesSince?: number
}

/** Returns a condition as text, ignoring negation. */
export function conditionText({ table, where }: SessionCondition): string {
  const own = new Bindings()
  return JSON.stringify([table, where(own), own.params])
}

/** Whether a table has the times of what happened. */
export function isTimed(table: SessionCondition['table']): boolean {
  return table === 'events' || table === 'console_entries'
}

/**
 * Returns the statements that select the sessions together, each as the text after FROM, to which conditions can be appended with
 * AND. `isCheck`: the appended condition leaves few sessions.
 */
export function selectSessions(
  projectId: number,
  { table, where, gathered, entriesSince }: SessionCondition,
  { from, to }: Period,
  isCheck = false,
): { tableWhere: string; bindings: Bindings }[] {
  const select = (conditionsOn: (bindings: Bindings, team: string) => string) => {
    const bindings = new Bindings()
    return { tableWhere: conditionsOn(bindings, bindings.bind('Int64', projectId)), bindings }
  }
  const inTable = (bindings: Bindings, team: string) => {
    const time = (sign: string, limit: number) =>
      ` AND timestamp ${sign} fromUnixTimestamp64Milli(${bindings.bind('Int64', limit)}, 'UTC')`
    const after = isTimed(table) && from !== null ? time('>=', from - sessionMsMax) : ''
    const before = isTimed(table) && to !== null ? time('<', to + sessionMsMax) : ''
    return `${table} WHERE team_id = ${team}${after}${before} AND (${where(bindings)})`
  }
  if (isCheck && entriesSince !== undefined && from !== null && from >= entriesSince)
    return [select((bindings, team) => `session_entries WHERE team_id = ${team} AND (${where(bindings)})`)]
  if (!gathered) return [select(inTable)]
  const { table: gatheredTable, where: ofProperty, ofText, until } = gathered
  const ofGathered = select((bindings, team) =>
    isCheck && ofText
      ? `session_texts WHERE team_id = ${team} AND ${ofText(bindings)}`
      : `${gatheredTable} WHERE team_id = ${team} AND ${ofProperty(bindings, team)}`,
  )
  if (until === null) return [ofGathered]
  const ofLater = select((bindings, team) => {
    const later = `inserted_at > fromUnixTimestamp64Micro(${bindings.bind('Int64', until)}, 'UTC')`
    return `${inTable(bindings, team)} AND ${later}`
  })
  return [ofGathered, ofLater]
}
