import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { assetPathStart } from '../../contract/recordings/recorded-asset.ts'
import { exportedFilePathStart } from '../../contract/runs/run-files.ts'
import { readContrast } from '../../replay/recorded/page-state.ts'
import { findExportedFile, readExportedFilePath } from '../exporter/exported-file.ts'
import { notFound, permissionDenied } from '../problems/api-error.ts'
import { openAsset } from '../recordings/assets/open-asset.ts'
import type { Services } from '../services.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { fileFactsOfRun } from '../store/runs/run-files.ts'
import type { RunRow } from '../store/runs/runs-list.ts'
import { findRow } from '../store/schema/rows.ts'
import { originOfAssets } from './content-origin.ts'
import { setAssetPolicy } from './security-headers.ts'

/** Serves the files of recordings at signed paths, which expire; no key is needed. */
export function assetRoutes(services: Services): FastifyPluginAsync {
  return async (app) => {
    type Route = { Params: { signed: string }; Querystring: { contrast?: unknown } }
    app.get<Route>(`${assetPathStart}:signed`, async (request, reply) => {
      setAssetPolicy(reply)
      reply.headers({
        'access-control-allow-origin': originOfAssets(services.config, request),
        'cache-control': 'no-store',
      })
      const contrast = readContrast(request.query.contrast) ?? 'no-preference'
      const { hash, contentType, content, expiry } = await openAsset(
        services,
        request.params.signed,
        contrast,
      )
      const seconds = Math.floor((expiry - services.clock.now()) / 1000)
      reply.header('cache-control', `private, max-age=${seconds}, immutable`)
      // The signed paths in a style sheet change between responses.
      if (typeof content !== 'string') reply.header('etag', `"${hash}"`)
      const known = request.headers['if-none-match']
      const isKnown = known !== undefined && known === reply.getHeader('etag')
      return isKnown ? reply.code(304).send() : reply.type(contentType).send(content)
    })
  }
}

/** Serves exported files on this disk at signed paths, which expire; no key is needed, because a browser's download sends none. */
export function exportedFileRoutes(services: Services): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { signed: string } }>(`${exportedFilePathStart}:signed`, async (request, reply) => {
      setAssetPolicy(reply)
      reply.header('cache-control', 'no-store')
      const { diskPath, bytes, run, file } = await findSignedFile(services, request.params.signed)
      await auditDownload(services, request, { run, file })
      // RFC 6266: only the encoded form may contain characters outside ASCII.
      const name = encodeURIComponent(basename(diskPath)).replaceAll(
        /['()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      )
      reply.headers({
        'content-disposition': `attachment; filename*=UTF-8''${name}`,
        'content-length': bytes,
      })
      reply.type('application/octet-stream')
      return reply.send(bytes === 0 ? '' : createReadStream(diskPath, { end: bytes - 1 }))
    })
  }
}

/** @throws ApiError 403 if the path has expired, 404 if it was never signed or the file is gone. */
async function findSignedFile({ store, secrets, clock, exportsFolder }: Services, signed: string) {
  const unknown = () => notFound('There is no file at this address.')
  const path = readExportedFilePath(signed)
  const run = path && (await findRow(store, 'batch_export_runs', { id: path.runId }))
  if (!run || exportsFolder === null || !path.isSigned(secrets, run.project_id)) throw unknown()
  if (path.expiry <= clock.now()) throw permissionDenied('This address has expired: open the run again.')
  const facts = await fileFactsOfRun(store, run)
  const name = run.files[path.index]
  if (!facts?.isOnDisk || name === undefined) throw unknown()
  const found = await findExportedFile(exportsFolder, facts.project_id, name)
  if (!found) throw notFound('The file has been removed from the exports folder.')
  return { ...found, run, file: name }
}

/** The address was given to someone who may see the run; who uses it is unknown. */
async function auditDownload(
  { store, clock }: Services,
  request: FastifyRequest,
  { run, file }: { run: Pick<RunRow, 'id' | 'project_id'>; file: string },
): Promise<void> {
  const project = await findRow(store, 'projects', { id: run.project_id })
  if (!project) throw notFound()
  const actor = { kind: 'link', id: null, name: 'a signed address' } as const
  await audit(store, {
    organizationId: project.organization_id,
    projectId: project.id,
    action: 'run.file_downloaded',
    at: new Date(clock.now()),
    object: { id: run.id, name: file },
    acting: { actor, address: request.ip, requestId: request.id },
  })
}
