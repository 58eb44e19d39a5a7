import { formatInstant } from '../../../contract/instant.ts'
import {
  eventsOfSession,
  readProperties,
  findMatchingEvents,
  firstProperties,
} from '../../recordings/session-events.ts'
import type { Handler } from '../handler.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { showSession } from './show-recording.ts'

const eventsMax = 5000

export const eventsOfSessionRecording: Handler<'eventsOfSessionRecording'> = async (request) => {
  const { services, recording } = request
  const rows = await eventsOfSession(
    services.warehouse,
    { projectId: recording.project_id, sessionId: recording.session_id },
    eventsMax + 1,
  )
  return {
    results: rows.slice(0, eventsMax).map(({ uuid, event, time, properties, elements_chain }) => ({
      uuid,
      event,
      timestamp: formatInstant(time),
      properties: readProperties(properties),
      elements_chain,
    })),
    truncated: rows.length > eventsMax,
  }
}

export const matchingEvents: Handler<'matchingEvents'> = async ({ services, project, query }) => {
  const { session_ids = [], events = [], actions = [], properties = [] } = query
  const [sessionId, ...others] = session_ids
  if (sessionId === undefined || others.length > 0) throw invalidInput('Must specify exactly one session_id')
  if (events.length + actions.length === 0)
    throw invalidInput('Must specify at least one event or action filter')

  const [found, recording] = await Promise.all([
    findMatchingEvents(
      services.warehouse,
      { projectId: project.id, sessionId },
      { events, actions, properties },
    ),
    showSession(services, project.id, sessionId),
  ])
  return {
    ...recording,
    results: found.map(({ uuid }) => uuid),
    timestamps: found.map(({ time }) => formatInstant(time)),
  }
}

type Properties = Record<string, unknown>

/** Properties that describe the visitor and how they arrived, not just one event. */
const visitorProperties =
  /^(?:\$(?:browser|browser_version|browser_language|os|os_version|device|device_type|device_manufacturer|device_model|current_url|host|pathname|referrer|referring_domain|screen_width|screen_height|viewport_width|viewport_height|timezone|lib|lib_version|app_name|app_version)|\$geoip_\w+|utm_\w+|gclid|fbclid)$/

export const propertiesOfRecordings: Handler<'propertiesOfRecordings'> = async (request) => {
  const { services, project, query } = request
  const ids = [...new Set((query.session_ids ?? []).map(sessionId))]
  const [properties, recording] = await Promise.all([
    firstProperties(services.warehouse, project.id, ids),
    showSession(services, project.id, ids[0]),
  ])
  return {
    ...recording,
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
