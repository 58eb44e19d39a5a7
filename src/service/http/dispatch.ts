import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, EndpointName } from '../../contract/endpoints.ts'
import { accessOrganization, accessProject, assertScope, reachableProjects } from '../auth/access.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import type { LastUsed } from '../auth/last-used.ts'
import { handlers } from '../handlers/handlers.ts'
import type { ApiRequest } from '../handlers/handler.ts'
import { findPathObjects } from '../handlers/path-objects.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/projects.ts'
import { ApiError, notFound } from './api-error.ts'
import { cleanInput } from './clean-input.ts'
import { pageLinks } from './page-links.ts'
import { parseInput } from './parse-input.ts'
import type { RateLimit } from './rate-limit.ts'
import { readJson } from './read-json.ts'
import { readQuery } from './read-query.ts'
import { requestUrl } from './request-url.ts'
import { matchRoute } from './route.ts'

type Dispatcher = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Answers the endpoints of the contract: match, key, scope, project, object, query and body, handler. */
export function createDispatcher(services: Services, rateLimit: RateLimit, lastUsed: LastUsed): Dispatcher {
  return async (request, reply) => {
    const [path = '', ...search] = request.raw.url?.split('?') ?? []
    const match = matchRoute(request.method, path)
    if (match.kind === 'unknown') throw notFound()
    if (match.kind === 'wrong method' && request.method === 'OPTIONS')
      return reply.code(204).header('allow', match.allowed.join(', ')).send()
    const caller = await authenticate(services, request.headers.authorization)
    lastUsed.touch(caller)
    rateLimit.count(caller.key.id)
    if (match.kind === 'wrong method') throw wrongMethod(request.method, match.allowed)

    const { name, endpoint, params } = match
    assertScope(caller, endpoint.scope)
    const projects = await projectsOf(services, caller, params)
    const objects = await findPathObjects({ store: services.store, caller, projects }, endpoint, params)
    const query = readEndpointQuery(endpoint, search.join('?'))
    const body =
      endpoint.body && parseInput(endpoint.body, objectOnly(cleanInput(await readJson(request.raw))))
    const link = pageLinks(requestUrl(request))

    const answer = await handle(name, { services, caller, projects, query, body, link, ...objects })
    if (endpoint.produces) reply.type(endpoint.produces)
    return endpoint.status === 204 ? reply.code(204).send() : reply.code(endpoint.status).send(answer)
  }
}

/** The one place where the types of all endpoints meet: name, input and handler come from the same row of the table. */
function handle(name: EndpointName, request: object): Promise<unknown> {
  const handler = handlers[name] as (request: ApiRequest<EndpointName>) => Promise<unknown>
  return handler(request as ApiRequest<EndpointName>)
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
  params: Record<string, string>,
): Promise<Project[]> {
  const { project_id: project, organization_id: organization } = params
  if (project !== undefined) return [await accessProject(services, caller, project)]
  if (organization !== undefined) await accessOrganization(services, caller, organization)
  return reachableProjects(services, caller)
}

function readEndpointQuery(endpoint: Endpoint, search: string): unknown {
  if (!endpoint.query) return undefined
  return parseInput(endpoint.query, cleanInput(readQuery(search, endpoint.query)))
}

/** A list would pass as an object without keys, were all its fields optional. */
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
