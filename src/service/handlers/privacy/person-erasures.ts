import { certifiedWindowsMax } from '../../../contract/privacy/person-erasure.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { lockPersons } from '../../capture/persons/person-store.ts'
import { hashedPerson } from '../../audit/chain.ts'
import { assertScope } from '../../auth/access.ts'
import { signatureOf } from '../../exporter/verify/receipt.ts'
import { invalidInput } from '../../problems/api-error.ts'
import { sessionsWithPerson } from '../../privacy/shared-recordings.ts'
import { pageOfErasedWindows } from '../../store/privacy/erased-windows.ts'
import { deletePerson, runningErasure, type PersonErasureRow } from '../../store/privacy/person-erasures.ts'
import { sql } from 'kysely'
import { newId } from '../../store/schema/identifier.ts'
import { insertRow, offsetPage } from '../../store/schema/rows.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { audit } from '../../store/audit/audit-entries.ts'
import { entryBy } from '../audit/audit-call.ts'
import { positionOf, showOffsetPage } from '../cursor-page.ts'
import type { Handler } from '../handler.ts'
import { requestTypes, showDetails, showErasure, showWindow } from './show-erasure.ts'

/** What exports hold is also theirs. */
const exportScope = 'batch_export:read'

export const previewErasure: Handler<'previewErasure'> = async ({ services, project, person }) => {
  const erased_until = new Date(services.clock.now())
  const { distinct_ids } = person
  return (await sessionsWithPerson(services, { project_id: project.id, distinct_ids, erased_until })).counts
}

/** The profile is deleted at once, everything else in the background. */
export const erasePerson: Handler<'erasePerson'> = async (request) => {
  const { services, caller, project, person, body } = request
  const { store, clock, secrets } = services
  if (body.confirm !== person.name && !person.distinct_ids.includes(body.confirm))
    throw invalidInput('Send the name of the person, or one of the distinct ids, to confirm.', ['confirm'])
  const subject = hashedPerson(secrets, project.id, person.distinct_ids[0] ?? '')
  const row = await store.transaction().execute(async (transaction) => {
    await lockPersons(transaction, [project.id])
    const found = await runningErasure(transaction, project.id, person.distinct_ids)
    if (found) return found
    const ids = person.uuid === null ? [] : await deletePerson(transaction, project.id, person.uuid)
    await audit(transaction, entryBy(request, 'person.deleted', { id: subject, name: 'Erased person' }))
    return await insertRow(transaction, 'person_erasures', {
      id: newId(clock.now()),
      project_id: project.id,
      subject,
      actor: caller.name,
      step: 'person',
      person_uuid: person.uuid,
      distinct_ids: [...new Set([...ids, ...person.distinct_ids])],
      keeps_shared: body.shared_recordings === 'keep',
      created_at: new Date(clock.now()),
    })
  })
  return showErasure(row)
}

export const listPersonErasures: Handler<'listPersonErasures'> = async (request) => {
  const { services, project, query } = request
  const from = sql`person_erasures WHERE project_id = ${project.id}`
  const page = { ...query, position: positionOf(query) }
  const found = await offsetPage<PersonErasureRow>(services.store, from, 'created_at', page)
  return showOffsetPage(found, request, showErasure)
}

export const getPersonErasure: Handler<'getPersonErasure'> = async ({ services, caller, personErasure }) => {
  assertScope(caller, exportScope)
  return await showDetails(services, personErasure)
}

export const windowsOfPersonErasure: Handler<'windowsOfPersonErasure'> = async (request) => {
  const { services, caller, personErasure, query, link } = request
  assertScope(caller, exportScope)
  const { count, rows } = await pageOfErasedWindows(services.store, personErasure, requestTypes, query)
  return { count, ...offsetLinks(link, query, count), results: rows.map(showWindow) }
}

export const certificateOfPersonErasure: Handler<'certificateOfPersonErasure'> = async (request) => {
  const { services, caller, project, personErasure } = request
  assertScope(caller, exportScope)
  const page = { limit: certifiedWindowsMax, offset: 0 }
  const [details, windows] = await Promise.all([
    showDetails(services, personErasure),
    pageOfErasedWindows(services.store, personErasure, requestTypes, page),
  ])
  const certificate = {
    ...details,
    version: 1 as const,
    project: project.id,
    issued_at: formatInstant(services.clock.now()),
    windows: windows.rows.map(showWindow),
    window_count: windows.count,
  }
  return { certificate, ...signatureOf(services.secrets, certificate) }
}
