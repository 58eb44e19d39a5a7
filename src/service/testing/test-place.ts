import type { BatchExport } from '../../contract/exports/batch-export.ts'
import type { Endpoint, PathObject } from '../../contract/endpoints.ts'
import { createChannel, createRule, insertIncident } from './test-alerts.ts'
import {
  insertLink,
  insertRecording,
  insertRecordingCollection,
  insertRecordingNote,
  insertRunningSummary,
} from './test-recordings.ts'
import { firstChange, insertBackfill, insertBulk, insertPlan, insertRun, insertView } from './test-rows.ts'
import { insertPerson } from './test-sessions.ts'
import type { TestService } from './test-service.ts'

/** Ids of one object of each kind. */
export type Place = Record<Exclude<PathObject, 'link'>, string>

/** Inserts an object of each kind into a project, besides the export `made`. */
export async function placeOf(service: TestService, project: number, made: BatchExport): Promise<Place> {
  const run = await insertRun(service, made)
  const backfill = await insertBackfill(service, made)
  const recording = await insertRecording(service, { project_id: project })
  const collection_id = await insertRecordingCollection(service, project)
  return {
    project: String(project),
    organization: service.own.organization_id,
    batchExport: made.id,
    batchExportChange: await firstChange(service, made.id),
    run: run.id,
    backfill: backfill.id,
    recording: recording.session_id,
    recordingLink: (await insertLink(service, { recording_id: recording.id })).id,
    recordingCollection: collection_id,
    collectionLink: (await insertLink(service, { collection_id })).id,
    recordingNote: await insertRecordingNote(service, recording),
    bulkAction: (await insertBulk(service, project, made.id)).id,
    repairPlan: await insertPlan(service, project),
    groupSummary: await insertRunningSummary(service, project),
    alertRule: (await createRule(service, project, { kind: 'failed' })).id ?? '',
    alertChannel: (await createChannel(service, project)).id,
    incident: (await insertIncident(service, project)).id,
    recordingView: await insertView(service, project),
    person: await insertPerson(service, [`visitor of ${project}`], {}, project),
    // No key has this id: the key in use must not be revoked.
    apiKey: made.id,
  }
}

/** Returns the path of an endpoint with the objects of a place. */
export function pathTo({ path, loads }: Endpoint, place: Place): string {
  return Object.entries(place).reduce((filled, [object, id]) => {
    const param = loads?.[object as keyof Place]
    return param === undefined ? filled : filled.replace(`:${param}/`, `${id}/`)
  }, path)
}
