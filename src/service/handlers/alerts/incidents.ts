import { incidentExportsMax, muteMsMax, Incident } from '../../../contract/alerts/alert-incident.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { incidentPath, incidentTitle } from '../../alerts/describe-incident.ts'
import { isUuid } from '../../auth/uuid.ts'
import { conflict, invalidInput, notFound } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import {
  countOpenIncidents,
  pageOfIncidents,
  readIncidents,
  updateOpenIncident,
  type IncidentRow,
  type ListedIncident,
} from '../../store/alerts/incidents.ts'
import { positionOf, showOffsetPage } from '../cursor-page.ts'
import { readInstant } from '../given-times.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'
import { hiddenKinds } from '../hidden-kinds.ts'

/** How much (ms) `next_since` is earlier than now, because changes that began before now may still commit. */
const overlapMs = 10_000

export const listIncidents: Handler<'listIncidents'> = async (request) => {
  const { services, caller, project, query } = request
  const { store, clock } = services
  const projectId = project.id
  const now = clock.now()
  if (query.batch_export !== undefined && !isUuid(query.batch_export))
    throw invalidInput('This is not the id of an export.', ['batch_export'])
  const hidden = hiddenKinds(caller)
  const filter = {
    hidden,
    status: query.status,
    kind: query.kind,
    batchExportId: query.batch_export,
    since: readInstant(query.since),
  }
  const [page, open] = await Promise.all([
    pageOfIncidents(store, projectId, filter, { ...query, position: positionOf(query) }, incidentExportsMax),
    countOpenIncidents(store, projectId, hidden),
  ])
  return {
    ...showOffsetPage(page, request, show),
    open,
    next_since: formatInstant(now - overlapMs),
  }
}

export const getIncident: Handler<'getIncident'> = ({ services, incident }) => read(services, incident.id)

export const acknowledgeIncident: Handler<'acknowledgeIncident'> = async (request) => {
  const { services, caller, incident, body } = request
  const now = new Date(services.clock.now())
  if (body.acknowledged === (incident.acknowledged_at !== null)) {
    if (incident.recovered_at !== null) throw conflict(recovered)
    return await read(services, incident.id)
  }
  return await change(services, incident, {
    acknowledged_at: body.acknowledged ? now : null,
    acknowledged_by: body.acknowledged ? caller.name : null,
  })
}

export const muteIncident: Handler<'muteIncident'> = async ({ services, caller, incident, body }) => {
  const until = readInstant(body.until)
  const now = services.clock.now()
  if (until !== null && until.getTime() <= now)
    throw invalidInput('The mute must end in the future.', ['until'])
  if (until !== null && until.getTime() > now + muteMsMax)
    throw invalidInput('The mute must end within a year.', ['until'])
  return await change(services, incident, {
    muted_until: until,
    muted_by: until === null ? null : caller.name,
  })
}

async function change(services: Services, incident: IncidentRow, changes: Partial<IncidentRow>) {
  const last_updated_at = new Date(services.clock.now())
  if (!(await updateOpenIncident(services.store, incident.id, { ...changes, last_updated_at })))
    throw conflict(recovered)
  return await read(services, incident.id)
}

const recovered = 'This incident has recovered: it sends no reminders.'

async function read({ store }: Services, id: string): Promise<Incident> {
  const [row] = await readIncidents(store, [id], incidentExportsMax)
  if (!row) throw notFound()
  return show(row)
}

function show(row: ListedIncident): Incident {
  const { acknowledged_at, acknowledged_by, muted_until, muted_by } = row
  return shownAs(Incident, {
    ...row,
    status: row.recovered_at === null ? 'open' : 'recovered',
    title: incidentTitle(row),
    destination: row.destination || null,
    url: incidentPath(row),
    exports: row.exports.map(({ since, until, ...named }) => ({
      ...named,
      since: formatInstant(since),
      until: until === null ? null : formatInstant(until),
    })),
    acknowledged: acknowledged_at && { by: acknowledged_by ?? '', at: formatInstant(acknowledged_at) },
    muted: muted_until && { by: muted_by ?? '', until: formatInstant(muted_until) },
    transitions: row.transitions.map(({ transition, at }) => ({ transition, at: formatInstant(at) })),
  })
}
