import { formatInstant } from '../../../contract/instant.ts'
import { exportedFilePath, findExportedFile } from '../../exporter/exported-file.ts'
import { offsetLinks } from '../../http/page-links.ts'
import { notFound } from '../../problems/api-error.ts'
import { assetExpiry } from '../../recordings/assets/asset-path.ts'
import { fileFactsOfRun } from '../../store/runs/run-files.ts'
import type { Handler } from '../handler.ts'

/** Lists the files that a run wrote; those on this disk can be downloaded. */
export const filesOfRun: Handler<'filesOfRun'> = async ({ services, run, query, link }) => {
  const { store, secrets, clock, exportsFolder } = services
  const facts = await fileFactsOfRun(store, run)
  if (!facts) throw notFound()
  const expiry = assetExpiry(clock.now())
  const isOnDisk = facts.destination_type === 'File'
  const shown = run.files.slice(query.offset, query.offset + query.limit)
  const results = await Promise.all(
    shown.map(async (name, index) => {
      const found =
        isOnDisk && exportsFolder ? await findExportedFile(exportsFolder, facts.project_id, name) : null
      const file = { projectId: facts.project_id, runId: run.id, index: query.offset + index }
      return {
        name,
        bytes: facts.bytes.get(name) ?? found?.bytes ?? null,
        path: found && exportedFilePath(secrets, file, expiry),
      }
    }),
  )
  const count = run.files.length
  return { count, ...offsetLinks(link, query, count), results, expires_at: formatInstant(expiry) }
}
