import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, KeyEndpointName } from '../../contract/endpoints.ts'
import { accessOrganization, accessProject, assertScope, reachableProjects } from '../auth/access.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import type { LastUsed } from '../auth/last-used.ts'
import { handlers } from './handlers.ts'
import type { ApiRequest } from './handler.ts'
import { findPathObjects } from './path-objects.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/accounts/projects.ts'
import { ApiError, notFound } from '../problems/api-error.ts'
import { BodyBudget } from '../http/body-budget.ts'
import { cleanInput } from '../http/clean-input.ts'
import { createLinkDispatcher, linkToken } from './dispatch-link.ts'
import { PreparedJson } from '../http/prepared-json.ts'
import { pageLinks } from '../http/page-links.ts'
import { parseInput } from '../http/parse-input.ts'
import { clientAddress } from '../auth/client-address.ts'
import type { RateCounts } from '../auth/rate-counts.ts'
import { createRateLimit } from '../auth/rate-limit.ts'
import { readJson } from '../http/read-json.ts'
import { readEndpointQuery } from '../http/read-query.ts'
import { requestUrl } from '../http/request-url.ts'
import { matchRoute, type PathIds } from '../http/route.ts'

/** Bytes of bodies being received at the same time. */
const bodyBytesMax = 64 * 1024 * 1024

type Dispatcher = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Dispatches requests: finds the endpoint, checks key and scope, loads objects, parses input, runs the handler. */
export function createDispatcher(services: Services, counts: RateCounts, lastUsed: LastUsed): Dispatcher {
  const rateLimit = createRateLimit(counts, services.config.rateLimit)
  const dispatchLink = createLinkDispatcher(services, counts, rateLimit)
  const bodies = new BodyBudget(bodyBytesMax)
  return async (request, reply) => {
    const [path = '', ...rest] = request.raw.url?.split('?') ?? []
    const search = rest.join('?')
    const match = matchRoute(request.method, path)
    if (match.kind === 'unknown') throw notFound()
    if (match.kind === 'wrong method' && request.method === 'OPTIONS')
      return reply.code(204).header('allow', match.allowed.join(', ')).send()
    const token = match.kind === 'found' ? linkToken(match, request, search) : null
    if (match.kind === 'found' && token !== null)
      return send(reply, match.endpoint, await dispatchLink(match, request, { token, search }))
    const caller = await authenticate(services, request.headers.authorization, () =>
      rateLimit.wrongKey(clientAddress(request.ip)),
    )
    lastUsed.touch(caller)
    rateLimit.count(caller.key.id)
    if (match.kind === 'wrong method') throw wrongMethod(request.method, match.allowed)

    const { name, endpoint, ids } = match
    assertScope(caller, endpoint.scope)
    const projects = await projectsOf(services, caller, ids)
    const { store, warehouse } = services
    const objects = await findPathObjects({ store, warehouse, caller, projects }, ids)
    const query = readEndpointQuery(endpoint, search)
    const body = endpoint.consumes
      ? request.raw
      : endpoint.body &&
        parseInput(endpoint.body, objectOnly(cleanInput(await readJson(request.raw, bodies))))
    const link = pageLinks(requestUrl(request))
    const input = { services, caller, projects, query, body, link, ...objects }
    return send(reply, endpoint, await handle(name as KeyEndpointName, input))
  }
}

function send(reply: FastifyReply, { status, produces }: Endpoint, result: unknown): FastifyReply {
  if (produces && result instanceof Readable) reply.type(produces)
  if (result instanceof PreparedJson)
    return reply.code(status).type('application/json; charset=utf-8').send(result.text)
  return status === 204 ? reply.code(204).send() : reply.code(status).send(result)
}

/** The only cast between the types of endpoints: name, input and handler come from the same row of the table. */
function handle(name: KeyEndpointName, request: object): Promise<unknown> {
  const handler = handlers[name] as (request: ApiRequest<KeyEndpointName>) => Promise<unknown>
  return handler(request as ApiRequest<KeyEndpointName>)
}

function wrongMethod(method: string, allowed: readonly string[]): ApiError {
  return new ApiError({
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: `Method "${method}" not allowed.`,
    headers: { allow: allowed.join(', ') },
  })
}

async function projectsOf(
  services: Services,
  caller: Caller,
  { project, organization }: PathIds,
): Promise<Project[]> {
  if (project !== undefined) return [await accessProject(services, caller, project)]
  if (organization !== undefined) await accessOrganization(services, caller, organization)
  return reachableProjects(services, caller)
}

/** Rejects a list, which would pass as an object without keys if all fields are optional. */
function objectOnly(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  const type = body === null ? 'NoneType' : Array.isArray(body) ? 'list' : typeName(body)
  const detail = `Invalid data. Expected a dictionary, but got ${type}.`
  throw new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail,
    issues: [{ path: [], message: detail }],
  })
}

function typeName(value: unknown): string {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  return Number.isInteger(value) ? 'int' : 'float'
}
