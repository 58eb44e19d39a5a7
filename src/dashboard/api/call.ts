import type { z } from 'zod'
import {
  endpoints,
  type BodyInput,
  type EndpointName,
  type PathParams,
  type QueryInput,
  type ResponseOf,
} from '../../contract/endpoints.ts'
import { sharingPasswordHeader } from '../../contract/sharing.ts'
import { connection } from './connection.ts'
import { NetworkFailure, readProblem, UnexpectedAnswer } from './problem.ts'
import { session } from './session.ts'

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

/** What an endpoint of the contract wants. */
export type CallInput<Name extends EndpointName> = ParamsPart<Name> & QueryPart<Name> & BodyPart<Name>

/** Characters; all keepalive requests of a page together may carry 64 KiB. */
const keepaliveLength = 8_000

type Options = {
  signal?: AbortSignal | undefined
  /** Another key than the session's: signing in tries one before keeping it. null: none, who follows a link has no key. */
  key?: string | null
  /** The password of the link that is followed. */
  password?: string | undefined
}

/**
 * Calls one endpoint of the contract and parses its answer.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached, UnexpectedAnswer when page and
 * service do not speak the same contract.
 */
export async function call<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  options: Options = {},
): Promise<ResponseOf<Name>> {
  const { response: schema }: { response: z.ZodType } = endpoints[name]
  const response = await request(name, input, options)
  try {
    return schema.parse(response.status === 204 ? null : await response.json()) as ResponseOf<Name>
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new UnexpectedAnswer(error)
  }
}

/**
 * The same where the answer is a text: JSON lines.
 * @throws ApiProblem when the service refuses, NetworkFailure when it cannot be reached.
 */
export async function callForText<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  options: Options = {},
): Promise<string> {
  const response = await request(name, input, options)
  try {
    return await response.text()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new NetworkFailure(error)
  }
}

async function request<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  { signal, key, password }: Options,
): Promise<Response> {
  const { method, path }: { method: string; path: string } = endpoints[name]
  const parts: { params?: Record<string, string>; query?: object; body?: unknown } = input
  const body = parts.body === undefined ? undefined : JSON.stringify(parts.body)
  const response = await send(
    new Request(address(path, parts.params ?? {}, parts.query ?? {}), {
      method,
      headers: headers({
        key: key === undefined ? session.key() : key,
        password,
        hasBody: body !== undefined,
      }),
      // A write is finished even when the page is left meanwhile; browsers do that for small bodies.
      keepalive: method !== 'GET' && (body?.length ?? 0) < keepaliveLength,
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    }),
  )
  if (!response.ok) throw await readProblem(response)
  return response
}

/** Fills `:params` into a path and appends the query; a list repeats its name, what is empty is left out. */
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

type Carried = { key: string | null; password: string | undefined; hasBody: boolean }

function headers({ key, password, hasBody }: Carried): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
    ...(password === undefined ? {} : { [sharingPasswordHeader]: asHeader(password) }),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  }
}

/** A header holds bytes: those of the text in UTF-8. */
function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

async function send(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    // A gateway's own answer: the service behind it is away.
    if ([502, 503, 504].includes(response.status) && !response.headers.has('X-Request-Id'))
      connection.failed()
    else connection.answered()
    return response
  } catch (error) {
    if (request.signal.aborted) throw error
    connection.failed()
    throw new NetworkFailure(error)
  }
}
