import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../contract/endpoints.ts'
import { createTestService, type TestService } from '../testing/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.stop())

test('/api/schema/ is valid OpenAPI 3.1 with every endpoint, and needs no key', async () => {
  const response = await service.request('GET', '/api/schema/', { key: '' })
  const document = z
    .object({ openapi: z.string(), paths: z.record(z.string(), z.looseObject({})) })
    .loose()
    .parse(response.body)
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true })
  expect(document.openapi).toBe('3.1.0')
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
  expect(operations.filter((name) => name !== 'parameters')).toHaveLength(Object.keys(endpoints).length)
})

test('/api/schema/ describes how recordings are filtered and opened by a link', async () => {
  const { body } = await service.request('GET', '/api/schema/', { key: '' })
  const paths = z.object({ paths: z.record(z.string(), z.looseObject({})) }).parse(body).paths
  const recordings = '/api/projects/{project_id}/session_recordings/'
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  expect(paths[recordings]).toMatchObject({
    get: {
      parameters: expect.arrayContaining([
        expect.objectContaining({
          name: 'session_ids',
          content: { 'application/json': { schema: expect.objectContaining({ type: 'array' }) } },
        }),
        expect.objectContaining({
          name: 'order_direction',
          schema: expect.not.objectContaining({ type: 'array' }),
        }),
      ]),
    },
  })
  expect(paths[`${recordings}{id}/`]).toMatchObject({
    parameters: [{ name: 'project_id' }, { name: 'id', schema: { type: 'string' } }],
    get: {
      security: [{ personalApiKey: [] }, { sharingLink: [] }],
      parameters: [
        { name: 'sharing_access_token', in: 'query' },
        { name: 'x-sharing-password', in: 'header' },
      ],
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { anyOf: [reference('GetSessionRecordingResponse'), reference('SharedRecording')] },
            },
          },
        },
      },
    },
  })
  expect(paths['/api/shared/{access_token}/']).toMatchObject({ get: { security: [] } })
  expect(paths[`${recordings}{id}/snapshots/`]).toMatchObject({
    get: { responses: { 200: { content: { 'application/json': {}, 'application/jsonl': {} } } } },
  })
  expect(paths[`${recordings}matching_events/`]).toMatchObject({
    get: { summary: expect.stringContaining('may change incompatibly without announcement') },
  })
})
