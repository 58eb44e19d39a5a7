import { z } from 'zod'
import { CreatedPersonalApiKey, PersonalApiKey } from '../../contract/accounts/api-key.ts'
import { User } from '../../contract/accounts/user.ts'
import { Instance } from '../../contract/instance.ts'
import { Backfill, BatchExportRun } from '../../contract/runs/batch-export-run.ts'
import { BatchExport } from '../../contract/exports/batch-export.ts'
import { endpoints, type Endpoint, type PathObject } from '../../contract/endpoints.ts'
import { Integration } from '../../contract/integrations/integration.ts'
import { LogEntry } from '../../contract/runs/log-entry.ts'
import { Problem } from '../../contract/problem.ts'
import { SessionRecording, SharedRecording } from '../../contract/recordings/session-recording.ts'
import { CollectionLink, RecordingLink, SharingConfiguration } from '../../contract/recordings/sharing.ts'
import { sharingPasswordHeader } from '../../contract/recordings/sharing-header.ts'
import { isRepeatable } from '../http/read-query.ts'

type JsonSchema = Record<string, unknown>

const resources = {
  BatchExport,
  BatchExportRun,
  Backfill,
  Integration,
  LogEntry,
  SessionRecording,
  SharedRecording,
  SharingConfiguration,
  RecordingLink,
  CollectionLink,
  PersonalApiKey,
  CreatedPersonalApiKey,
  User,
  Instance,
  Problem,
}
const problems = {
  400: 'The request is invalid.',
  401: 'There is no key or session, or it is unknown or has ended.',
  403: 'The key or role lacks the scope or has no access to the project or organization.',
  404: 'The object does not exist.',
  409: 'The request conflicts with the current state.',
  429: 'Too many requests within a minute.',
} as const

let document: JsonSchema | null = null

/** Returns the API's description in OpenAPI 3.1, generated from the table of endpoints. */
export function openapiDocument(): JsonSchema {
  document ??= {
    openapi: '3.1.0',
    info: {
      title: 'Spool',
      version: '1.0.0',
      description: 'Scheduled batch exports with their runs and backfills, and session recordings.',
    },
    security: [{ personalApiKey: [] }, { session: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        personalApiKey: { type: 'http', scheme: 'bearer', description: 'A personal API key: phx_…' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'spool_session',
          description:
            'The cookie of a person who signed in, for pages of the service. Its name ends with the port, or begins with __Host- behind TLS.',
        },
        sharingLink: {
          type: 'apiKey',
          in: 'query',
          name: 'sharing_access_token',
          description:
            'The token of a link to the recording, or to a collection that contains it. The response then has fewer fields.',
        },
      },
      schemas: { ...componentSchemas('input'), ...componentSchemas('output') },
    },
  }
  return document
}

function paths(): JsonSchema {
  const named = Object.entries<Endpoint>(endpoints)
  const byPath = Object.groupBy(named, ([, endpoint]) => endpoint.path)
  return Object.fromEntries(
    Object.entries(byPath).map(([path, group = []]) => {
      const parameters = pathParameters(group[0]?.[1].loads)
      return [
        path.replaceAll(/:(\w+)/g, '{$1}'),
        {
          ...(parameters.length > 0 && { parameters }),
          ...Object.fromEntries(
            group.map(([name, endpoint]) => [endpoint.method.toLowerCase(), operation(name, endpoint)]),
          ),
        },
      ]
    }),
  )
}

function pathParameters(loads: Endpoint['loads'] = {}): JsonSchema[] {
  return Object.entries(loads).map(([object, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: object === 'integration' ? int : namedByText.has(object) ? text : uuid,
    ...(object === 'project' && { description: 'Number of the project, or @current.' }),
    ...(object === 'organization' && { description: 'UUID of the organization, or @current.' }),
  }))
}

/** Objects without a UUID. A recording has the id that the browser gave its session. */
const namedByText: ReadonlySet<string> = new Set<PathObject>([
  'project',
  'organization',
  'link',
  'recording',
  'person',
])
const text = { type: 'string' }
const int = { type: 'integer' }
const uuid = { type: 'string', format: 'uuid' }

function operation(name: string, endpoint: Endpoint): JsonSchema {
  const { summary, scope, query, body, consumes, status, byLink } = endpoint
  const success =
    status === 204
      ? { description: 'Success.' }
      : { description: 'Success.', content: responseContent(endpoint) }
  const parameters = [...(query ? queryParameters(query) : []), ...(byLink ? [passwordParameter] : [])]
  return {
    operationId: name,
    summary,
    'x-required-scope': scope,
    ...(byLink && { security: securityByLink(endpoint) }),
    ...(endpoint.open && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { content: json(body) } }),
    ...(consumes && { requestBody: { content: { [consumes]: { schema: { ...text, format: 'binary' } } } } }),
    responses: {
      [status]: success,
      ...Object.fromEntries(
        Object.entries(problems).map(([code, description]) => [
          code,
          { description, content: json(Problem) },
        ]),
      ),
    },
  }
}

const passwordParameter = {
  name: sharingPasswordHeader,
  in: 'header',
  required: false,
  schema: text,
  description: 'The password of the link, if it has one, as UTF-8.',
}

/** A token in the path needs no other credential; one in the query replaces a key. */
function securityByLink({ loads }: Endpoint): JsonSchema[] {
  return loads?.link ? [] : [{ personalApiKey: [] }, { sharingLink: [] }]
}

function responseContent({ produces, response, byLink }: Endpoint): JsonSchema {
  const lines = produces && { [produces]: { schema: text } }
  if (lines && response instanceof z.ZodString) return lines
  if (!byLink || byLink === response) return { ...json(response), ...lines }
  return { 'application/json': { schema: { anyOf: [response, byLink].map(referTo) } }, ...lines }
}

function json(schema: z.ZodType): JsonSchema {
  return { 'application/json': { schema: referTo(schema) } }
}

function referTo(schema: z.ZodType): JsonSchema {
  return { $ref: reference(componentName(schema)) }
}

function queryParameters(query: z.ZodType): JsonSchema[] {
  if (!(query instanceof z.ZodObject)) return []
  return Object.entries<z.ZodType>(query.shape).map(([name, field]) => ({
    name,
    in: 'query',
    required: false,
    ...parameterValue(field),
  }))
}

function parameterValue(field: z.ZodType): JsonSchema {
  if (isRepeatable(field)) return { schema: inputSchema(field.out), style: 'form', explode: true }
  const json = jsonOf(field)
  return json
    ? { content: { 'application/json': { schema: inputSchema(json) } } }
    : { schema: inputSchema(field) }
}

function inputSchema(field: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(
    z.lazy(() => field),
    options,
  )
  return schema
}

/** Returns the schema inside a `jsonParameter` of the contract (text that is parsed as JSON), or null for other fields. */
function jsonOf(field: z.ZodType): z.core.$ZodType | null {
  const given = field instanceof z.ZodOptional ? field.unwrap() : field
  const isText =
    given instanceof z.ZodPipe && given.in instanceof z.ZodPipe && given.in.in instanceof z.ZodString
  return isText ? given.out : null
}

const options = { io: 'input', unrepresentable: 'any' } as const

type Direction = 'input' | 'output'

/** Returns a schema's name among the components: the resource's, or one derived from the first endpoint that uses it. */
function componentName(schema: z.ZodType): string {
  const resource = Object.entries<z.ZodType>(resources).find(([, candidate]) => candidate === schema)
  if (resource) return resource[0]
  const user = Object.entries<Endpoint>(endpoints).find(
    ([, { body, response }]) => body === schema || response === schema,
  )
  if (!user) throw new Error('no endpoint uses this schema')
  const [name, { body }] = user
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}${body === schema ? 'Body' : 'Response'}`
}

function componentSchemas(direction: Direction): JsonSchema {
  const used = Object.values<Endpoint>(endpoints).flatMap(({ body, response, status, produces }) => {
    if (direction === 'input') return body ? [body] : []
    return status === 204 || (produces && response instanceof z.ZodString) ? [] : [response]
  })
  const own = direction === 'output' ? Object.values<z.ZodType>(resources) : []
  const registry = z.registry<{ id: string }>()
  for (const schema of new Set([...own, ...used])) registry.add(schema, { id: componentName(schema) })
  const { schemas } = z.toJSONSchema(registry, { io: direction, unrepresentable: 'any', uri: reference })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _id, $schema: _schema, ...schema }]) => [name, schema]),
  )
}

function reference(name: string): string {
  return `#/components/schemas/${name}`
}
