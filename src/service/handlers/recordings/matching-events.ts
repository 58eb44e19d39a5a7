import { formatInstant } from '../../../contract/instant.ts'
import { invalidInput, notFound } from '../../problems/api-error.ts'
import { assertPatterns } from '../../recordings/filter/filter-patterns.ts'
import { Bindings, eventSql, propertySql } from '../../recordings/filter/filter-sql.ts'
import { sessionEvents } from '../../recordings/session-events.ts'
import { findRecording } from '../../store/session-recordings.ts'
import type { Handler } from '../handler.ts'
import { noRecording, showRecording } from './show-recording.ts'

export const matchingEvents: Handler<'matchingEvents'> = async ({ services, projects, query }) => {
  const [project] = projects
  if (!project) throw notFound('Project not found.')
  const { session_ids = [], events = [], actions = [], properties = [] } = query
  const [sessionId, ...others] = session_ids
  if (sessionId === undefined || others.length > 0) throw invalidInput('Must specify exactly one session_id')
  if (events.length + actions.length === 0)
    throw invalidInput('Must specify at least one event or action filter')

  const bindings = new Bindings()
  const any = [
    ...events.map((event) => eventSql(bindings, event, 'events')),
    ...actions.map((action) => eventSql(bindings, action, 'actions')),
  ]
  const all = properties.map((filter) => propertySql(bindings, filter, 'properties'))
  const where = [`(${any.map((event) => `(${event})`).join(' OR ')})`, ...all].join(' AND ')
  await assertPatterns(services.warehouse, query)
  const [found, recording] = await Promise.all([
    sessionEvents<{ uuid: string; time: number }>(
      services.warehouse,
      bindings,
      { projectId: project.id, sessionId },
      { columns: 'uuid, toUnixTimestamp64Milli(timestamp) AS time', where },
    ),
    findRecording(services.store, project.id, sessionId),
  ])
  return {
    ...(recording ? await showRecording(services, recording) : noRecording),
    results: found.map(({ uuid }) => uuid),
    timestamps: found.map(({ time }) => formatInstant(time)),
  }
}
