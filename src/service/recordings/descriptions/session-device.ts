import { recordingDevices, type RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { safeText } from '../../engines/safe-text.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'

export type SessionDevice = Pick<RecordingFacts, 'browser' | 'os' | 'device' | 'country'>

type Session = Pick<RecordingRow, 'session_id' | 'snapshot_source' | 'start_time' | 'end_time'>

const nameLengthMax = 40
/** Tolerance (ms) for browser clocks, which can be wrong by minutes. */
const clockSlack = 300_000

/** Returns the device of each session, as its events report it. */
export async function sessionDevices(
  warehouse: Warehouse,
  team: number,
  sessions: readonly Session[],
): Promise<(session: Session) => SessionDevice> {
  const rows = await warehouse.query<Record<'session_id' | 'browser' | 'os' | 'device' | 'country', string>>(
    `SELECT session_id, ${latest('$browser')} AS browser, ${latest('$os')} AS os, ${latest('$device_type')} AS device,
      ${latest('$geoip_country_code')} AS country
    FROM events
    WHERE team_id = {team: Int64} AND session_id IN {sessions: Array(String)}
      AND toStartOfHour(timestamp) >= toStartOfHour(fromUnixTimestamp64Milli({from: Int64}))
      AND timestamp >= fromUnixTimestamp64Milli({from: Int64}) AND timestamp <= fromUnixTimestamp64Milli({to: Int64})
    GROUP BY session_id`,
    {
      params: {
        team,
        sessions: sessions.map((session) => session.session_id),
        from: Math.min(...sessions.map((session) => session.start_time.getTime())) - clockSlack,
        to: Math.max(...sessions.map((session) => session.end_time.getTime())) + clockSlack,
      },
    },
  )
  const found = new Map(rows.map((row) => [row.session_id, row]))
  return ({ session_id, snapshot_source }) => {
    const row = found.get(session_id)
    const type = row?.device.toLowerCase()
    const device = recordingDevices.find((each) => each === type)
    return {
      browser: nameOf(row?.browser),
      os: nameOf(row?.os),
      device: device ?? (snapshot_source === 'mobile' ? 'mobile' : null),
      country: /^[A-Z]{2}$/.test(row?.country ?? '') ? (row?.country ?? null) : null,
    }
  }
}

/** Returns the SQL of a property's newest value that is not empty. */
function latest(property: string): string {
  const value = `JSONExtractString(properties, '${property}')`
  return `argMaxIf(${value}, timestamp, ${value} != '')`
}

function nameOf(text: string | undefined): string | null {
  return safeText(text ?? '', nameLengthMax) || null
}
