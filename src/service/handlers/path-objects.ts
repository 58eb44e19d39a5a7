import type { EndpointName, LoadedBy, PathObject } from '../../contract/endpoints.ts'
import { projectOf } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { isWithinReach } from '../auth/grant.ts'
import { isUuid } from '../auth/uuid.ts'
import { notFound } from '../problems/api-error.ts'
import { findPerson, type KnownPerson } from '../recordings/persons/find-person.ts'
import { findAlertChannel, type ListedChannel } from '../store/alerts/alert-channels.ts'
import { findAlertRule, type NamedRuleRow } from '../store/alerts/alert-rules.ts'
import { findApiKey, type ApiKey } from '../store/accounts/api-keys.ts'
import type { BulkActionRow } from '../store/runs/bulk-actions.ts'
import { findBackfill, type BackfillRow } from '../store/runs/backfills-list.ts'
import { findBatchExport, type BatchExportRow } from '../store/runs/batch-exports.ts'
import { findChange, type FoundChange } from '../store/runs/changes-list.ts'
import { findIncident, type IncidentRow } from '../store/alerts/incidents.ts'
import type { RepairPlanRow } from '../store/repair/repair-plans.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/accounts/projects.ts'
import { findLink, type SharingRow } from '../store/recordings/recording-sharing.ts'
import { findCollection, type RecordingCollectionRow } from '../store/recordings/recording-collections.ts'
import { findNote, type FoundNote } from '../store/recordings/recording-notes.ts'
import { findRecordingView, type RecordingViewRow } from '../store/recordings/recording-views.ts'
import { findRecording, type RecordingRow } from '../store/recordings/session-recordings.ts'
import type { GroupSummaryRow } from '../store/recordings/group-summaries.ts'
import { findRun, type RunRow } from '../store/runs/runs-list.ts'
import { findOfProjects, type ProjectTable } from '../store/schema/find-of-projects.ts'
import { hiddenKinds } from './hidden-kinds.ts'

/** The ids of the objects that a path names, as the client wrote them. */
export type PathIds = Partial<Record<PathObject, string>>

type Found = {
  project: Project
  batchExport: BatchExportRow
  batchExportChange: FoundChange
  run: RunRow
  backfill: BackfillRow
  recording: RecordingRow
  recordingNote: FoundNote
  recordingCollection: RecordingCollectionRow
  recordingView: RecordingViewRow
  apiKey: ApiKey
  bulkAction: BulkActionRow
  alertRule: NamedRuleRow
  alertChannel: ListedChannel
  incident: IncidentRow
  repairPlan: RepairPlanRow
  groupSummary: GroupSummaryRow
  recordingLink: SharingRow
  collectionLink: SharingRow
  person: KnownPerson
}
type FoundBy<Object extends PathObject> = Object extends 'run'
  ? 'run' | 'batchExport'
  : Extract<Object, keyof Found>

/** The objects that an endpoint's path names, as its handler receives them; a run comes with its batch export. */
export type ObjectsOf<Name extends EndpointName> = Pick<Found, FoundBy<LoadedBy<Name>>>

type Reach = Pick<Services, 'store' | 'warehouse'> & { caller: Caller; projects: readonly Project[] }

/**
 * Loads the objects that a path names if the caller can access them, so that no handler can forget to check.
 * @throws ApiError 404 if one does not exist or the caller cannot access it.
 */
export async function findPathObjects(reach: Reach, ids: PathIds): Promise<Partial<Found>> {
  const { store } = reach
  if (ids.apiKey !== undefined) return { apiKey: await findOwnKey(reach, ids.apiKey) }
  const projectIds = reach.projects.map((project) => project.id)
  const findIn = <Name extends ProjectTable>(table: Name, given: string) =>
    find(given, (id) => findOfProjects(store, table, projectIds, id))
  if (ids.recording !== undefined) {
    const recording = await findOwnRecording(reach, ids.recording)
    const { recordingLink, recordingCollection } = ids
    return {
      recording,
      ...(recordingLink !== undefined && {
        recordingLink: await find(recordingLink, (id) => findLink(store, { recording_id: recording.id }, id)),
      }),
      ...(recordingCollection !== undefined && {
        recordingCollection: await find(recordingCollection, (id) => findCollection(store, projectIds, id)),
      }),
    }
  }
  if (ids.recordingCollection !== undefined) {
    const collection = await find(ids.recordingCollection, (id) => findCollection(store, projectIds, id))
    const { collectionLink } = ids
    return {
      recordingCollection: collection,
      ...(collectionLink !== undefined && {
        collectionLink: await find(collectionLink, (id) =>
          findLink(store, { collection_id: collection.id }, id),
        ),
      }),
    }
  }
  if (ids.recordingNote !== undefined)
    return { recordingNote: await find(ids.recordingNote, (id) => findNote(store, projectIds, id)) }
  if (ids.bulkAction !== undefined) return { bulkAction: await findIn('bulk_actions', ids.bulkAction) }
  if (ids.alertRule !== undefined)
    return { alertRule: await find(ids.alertRule, (id) => findAlertRule(store, reach.projects, id)) }
  if (ids.alertChannel !== undefined)
    return { alertChannel: await find(ids.alertChannel, (id) => findAlertChannel(store, projectIds, id)) }
  if (ids.incident !== undefined)
    return {
      incident: await find(ids.incident, (id) =>
        findIncident(store, projectIds, id, hiddenKinds(reach.caller)),
      ),
    }
  if (ids.repairPlan !== undefined) return { repairPlan: await findIn('repair_plans', ids.repairPlan) }
  if (ids.groupSummary !== undefined)
    return { groupSummary: await findIn('group_summaries', ids.groupSummary) }
  if (ids.recordingView !== undefined) {
    const { user_id } = reach.caller.key
    return {
      recordingView: await find(ids.recordingView, (id) => findRecordingView(store, projectIds, user_id, id)),
    }
  }
  if (ids.person !== undefined) {
    const person = await findPerson(reach, projectOf(reach.projects).id, ids.person)
    if (!person) throw notFound()
    return { person }
  }
  if (ids.batchExportChange !== undefined)
    return { batchExportChange: await find(ids.batchExportChange, (id) => findChange(store, projectIds, id)) }
  const findExport = (id: string) => find(id, () => findBatchExport(store, projectIds, id))
  if (ids.batchExport === undefined) {
    if (ids.run === undefined) return {}
    const run = await findIn('batch_export_runs', ids.run)
    return { run, batchExport: await findExport(run.batch_export_id) }
  }
  const batchExport = await findExport(ids.batchExport)
  if (ids.run !== undefined)
    return { batchExport, run: await find(ids.run, (id) => findRun(store, batchExport.id, id)) }
  if (ids.backfill !== undefined)
    return {
      batchExport,
      backfill: await find(ids.backfill, (id) => findBackfill(store, batchExport.id, id)),
    }
  return { batchExport }
}

async function findOwnKey({ store, caller }: Reach, id: string): Promise<ApiKey> {
  const apiKey = await find(id, () => findApiKey(store, caller.key.user_id, id))
  if (!isWithinReach(caller, apiKey)) throw notFound()
  return apiKey
}

async function findOwnRecording({ store, projects }: Reach, sessionId: string): Promise<RecordingRow> {
  const recording = await findRecording(store, projectOf(projects).id, sessionId)
  if (!recording) throw notFound('Recording not found')
  return recording
}

async function find<Row>(id: string, lookUp: (id: string) => Promise<Row | undefined>): Promise<Row> {
  const row = isUuid(id) ? await lookUp(id) : undefined
  if (!row) throw notFound()
  return row
}
