import type { Endpoint, endpoints, EndpointName } from '../../contract/endpoints.ts'
import type { Caller } from '../auth/caller.ts'
import { isUuid } from '../auth/uuid.ts'
import { notFound } from '../problems/api-error.ts'
import { findApiKey, type ApiKey } from '../store/api-keys.ts'
import { findBackfill, type BackfillRow } from '../store/backfills-list.ts'
import { findBatchExport, type BatchExportRow } from '../store/batch-exports.ts'
import type { Store } from '../store/database.ts'
import type { Project } from '../store/projects.ts'
import { findRecording, type RecordingRow } from '../store/session-recordings.ts'
import { findRun, findRunOfProjects, type RunRow } from '../store/runs-list.ts'

type ObjectsAt<Path extends string> = Path extends
  | `${string}/runs/:id/${string}`
  | `${string}/batch_export_runs/:id/${string}`
  ? { batchExport: BatchExportRow; run: RunRow }
  : Path extends `${string}/backfills/:id/${string}`
    ? { batchExport: BatchExportRow; backfill: BackfillRow }
    : Path extends `${string}/batch_exports/:${string}`
      ? { batchExport: BatchExportRow }
      : Path extends `${string}/session_recordings/:${string}`
        ? { recording: RecordingRow }
        : Path extends `${string}/personal_api_keys/:id/${string}`
          ? { apiKey: ApiKey }
          : unknown

/** The objects that an endpoint's path names, as its handler gets them. */
export type ObjectsOf<Name extends EndpointName> = ObjectsAt<(typeof endpoints)[Name]['path']>

type Found = {
  batchExport?: BatchExportRow
  run?: RunRow
  backfill?: BackfillRow
  recording?: RecordingRow
  apiKey?: ApiKey
}
type Reach = { store: Store; caller: Caller; projects: readonly Project[] }

/**
 * Finds the objects that a path names among what the caller reaches, so that no handler can forget to.
 * @throws ApiError 404 when one is not there.
 */
export async function findPathObjects(
  reach: Reach,
  endpoint: Endpoint,
  params: Record<string, string>,
): Promise<Found> {
  const { path } = endpoint
  const { id } = params
  if (path.includes('/personal_api_keys/:id/'))
    return { apiKey: await find(id, (id) => findApiKey(reach.store, reach.caller.key.user_id, id)) }
  const projectIds = reach.projects.map((project) => project.id)
  if (/\/session_recordings\/:/.test(path)) {
    const [projectId = NaN] = projectIds
    const recording = await findRecording(reach.store, projectId, params['recording_id'] ?? id ?? '')
    if (!recording) throw notFound('Recording not found')
    return { recording }
  }
  if (path.includes('/batch_export_runs/:id/')) {
    const run = await find(id, (id) => findRunOfProjects(reach.store, projectIds, id))
    return {
      run,
      batchExport: await find(run.batch_export_id, (id) => findBatchExport(reach.store, projectIds, id)),
    }
  }
  const ofExport = path.includes('/batch_exports/:id/') ? id : params['batch_export_id']
  if (ofExport === undefined) return {}
  const batchExport = await find(ofExport, (id) => findBatchExport(reach.store, projectIds, id))
  if (path.includes('/runs/:id/'))
    return { batchExport, run: await find(id, (id) => findRun(reach.store, batchExport.id, id)) }
  if (path.includes('/backfills/:id/'))
    return { batchExport, backfill: await find(id, (id) => findBackfill(reach.store, batchExport.id, id)) }
  return { batchExport }
}

async function find<Row>(
  id: string | undefined,
  lookUp: (id: string) => Promise<Row | undefined>,
): Promise<Row> {
  const row = id !== undefined && isUuid(id) ? await lookUp(id) : undefined
  if (!row) throw notFound()
  return row
}
