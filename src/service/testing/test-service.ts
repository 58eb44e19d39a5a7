import { z } from 'zod'
import { Problem } from '../../contract/problem.ts'
import { hashApiKey, newApiKey } from '../auth/api-key-value.ts'
import { createOrganization, type NewOrganization } from '../auth/new-organization.ts'
import { newProjectToken } from '../auth/api-key-value.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { insertApiKey } from '../store/api-keys.ts'
import { newId } from '../store/identifier.ts'
import { insertProject } from '../store/projects.ts'
import { firstUser } from '../store/users.ts'
import { testServices } from './test-services.ts'
import { createServer } from '../server/server.ts'

export type TestClock = { now(): number; set(iso: string): void; advance(ms: number): void }

export type TestAnswer = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The body as JSON; null when there is none. */
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
 * The real server on real engines, with an injected clock: an organization with two projects, a second organization, and
 * keys of any kind. Nothing runs in the background: tests drive the jobs themselves.
 */
export async function createTestService(options: { config?: Partial<Config>; now?: string } = {}) {
  const clock = testClock(options.now ?? '2026-03-04T10:30:00Z')
  const { services, stop } = await testServices(clock, { rateLimit: 0, ...options.config })
  const { store } = services
  const own = await newOrganization(services, 'Own')
  const second = await insertProject(store, {
    organization_id: own.organization_id,
    name: 'Second',
    api_token: newProjectToken(),
    created_at: new Date(clock.now()),
  })
  const other = await newOrganization(services, 'Other')
  const server = await createServer(services)

  async function request(method: string, url: string, given: RequestOptions = {}): Promise<TestAnswer> {
    const { key = own.api_key, body, headers = {}, raw } = given
    const answer = await server.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined ? { payload: raw } : body !== undefined && { payload: JSON.stringify(body) }),
    })
    const isJson = /^application\/json(;|$)/.test(String(answer.headers['content-type']))
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson && answer.body ? JSON.parse(answer.body) : null,
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
    /** A key of the own organization's user. */
    newKey: (limits: KeyLimits = {}) => newKey(services, own.organization_id, limits),
    async stop() {
      await server.close()
      await stop()
    },
  }
}

/** A body that must be of this shape. */
export function bodyOf<T extends z.ZodType>(schema: T, answer: TestAnswer): z.output<T> {
  return schema.parse(answer.body)
}

/** The answer's error body; throws when it is not one, or lacks a request id. */
export function problemOf(answer: TestAnswer): Problem {
  const problem = z.strictObject(Problem.shape).parse(answer.body)
  if (answer.headers['x-request-id'] !== problem.request_id) throw new Error('the request ids differ')
  return problem
}

function newOrganization(services: Services, name: string): Promise<NewOrganization> {
  const names = { name, projectName: `${name} project`, keyLabel: `${name} key` }
  return createOrganization(services.store, services.clock.now(), names)
}

async function newKey(services: Services, organizationId: string, limits: KeyLimits): Promise<string> {
  const user = await firstUser(services.store, organizationId)
  if (!user) throw new Error('the organization has no user')
  const value = newApiKey()
  const now = services.clock.now()
  await insertApiKey(services.store, {
    id: newId(now),
    user_id: user.id,
    hash: hashApiKey(value),
    label: 'A key',
    scopes: limits.scopes ?? ['*'],
    scoped_projects: limits.projects ?? null,
    scoped_organizations: limits.organizations ?? null,
    created_at: new Date(now),
    last_used_at: null,
  })
  return value
}

function testClock(start: string): TestClock {
  let now = Date.parse(start)
  return {
    now: () => now,
    set(iso) {
      now = Date.parse(iso)
    },
    advance(ms) {
      now += ms
    },
  }
}
