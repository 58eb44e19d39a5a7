import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

/** An event that the site captured during the session. A missing text is "". */
export type CapturedEvent = {
  /** Milliseconds since the epoch. */
  at: number
  event: string
  window: string
  /** Kind of an autocaptured event: click, submit or change. */
  type: string
  /** Text of the element. */
  element: string
  /** Message of an exception. */
  message: string
  /** Name of the app's screen. */
  screen: string
}

const eventsMax = 5000
/** Tolerance (ms) for browser clocks, which can be wrong by minutes. */
const clockSlack = 300_000

/** A condition on the events of a session, with the parameters from `sessionParams`. */
export const ofSession = `team_id = {project: Int64} AND session_id = {session: String}
      AND toStartOfHour(timestamp) >= toStartOfHour(fromUnixTimestamp64Milli({from: Int64}))
      AND timestamp >= fromUnixTimestamp64Milli({from: Int64}) AND timestamp <= fromUnixTimestamp64Milli({to: Int64})`

export function sessionParams({ project_id, session_id, start_time, end_time }: RecordingRow) {
  const [from, to] = [start_time.getTime() - clockSlack, end_time.getTime() + clockSlack]
  return { project: project_id, session: session_id, from, to }
}

/** Returns the session's first 5,000 events by time: custom events, problems, and submitted forms. */
export async function capturedEvents(warehouse: Warehouse, recording: RecordingRow) {
  return await warehouse.query<CapturedEvent>(
    `SELECT
      toUnixTimestamp64Milli(timestamp) AS at,
      event,
      coalesce(nullIf(JSONExtractString(properties, '$window_id'), ''), {session: String}) AS window,
      JSONExtractString(properties, '$event_type') AS type,
      JSONExtractString(properties, '$el_text') AS element,
      arrayStringConcat(arrayFilter(part -> part != '', [
        coalesce(nullIf(JSONExtractString(properties, '$exception_list', 1, 'type'), ''), JSONExtractString(properties, '$exception_type')),
        coalesce(nullIf(JSONExtractString(properties, '$exception_list', 1, 'value'), ''), JSONExtractString(properties, '$exception_message'))
      ]), ': ') AS message,
      JSONExtractString(properties, '$screen_name') AS screen
    FROM events
    WHERE ${ofSession}
      AND (NOT startsWith(event, '$') OR event IN ('$exception', '$rageclick', '$dead_click', '$screen')
        OR (event = '$autocapture' AND type = 'submit'))
    ORDER BY timestamp, uuid
    LIMIT 1 BY event, distinct_id, uuid
    LIMIT ${eventsMax}`,
    { params: sessionParams(recording) },
  )
}
