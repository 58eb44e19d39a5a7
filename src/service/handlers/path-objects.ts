import type { EndpointName, LoadedBy, PathObject } from '../../contract/endpoints.ts'
import { projectOf } from '../auth/access.ts'
import { ownSessions, type Caller } from '../auth/caller.ts'
import { canManageKey } from '../auth/grant.ts'
import { isUuid } from '../auth/uuid.ts'
import { notFound } from '../problems/api-error.ts'
import { findPerson } from '../recordings/persons/find-person.ts'
import { findAlertChannel } from '../store/alerts/alert-channels.ts'
import { findAlertRule } from '../store/alerts/alert-rules.ts'
import { findBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { findChange } from '../store/runs/changes-list.ts'
import { findIncident } from '../store/alerts/incidents.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/accounts/projects.ts'
import { findLink } from '../store/recordings/recording-sharing.ts'
import { findCollection, type RecordingCollectionRow } from '../store/recordings/recording-collections.ts'
import { findIntegration } from '../store/runs/integrations.ts'
import { findNote } from '../store/recordings/recording-notes.ts'
import { findRecordingView } from '../store/recordings/recording-views.ts'
import { findRecording, type RecordingRow } from '../store/recordings/session-recordings.ts'
import { findOfProjects } from '../store/schema/find-of-projects.ts'
import { findRow } from '../store/schema/rows.ts'
import { hiddenKinds } from './hidden-kinds.ts'

/** The ids of the objects that a path names, as the client wrote them. */
export type PathIds = Partial<Record<PathObject, string>>

type Reach = Pick<Services, 'store' | 'warehouse'> & { caller: Caller; projects: readonly Project[] }
/** What the caller can access, and the object of the path to which the next one belongs. */
type Within = Reach & {
  projectIds: readonly number[]
  recording: RecordingRow
  recordingCollection: RecordingCollectionRow
  batchExport: BatchExportRow | undefined
}

/** How each object is found within what the caller can access. An object comes after the one to which it belongs. */
const finders = {
  async apiKey({ store, caller }, id) {
    const key = await findRow(store, 'api_keys', { organization_id: caller.organizationId, id })
    return key && canManageKey(caller, key) ? key : undefined
  },
  identityProvider: ({ store, caller }, id) =>
    // Providers concern the whole organization.
    caller.scoped_projects === null
      ? findRow(store, 'identity_providers', { organization_id: caller.organizationId, id })
      : Promise.resolve(undefined),
  session: ({ store, caller }, id) => findRow(store, 'sessions', { ...ownSessions(caller), id }),
  passkey: async ({ store, caller }, id) =>
    caller.isPerson ? findRow(store, 'passkeys', { user_id: caller.userId, id }) : undefined,
  member: async ({ store, caller }, id) =>
    caller.scoped_projects
      ? undefined
      : findRow(store, 'members', { organization_id: caller.organizationId, user_id: id }),
  invite: async ({ store, caller }, id) =>
    caller.scoped_projects
      ? undefined
      : findRow(store, 'invites', { organization_id: caller.organizationId, id }),
  recording: ({ store, projects }, id) => findRecording(store, projectOf(projects).id, id),
  recordingLink: ({ store, recording }, id) => findLink(store, { recording_id: recording.id }, id),
  recordingCollection: ({ store, projectIds }, id) => findCollection(store, projectIds, id),
  collectionLink: ({ store, recordingCollection }, id) =>
    findLink(store, { collection_id: recordingCollection.id }, id),
  recordingNote: ({ store, projectIds }, id) => findNote(store, projectIds, id),
  recordingView: ({ store, projectIds, caller }, id) =>
    findRecordingView(store, projectIds, caller.userId, id),
  person: (within, id) => findPerson(within, projectOf(within.projects).id, id),
  personErasure: ({ store, projectIds }, id) => findOfProjects(store, 'person_erasures', projectIds, id),
  groupSummary: ({ store, projectIds }, id) => findOfProjects(store, 'group_summaries', projectIds, id),
  bulkAction: ({ store, projectIds }, id) => findOfProjects(store, 'bulk_actions', projectIds, id),
  repairPlan: ({ store, projectIds }, id) => findOfProjects(store, 'repair_plans', projectIds, id),
  alertRule: ({ store, projects }, id) => findAlertRule(store, projects, id),
  alertChannel: ({ store, projectIds }, id) => findAlertChannel(store, projectIds, id),
  integration: ({ store, projectIds }, id) => findIntegration(store, projectIds, Number(id)),
  incident: ({ store, projectIds, caller }, id) => findIncident(store, projectIds, id, hiddenKinds(caller)),
  batchExportChange: ({ store, projectIds }, id) => findChange(store, projectIds, id),
  batchExport: ({ store, projectIds }, id) => findBatchExport(store, projectIds, id),
  run: ({ store, projectIds, batchExport }, id) =>
    batchExport
      ? findRow(store, 'batch_export_runs', { batch_export_id: batchExport.id, id })
      : findOfProjects(store, 'batch_export_runs', projectIds, id),
  backfill: async ({ store, batchExport }, id) =>
    batchExport && findRow(store, 'batch_export_backfills', { batch_export_id: batchExport.id, id }),
} satisfies Partial<Record<PathObject, (within: Within, id: string) => Promise<object | undefined>>>

type Findable = keyof typeof finders
type Found = { project: Project } & {
  [Object in Findable]: NonNullable<Awaited<ReturnType<(typeof finders)[Object]>>>
}
type FoundBy<Object extends PathObject> = Object extends 'run'
  ? 'run' | 'batchExport'
  : Extract<Object, keyof Found>

/** The objects that an endpoint's path names, as its handler receives them; a run comes with its batch export. */
export type ObjectsOf<Name extends EndpointName> = Pick<Found, FoundBy<LoadedBy<Name>>>

/**
 * Loads the objects that a path names if the caller can access them, so that no handler can forget to check.
 * @throws ApiError 404 if one does not exist or the caller cannot access it.
 */
export async function findPathObjects(reach: Reach, ids: PathIds): Promise<Partial<Found>> {
  const projectIds = reach.projects.map((project) => project.id)
  const found: Partial<Found> = {}
  const find = async (object: Findable, id: string) => {
    // The cast: a path names the object to which another one belongs.
    const within = { ...reach, projectIds, ...found } as Within
    const row = isIdOf(object, id) ? await finders[object](within, id) : undefined
    if (!row) throw notFound(object === 'recording' ? 'Recording not found' : undefined)
    Object.assign(found, { [object]: row })
  }
  for (const object of Object.keys(finders) as Findable[]) {
    const id = ids[object]
    if (id !== undefined) await find(object, id)
  }
  if (found.run && !found.batchExport) await find('batchExport', found.run.batch_export_id)
  return found
}

/** Whether an object can have this id: most have a UUID. */
function isIdOf(object: Findable, id: string): boolean {
  if (object === 'recording' || object === 'person') return true
  if (object === 'identityProvider') return /^[a-z\d-]{1,40}$/.test(id)
  return object === 'integration' ? /^\d{1,9}$/.test(id) : isUuid(id)
}
