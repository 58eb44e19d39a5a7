import type { z } from 'zod'
import type {
  BodyInput,
  Endpoint,
  EndpointName,
  endpoints,
  PathParams,
  QueryInput,
  ResponseOf,
} from '../../contract/endpoints.ts'
import { organizationHeader } from '../../contract/accounts/organization-header.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { connection } from './connection.ts'
import { noteAction } from './last-actions.ts'
import { isStatus, NetworkFailure, UnexpectedResponse } from './problem.ts'
import { readProblem } from './read-problem.ts'
import { doubtSession, shownUser } from './shown-session.ts'

type Table = typeof endpoints
type ParamsPart<Name extends EndpointName> = [keyof PathParams<Name>] extends [never]
  ? { params?: never }
  : { params: PathParams<Name> }
type QueryPart<Name extends EndpointName> = Table[Name] extends { query: z.ZodType }
  ? { query?: Partial<QueryInput<Name>> }
  : unknown
type BodyPart<Name extends EndpointName> = Table[Name] extends { body: z.ZodType }
  ? { body: BodyInput<Name> }
  : unknown

/** The path parameters, query and body of an endpoint. */
export type CallInput<Name extends EndpointName> = ParamsPart<Name> & QueryPart<Name> & BodyPart<Name>

/** Longest body (characters) sent with keepalive. All keepalive requests of a page share 64 KiB. */
const keepaliveLengthMax = 48_000

type Options = {
  signal?: AbortSignal | undefined
  /** Sent instead of the session's cookie, to try a key before signing in. */
  key?: string
}

/**
 * Calls an endpoint and parses its response.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached, UnexpectedResponse when the
 * response does not match the contract.
 */
export async function call<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  options: Options = {},
): Promise<ResponseOf<Name>> {
  const { endpoint, response } = await requestConfirmed(name, input, options)
  if (endpoint.method !== 'GET' && !secretEndpoints.has(name)) noteAction({ name, input, at: Date.now() })
  try {
    const body: unknown = response.status === 204 ? null : await response.json()
    if (endpoint.response) return endpoint.response.parse(body) as ResponseOf<Name>
    const lacks = endpoint.keys?.find((key) => !(key in Object(body)))
    if (lacks !== undefined) throw new Error(`the response lacks ${lacks}`)
    return body as ResponseOf<Name>
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new UnexpectedResponse(error)
  }
}

/**
 * Calls an endpoint that returns a file, such as JSON lines.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached.
 */
export async function callForBytes<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  options: Options = {},
): Promise<ArrayBuffer> {
  const { response } = await request(name, input, options)
  try {
    return await response.arrayBuffer()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new NetworkFailure(error)
  }
}

/** Endpoints whose input contains a password or key. */
const secretEndpoints: ReadonlySet<EndpointName> = new Set([
  'signIn',
  'confirmSession',
  'finishSecondFactor',
  'createPasskey',
  'changeUser',
  'inspectInvite',
  'acceptInvite',
  'joinByInvite',
  'resetPassword',
  'confirmEmail',
])

type CalledEndpoint = Pick<Endpoint, 'method' | 'path'> & { response?: z.ZodType; keys?: readonly string[] }
type EarlyEndpoint<Name extends EndpointName> = Pick<Table[Name], 'method' | 'path'> & {
  keys: readonly (keyof ResponseOf<Name>)[]
}

const exports = '/api/projects/:project_id/batch_exports/'
const recordings = '/api/projects/:project_id/session_recordings/'
const bulkActions = '/api/projects/:project_id/bulk_actions/'
const overviewKeys = ['at', 'incidents', 'results'] as const

/**
 * The endpoints that the list of exports and the page of a recording call before the contract is loaded, also when the user
 * leaves the page. Until then, only the `keys` of their responses are checked, so that a response of another kind does not pass
 * for an empty list.
 */
const earlyEndpoints = {
  getUser: { method: 'GET', path: '/api/users/@me/', keys: ['uuid', 'organization', 'team', 'scopes'] },
  signIn: { method: 'POST', path: '/api/sessions/', keys: ['expires_at'] },
  overviewOfBatchExports: { method: 'GET', path: `${exports}overview/`, keys: overviewKeys },
  overviewOfOrganizationBatchExports: {
    method: 'GET',
    path: '/api/organizations/:organization_id/batch_exports/overview/',
    keys: overviewKeys,
  },
  pauseBatchExport: { method: 'POST', path: `${exports}:id/pause/`, keys: ['id', 'paused'] },
  unpauseBatchExport: { method: 'POST', path: `${exports}:id/unpause/`, keys: ['id', 'paused'] },
  backfillBatchExport: { method: 'POST', path: `${exports}:id/backfill/`, keys: ['id'] },
  deleteBatchExport: { method: 'DELETE', path: `${exports}:id/`, keys: [] },
  listBulkActions: { method: 'GET', path: bulkActions, keys: ['results'] },
  createBulkAction: { method: 'POST', path: bulkActions, keys: ['id', 'status'] },
  getSessionRecording: { method: 'GET', path: `${recordings}:id/`, keys: ['id', 'start_time', 'end_time'] },
  updateSessionRecording: { method: 'PATCH', path: `${recordings}:id/`, keys: ['success'] },
  snapshotsOfSessionRecording: { method: 'GET', path: `${recordings}:id/snapshots/`, keys: ['sources'] },
  assetsOfSessionRecording: { method: 'GET', path: `${recordings}:id/assets/`, keys: ['results', 'missing'] },
  eventsOfSessionRecording: { method: 'GET', path: `${recordings}:id/events/`, keys: ['results'] },
  summaryOfSessionRecording: { method: 'GET', path: `${recordings}:id/summary/`, keys: ['summary'] },
  listRecordingNotes: {
    method: 'GET',
    path: '/api/projects/:project_id/recording_notes/',
    keys: ['results'],
  },
} as const satisfies { [Name in EndpointName]?: EarlyEndpoint<Name> }

let loadedEndpoints: Partial<Record<EndpointName, CalledEndpoint>> = earlyEndpoints

/** Loads the contract before it is needed. */
export function loadContract(): void {
  loadEndpoint('getUser').catch(() => null)
}

/** Loads the contract when the user first moves or types. */
export function loadContractOnInput(): void {
  for (const sign of ['pointerdown', 'keydown']) addEventListener(sign, loadContract, { once: true })
  addEventListener('pointermove', function load(event) {
    // Chrome also sends one when the page changes below a pointer that rests.
    if (event.movementX === 0 && event.movementY === 0) return
    removeEventListener('pointermove', load)
    loadContract()
  })
}

/** Returns an endpoint of the contract. @throws NetworkFailure when the contract cannot be loaded. */
export async function loadEndpoint<Name extends EndpointName>(name: Name): Promise<Table[Name]> {
  const { endpoints: all } = await import('../../contract/endpoints.ts').catch((error: unknown) => {
    throw new NetworkFailure(error)
  })
  loadedEndpoints = all
  return all[name]
}

/** Sends a request again after the user has confirmed their identity, if the service asks for that. */
async function requestConfirmed(...given: Parameters<typeof request>): ReturnType<typeof request> {
  try {
    return await request(...given)
  } catch (error) {
    const mustConfirm = isStatus(error, 403) && error.code === 'confirmation_required'
    if (mustConfirm && (await confirmIdentity())) return request(...given)
    throw error
  }
}

/** Endpoints that mean the session, whichever organization the page shows. */
const anyOrganization: ReadonlySet<EndpointName> = new Set([
  'getUser',
  'signIn',
  'signOut',
  'switchOrganization',
  'joinByInvite',
])

async function request(
  name: EndpointName,
  parts: { params?: Record<string, string>; query?: object; body?: unknown },
  { signal, key }: Options,
): Promise<{ endpoint: CalledEndpoint; response: Response }> {
  const endpoint = loadedEndpoints[name] ?? (await loadEndpoint(name))
  const { method, path } = endpoint
  const shown = anyOrganization.has(name) || key !== undefined ? undefined : shownUser()?.organization.id
  const body = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  const response = await send(
    new Request(address(path, parts.params ?? {}, parts.query ?? {}), {
      method,
      headers: {
        Accept: 'application/json',
        ...(shown && { [organizationHeader]: shown }),
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      // Lets a write finish after the user leaves the page; browsers support that for small bodies.
      keepalive: method !== 'GET' && (body?.length ?? 0) < keepaliveLengthMax,
      body: body ?? null,
      signal: signal ?? null,
    }),
  )
  if (response.ok) return { endpoint, response }
  const problem = await readProblem(response)
  if (problem.code === 'other_organization') doubtSession()
  throw problem
}

/** Fills in a path's `:params` and appends the query. Lists repeat their name; empty values are omitted. */
export function address(path: string, params: Record<string, string>, query: object): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value])
        .filter((item) => item !== undefined && item !== null && item !== '')
        .map((item): [string, string] => [name, String(item)]),
    ),
  )
  const origin = globalThis.location?.origin ?? 'http://localhost'
  return `${origin}${filled}${search.size > 0 ? `?${search}` : ''}`
}

async function send(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    // The response comes from a gateway, so the service behind it is down.
    if ([502, 503, 504].includes(response.status) && !response.headers.has('X-Request-Id'))
      connection.failed()
    else connection.succeeded()
    return response
  } catch (error) {
    if (request.signal.aborted) throw error
    connection.failed()
    throw new NetworkFailure(error)
  }
}
