import { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import { createOrganization, newKeyRow } from '../auth/new-organization.ts'
import { newApiKey, newProjectToken } from '../auth/api-key-value.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { firstOwner } from '../store/accounts/users.ts'
import { insertRow } from '../store/schema/rows.ts'
import { forgetArrivals, testClock } from './test-clock.ts'
import { testServices } from './test-services.ts'
import { createServer } from '../server/server.ts'

export type TestResponse = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The parsed JSON body; null if the body is empty or not JSON. */
  body: unknown
}

type RequestOptions = {
  key?: string
  body?: unknown
  headers?: Record<string, string>
  raw?: string | Buffer
}
type KeyLimits = { scopes?: string[]; projects?: number[]; organizations?: string[] }

export type TestService = Awaited<ReturnType<typeof createTestService>>

/**
 * Opens the real server on real engines with an injected clock, an organization with two projects and a second organization.
 * Nothing runs in the background: tests call the jobs themselves.
 */
export async function createTestService(options: { config?: Partial<Config>; now?: string } = {}) {
  const clock = testClock(options.now ?? '2026-03-04T10:30:00Z')
  const { services, stop } = await testServices(clock, { rateLimit: 0, ...options.config })
  const { store } = services
  const own = await newOrganization(services, 'Own')
  const second = await insertRow(store, 'projects', {
    organization_id: own.organization_id,
    name: 'Second',
    api_token: newProjectToken(),
    created_at: new Date(clock.now()),
  })
  const other = await newOrganization(services, 'Other')
  const server = await createServer(services)
  let requestedAt = clock.now()

  async function request(
    method: string,
    url: string,
    { key = own.api_key, body, headers = {}, raw }: RequestOptions = {},
  ): Promise<TestResponse> {
    // Tests share a database, and a test's clock may start before the end of the previous test.
    if (clock.now() < requestedAt) await forgetArrivals(store)
    requestedAt = clock.now()
    const response = await server.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined ? { payload: raw } : body !== undefined && { payload: JSON.stringify(body) }),
    })
    const isJson = /^application\/json(;|$)/.test(String(response.headers['content-type']))
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: isJson && response.body ? JSON.parse(response.body) : null,
    }
  }

  return {
    services,
    server,
    clock,
    own,
    secondProjectId: second.id,
    other,
    request,
    /** Creates a key for the user of `own`. */
    newKey: (limits: KeyLimits = {}) => newKey(services, own.organization_id, limits),
    async stop() {
      await server.close()
      await stop()
    },
  }
}

/** Parses the response's body; throws if it does not match the schema. */
export function bodyOf<T extends z.ZodType>(schema: T, response: TestResponse): z.output<T> {
  return schema.parse(response.body)
}

/** Parses the response's error body; throws if the body is not an error or its request id differs from the header's. */
export function problemOf(response: TestResponse): Problem {
  const problem = z.strictObject(Problem.shape).parse(response.body)
  if (response.headers['x-request-id'] !== problem.request_id) throw new Error('the request ids differ')
  return problem
}

function newOrganization(services: Services, name: string) {
  const names = { name, projectName: `${name} project`, keyLabel: `${name} key` }
  return createOrganization(services.store, services.clock.now(), names)
}

async function newKey(services: Services, organizationId: string, limits: KeyLimits): Promise<string> {
  const owner = await firstOwner(services.store, organizationId)
  if (!owner) throw new Error('the organization has no owner')
  const value = newApiKey()
  const row = newKeyRow(owner, 'A key', value, services.clock.now(), {
    scopes: limits.scopes ?? ['*'],
    scoped_projects: limits.projects ?? null,
    scoped_organizations: limits.organizations ?? null,
  })
  await insertRow(services.store, 'api_keys', row)
  return value
}
