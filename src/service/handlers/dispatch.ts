import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, KeyEndpointName, OpenEndpointName } from '../../contract/endpoints.ts'
import { accessOrganization, accessProject, assertScope, reachableProjects } from '../auth/access.ts'
import { authenticate, hasSession } from '../auth/authenticate.ts'
import { assertConfirmed, narrowed, type Caller } from '../auth/caller.ts'
import { assertOwnPage, clientOf, type Client } from '../auth/client.ts'
import type { LastUsed } from '../auth/last-used.ts'
import type { OpenRequest } from './accounts/open-handler.ts'
import { openHandlers } from './accounts/sign-in.ts'
import { actIn, countRefusal, refuseKey } from './audit/acting-in.ts'
import { auditCall } from './audit/audit-call.ts'
import { handlers } from './handlers.ts'
import type { ApiRequest } from './handler.ts'
import { findEndpoints } from './find-endpoints.ts'
import { findPathObjects, type PathIds } from './path-objects.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/accounts/projects.ts'
import { ApiError, invalidInput, notFound } from '../problems/api-error.ts'
import { BodyBudget } from '../http/body-budget.ts'
import { cleanInput } from '../http/clean-input.ts'
import { createLinkDispatcher, linkToken, type EndpointCall } from './dispatch-link.ts'
import { PreparedJson, PreparedJsonStream } from '../http/prepared-json.ts'
import { pageLinks } from '../http/page-links.ts'
import { parseInput, typeName } from '../http/parse-input.ts'
import type { RateCounts } from '../auth/rate-counts.ts'
import { createRateLimit } from '../auth/rate-limit.ts'
import { readJson } from '../http/read-json.ts'
import { readEndpointQuery } from '../http/read-query.ts'

/** Bytes of bodies being received at the same time. */
const bodyBytesMax = 64 * 1024 * 1024

/**
 * Serves the endpoints of the table. A request finds its endpoint before anything else is checked; then key and scope are
 * checked, objects loaded, input parsed, and the handler runs.
 */
export function apiRoutes(services: Services, counts: RateCounts, lastUsed: LastUsed): FastifyPluginAsync {
  const rateLimit = createRateLimit(counts, services.config.rateLimit)
  const dispatchLink = createLinkDispatcher(services, counts, rateLimit)
  const bodies = new BodyBudget(bodyBytesMax)

  async function identify(request: FastifyRequest, client: Client): Promise<Caller> {
    const caller = await authenticate(services, request, () => {
      refuseKey(services, request)
      rateLimit.wrongKey(client.address)
    })
    lastUsed.touch(caller, client)
    rateLimit.count((caller.key ?? caller.session)?.id ?? caller.userId)
    return caller
  }

  async function dispatch(
    call: EndpointCall,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { endpoint } = call
    const token = linkToken(call, request)
    if (token !== null) return dispatchLink(call, request, token)
    const client = clientOf(request, reply)
    if (endpoint.open) return actIn(request, null, () => dispatchOpen(call, request, client))
    const caller = await identify(request, client)
    try {
      return await actIn(request, caller, () => dispatchIdentified(call, request, { caller, client }))
    } catch (error) {
      countRefusal(services, request, { caller, endpoint, error })
      throw error
    }
  }

  async function dispatchIdentified(
    { name, endpoint, ids, search }: EndpointCall,
    request: FastifyRequest,
    { caller: identified, client }: { caller: Caller; client: Client },
  ): Promise<unknown> {
    assertScope(identified, endpoint.scope)
    if (endpoint.confirm) assertConfirmed(identified, services.clock.now())
    const reachable = await projectsOf(services, identified, ids)
    const { caller, projects } = narrowed(identified, reachable, endpoint.scope)
    const { store, warehouse } = services
    const objects = await findPathObjects({ store, warehouse, caller, projects }, ids)
    const query = readEndpointQuery(endpoint, search)
    const body = endpoint.consumes ? request.raw : await readBody(endpoint, request)
    const link = pageLinks(requestUrl(request))
    const project = ids.project === undefined ? undefined : projects[0]
    const input = { services, client, rateLimit, caller, projects, project, query, body, link, ...objects }
    const known = name as KeyEndpointName
    return await auditCall(known, input, (given) => handle(known, given))
  }

  /** Dispatches a request that needs no caller. A page of another site cannot sign its visitors in. */
  async function dispatchOpen({ name, endpoint }: EndpointCall, request: FastifyRequest, client: Client) {
    assertOwnPage(request, 'may lack an origin')
    rateLimit.count(client.address)
    const body = await readBody(endpoint, request)
    return handleOpen(name as OpenEndpointName, {
      services,
      client,
      rateLimit,
      body,
      hasSession: () => hasSession(services, request),
    })
  }

  async function readBody({ body }: Endpoint, request: FastifyRequest): Promise<unknown> {
    return body && parseInput(body, objectOnly(cleanInput(await readJson(request.raw, bodies))))
  }

  return async (api) => {
    for (const url of ['/api', '/api/*'])
      api.all(url, async (request, reply) => {
        const found = findEndpoints(pathOf(request))
        if (found === null) throw notFound()
        const { method } = request
        const named = found.named.find(([, endpoint]) => methodsOf(endpoint).includes(method))
        if (named) {
          const [name, endpoint] = named
          const call = { name, endpoint, ids: idsOf(endpoint, found.params), search: searchOf(request) }
          return send(reply, endpoint, await dispatch(call, request, reply))
        }
        const allowed = [...found.named.flatMap(([, endpoint]) => methodsOf(endpoint)), 'OPTIONS'].sort()
        if (method === 'OPTIONS') return reply.code(204).header('allow', allowed.join(', ')).send()
        await identify(request, clientOf(request, reply))
        throw wrongMethod(method, allowed)
      })
  }
}

function methodsOf({ method }: Endpoint): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function idsOf({ loads = {} }: Endpoint, params: Record<string, string>): PathIds {
  return Object.fromEntries(Object.entries(loads).map(([object, param]) => [object, params[param]]))
}

/** Returns the path as the client encoded it. Requests to a proxy have an origin before it. */
function pathOf({ raw }: FastifyRequest): string {
  const [path = ''] = (raw.url ?? '').replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)
  return path
}

function searchOf({ raw }: FastifyRequest): string {
  return raw.url?.split('?').slice(1).join('?') ?? ''
}

function send(reply: FastifyReply, { status, produces }: Endpoint, result: unknown): FastifyReply {
  if (produces && result instanceof Readable) reply.type(produces)
  if (result instanceof PreparedJson) {
    const stream = new PreparedJsonStream(result)
    reply.header('content-length', stream.byteLength)
    return reply.code(status).type('application/json; charset=utf-8').send(stream)
  }
  return status === 204 ? reply.code(204).send() : reply.code(status).send(result)
}

/** The only cast between the types of endpoints: name, input and handler come from the same row of the table. */
function handle(name: KeyEndpointName, request: object): Promise<unknown> {
  const handler = handlers[name] as (request: ApiRequest<KeyEndpointName>) => Promise<unknown>
  return handler(request as ApiRequest<KeyEndpointName>)
}

function handleOpen(name: OpenEndpointName, request: object): Promise<unknown> {
  const handler = openHandlers[name] as (request: OpenRequest<OpenEndpointName>) => Promise<unknown>
  return handler(request as OpenRequest<OpenEndpointName>)
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
  const type = body === null ? 'NoneType' : typeName(body)
  throw invalidInput(`Invalid data. Expected a dictionary, but got ${type}.`)
}

const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Returns the URL that the client requested, with the scheme that proxies report; an invalid Host becomes localhost. */
function requestUrl(request: FastifyRequest): URL {
  const forwarded = String(request.headers['x-forwarded-proto'] ?? '')
    .split(',')[0]
    ?.trim()
    .toLowerCase()
  const scheme = forwarded === 'https' || forwarded === 'http' ? forwarded : request.protocol
  const host = plainHost.test(request.headers.host ?? '') ? request.headers.host : 'localhost'
  const target = request.raw.url ?? '/'
  const base = `${scheme}://${host}`
  const path = target.startsWith('/') ? target : '/'
  return URL.canParse(base + path) ? new URL(base + path) : new URL(`http://localhost${path}`)
}
