import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { Integration } from '../../contract/integrations/integration.ts'
import { bodyOf, type TestService } from './test-service.ts'

/** Complete configs by kind, to servers on loopback where nothing listens; each kind's secrets begin with `planted-`. */
export const connectionConfigs = {
  'aws-s3': { aws_access_key_id: 'planted-AKIA', aws_secret_access_key: 'planted-aws' },
  's3-compatible': {
    endpoint_url: 'http://127.0.0.1:9',
    aws_access_key_id: 'planted-id',
    aws_secret_access_key: 'planted-key',
  },
  'azure-blob': {
    connection_string:
      'AccountName=lake;AccountKey=cGxhbnRlZA==;BlobEndpoint=http://127.0.0.1:10000/lake;planted=planted-string',
  },
  postgresql: { host: '127.0.0.1', user: 'spool', password: 'planted-postgresql' },
  clickhouse: { host: '127.0.0.1', user: 'spool', password: 'planted-clickhouse' },
  mysql: { host: '127.0.0.1', user: 'spool', password: 'planted-mysql' },
  sftp: {
    host: '127.0.0.1',
    user: 'spool',
    host_key_fingerprint: `SHA256:${'a'.repeat(43)}`,
    password: 'planted-sftp',
  },
} as const
export type ConnectionKind = keyof typeof connectionConfigs

/** Creates a connection with a name of its own through the API, by default to an S3-compatible store. */
export async function createIntegration(
  service: Pick<TestService, 'request'>,
  config: object = {},
  project: number | '@current' = '@current',
  kind: ConnectionKind = 's3-compatible',
): Promise<Integration> {
  const body = { kind, config: { name: `Connection ${randomUUID()}`, ...connectionConfigs[kind], ...config } }
  const response = await service.request('POST', `/api/projects/${project}/integrations/`, { body })
  expect(response.status, response.text).toBe(201)
  return bodyOf(Integration, response)
}
