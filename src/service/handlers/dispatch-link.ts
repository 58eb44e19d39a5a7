import type { FastifyRequest } from 'fastify'
import type { Endpoint, EndpointName, LinkEndpointName } from '../../contract/endpoints.ts'
import { sharingPasswordHeader } from '../../contract/recordings/sharing-header.ts'
import { linkHandlers, type LinkRequest } from './sharing/shared-link.ts'
import { countSharingAttempts } from '../recordings/sharing/sharing-attempts.ts'
import { openCutter } from '../recordings/sharing/cutter.ts'
import { followLink, invalidLink } from '../recordings/sharing/sharing-link.ts'
import { openSharedCollections, type SharedCollections } from '../recordings/sharing/shared-collections.ts'
import type { Services } from '../services.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { RateCounts } from '../auth/rate-counts.ts'
import type { RateLimit } from '../auth/rate-limit.ts'
import type { Shared } from '../store/recordings/recording-sharing.ts'
import type { RecordingRow } from '../store/recordings/session-recordings.ts'
import { audit } from '../store/audit/audit-entries.ts'
import { findRow } from '../store/schema/rows.ts'
import { readEndpointQuery } from '../http/read-query.ts'
import type { PathIds } from './path-objects.ts'

const hourMs = 3_600_000

/** A request for an endpoint, not yet checked. `search` is the query without its question mark. */
export type EndpointCall = { name: EndpointName; endpoint: Endpoint; ids: PathIds; search: string }

/** Returns the token of a link sent instead of a key; null if the request needs a key. */
export function linkToken({ endpoint, ids, search }: EndpointCall, request: FastifyRequest): string | null {
  if (ids.link !== undefined) return ids.link
  if (!endpoint.byLink || request.headers.authorization !== undefined) return null
  return new URLSearchParams(search).get('sharing_access_token')
}

type LinkDispatcher = (call: EndpointCall, request: FastifyRequest, token: string) => Promise<unknown>

/** Dispatches requests made with a link: checks token and password, loads the object, parses input, runs the handler. */
export function createLinkDispatcher(
  services: Services,
  counts: RateCounts,
  rateLimit: RateLimit,
): LinkDispatcher {
  const attempts = countSharingAttempts(counts)
  const cutter = openCutter(services)
  const collections = openSharedCollections(services)
  return async ({ name, endpoint, ids, search }, request, token) => {
    const password = readPassword(request.headers[sharingPasswordHeader])
    const given = { token, password, address: clientAddress(request.ip) }
    const shared = await followLink(services, { attempts, rateLimit }, given)
    const result = await handle(name as LinkEndpointName, {
      services,
      cutter,
      collections,
      query: readEndpointQuery(endpoint, search),
      ...shared,
      ...(ids.recording !== undefined && {
        recording: await recordingOf(shared, collections, { session: ids.recording, project: ids.project }),
      }),
    })
    await auditOpening(services, shared, request)
    return result
  }
}

/** Adds an entry to the audit log when a link is used, once an hour for each address. */
async function auditOpening(services: Services, shared: Shared, request: FastifyRequest): Promise<void> {
  const { link, recording, collection } = shared
  const { project_id: projectId } = collection ?? recording
  const project = await findRow(services.store, 'projects', { id: projectId })
  if (!project) return
  const at = new Date(services.clock.now())
  const opened = collection?.name ?? recording?.session_id ?? null
  const actor = { kind: 'link', id: link.id, name: link.label || 'a link' } as const
  await audit(services.store, {
    organizationId: project.organization_id,
    projectId,
    action: 'share.opened',
    at,
    object: { id: link.id, name: opened },
    acting: { actor, address: request.ip, requestId: request.id },
    once: `share.opened ${link.id} ${clientAddress(request.ip)} ${Math.floor(at.getTime() / hourMs)}`,
  })
}

/** Returns the recording that a path names. @throws ApiError 403 if the link does not open it. */
async function recordingOf(
  { link, recording, collection }: Shared,
  collections: SharedCollections,
  { session, project }: { session: string; project: string | undefined },
): Promise<RecordingRow> {
  const found = collection
    ? await collections.find(collection, link, session)
    : recording.session_id === session
      ? recording
      : undefined
  if (!found || (project !== undefined && project !== String(found.project_id))) throw invalidLink()
  return found
}

/** Called only for endpoints with `byLink`, whose name, input and handler belong together. */
function handle(name: LinkEndpointName, request: object): Promise<unknown> {
  const handler = linkHandlers[name] as (request: LinkRequest<LinkEndpointName>) => Promise<unknown>
  return handler(request as LinkRequest<LinkEndpointName>)
}

/** Node decodes headers as Latin-1; clients send passwords as UTF-8 or, from some browsers, as Latin-1. */
function readPassword(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const decoded = Buffer.from(header, 'latin1').toString('utf8')
  return decoded.includes('\ufffd') ? header : decoded
}
