import { BatchExport } from '../../../contract/exports/batch-export.ts'
import type { Services } from '../../services.ts'
import { pageOfBatchExports, type BatchExportRow, type ListedExport } from '../../store/runs/batch-exports.ts'
import { latestRuns } from '../../store/runs/runs-list.ts'
import { VersionedTexts } from '../../store/runs/versioned-texts.ts'
import type { Store } from '../../store/schema/database.ts'
import { findRows } from '../../store/schema/rows.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { PreparedJson } from '../../http/prepared-json.ts'
import type { ApiRequest } from '../handler.ts'
import { appliedFactsOf } from './drift.ts'
import { showRun } from '../runs/show-run.ts'
import { shownAs } from '../shown-as.ts'

/** Returns a batch export as the API shows it, with its newest runs. */
export async function showBatchExport(
  { services }: { services: Services },
  row: BatchExportRow,
): Promise<BatchExport> {
  const [runs, applied] = await Promise.all([
    latestRuns(services.store, [row.id]),
    appliedFactsOf(services, [row]),
  ])
  return {
    ...showConfiguration(row),
    ...applied.get(row.id),
    latest_runs: (runs.get(row.id) ?? []).map(showRun),
  }
}

/** Returns a batch export as the API shows it, without its newest runs. */
export function showConfiguration(row: BatchExportRow): Omit<BatchExport, 'latest_runs'> {
  return shownAs(Configuration, {
    ...row,
    team_id: row.project_id,
    destination: shownDestination(row),
    hogql_query: row.hogql_query ?? '',
  })
}

export function shownDestination(
  row: Pick<BatchExportRow, 'destination_type' | 'destination_config' | 'integration_id'>,
) {
  return { type: row.destination_type, config: row.destination_config, integration: row.integration_id }
}

const Configuration = BatchExport.omit({ latest_runs: true })

type ListRequest = ApiRequest<'listBatchExports' | 'listOrganizationBatchExports'>

const texts = new WeakMap<Store, VersionedTexts>()

/**
 * Lists the exports of the project, or of all projects that the key can access, newest first. Those that have not changed since
 * they were last listed are not read again.
 */
export async function listBatchExports(request: ListRequest): Promise<PreparedJson> {
  const { services, projects, query, link } = request
  const { store } = services
  const projectIds = projects.map((project) => project.id)
  const { count, rows } = await pageOfBatchExports(store, projectIds, query)
  const known = texts.get(store) ?? new VersionedTexts()
  texts.set(store, known)
  const listed = rows.map((row) => {
    // What a file has applied changes without a new version.
    const text = row.is_applied ? undefined : known.find(row.id, row.version)
    return { ...row, text }
  })
  const read = await readExports(
    services,
    listed.filter(({ text }) => !text),
  )
  const results = listed.flatMap(({ id, version, is_applied, text = read.get(id) }) => {
    if (text && !is_applied) known.add(id, version, text)
    return text ?? []
  })
  return PreparedJson.of({ count, ...offsetLinks(link, query, count) }, 'results', results)
}

/** Returns those of these exports that still exist as JSON, by id. */
async function readExports(
  services: Services,
  listed: readonly ListedExport[],
): Promise<Map<string, Buffer>> {
  if (listed.length === 0) return new Map()
  const { store } = services
  const ids = listed.map(({ id }) => id)
  const [rows, runs] = await Promise.all([
    findRows(store, 'batch_exports', { id: ids, deleted_at: null }),
    latestRuns(store, ids),
  ])
  const appliedIds = new Set(listed.flatMap(({ id, is_applied }) => (is_applied ? [id] : [])))
  const applied = await appliedFactsOf(
    services,
    rows.filter(({ id }) => appliedIds.has(id)),
  )
  return new Map(
    rows.map((row) => {
      const latest_runs = (runs.get(row.id) ?? []).map(showRun)
      const shown = { ...showConfiguration(row), ...applied.get(row.id), latest_runs }
      return [row.id, Buffer.from(JSON.stringify(shown))]
    }),
  )
}
