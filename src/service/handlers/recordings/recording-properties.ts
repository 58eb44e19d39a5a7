import { invalidInput } from '../../problems/api-error.ts'
import { firstProperties } from '../../recordings/session-events.ts'
import { findRecording } from '../../store/recordings/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { noRecording, showRecording } from './show-recording.ts'

type Properties = Record<string, unknown>

/** Properties that describe the visitor and how they arrived, not just one event. */
const visitorProperties =
  /^(?:\$(?:browser|browser_version|browser_language|os|os_version|device|device_type|device_manufacturer|device_model|current_url|host|pathname|referrer|referring_domain|screen_width|screen_height|viewport_width|viewport_height|timezone|lib|lib_version|app_name|app_version)|\$geoip_\w+|utm_\w+|gclid|fbclid)$/

export const propertiesOfRecordings: Handler<'propertiesOfRecordings'> = async ({
  services,
  project,
  query,
}) => {
  const ids = [...new Set((query.session_ids ?? []).map(sessionId))]
  const [first] = ids
  const [properties, recording] = await Promise.all([
    firstProperties(services.warehouse, project.id, ids),
    first === undefined ? undefined : findRecording(services.store, project.id, first),
  ])
  return {
    ...(recording ? await showRecording(services, recording) : noRecording),
    results: ids.map((id) => ({ id, properties: pickVisitorProperties(properties.get(id) ?? {}) })),
  }
}

function sessionId(value: unknown): string {
  if (typeof value === 'string') return value
  throw invalidInput(`Invalid session_id: ${JSON.stringify(value).slice(0, 100)} - not a string`)
}

function pickVisitorProperties(properties: Properties): Properties {
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => visitorProperties.test(name)))
  const entry = properties['$current_url']
  return entry === undefined ? kept : { ...kept, $entry_current_url: entry }
}
