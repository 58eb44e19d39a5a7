import { recordingDevices, type RecordingFacts } from '../../../contract/recordings/recording-facts.ts'
import type { Warehouse } from '../../engines/clickhouse/clickhouse.ts'
import { safeText } from '../../engines/safe-text.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { ofSession, sessionParams } from '../facts/captured-event.ts'

export type SessionDevice = Pick<RecordingFacts, 'browser' | 'os' | 'device' | 'country'>

const nameLengthMax = 40

/** Returns the device of a session, as its events report it. */
export async function sessionDevice(warehouse: Warehouse, recording: RecordingRow): Promise<SessionDevice> {
  const [row] = await warehouse.query<Record<'browser' | 'os' | 'device' | 'country', string>>(
    `SELECT ${latest('$browser')} AS browser, ${latest('$os')} AS os, ${latest('$device_type')} AS device,
      ${latest('$geoip_country_code')} AS country
    FROM events WHERE ${ofSession}`,
    { params: sessionParams(recording) },
  )
  const { browser = '', os = '', device = '', country = '' } = row ?? {}
  const known = recordingDevices.find((each) => each === device.toLowerCase())
  return {
    browser: nameOf(browser),
    os: nameOf(os),
    device: known ?? (recording.snapshot_source === 'mobile' ? 'mobile' : null),
    country: /^[A-Z]{2}$/.test(country) ? country : null,
  }
}

/** Returns the SQL of a property's newest value that is not empty. */
function latest(property: string): string {
  const value = `JSONExtractString(properties, '${property}')`
  return `argMaxIf(${value}, timestamp, ${value} != '')`
}

function nameOf(text: string): string | null {
  return safeText(text, nameLengthMax) || null
}
