import { z } from 'zod'
import { readConnectionString } from './azure-connection-string.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { ConnectionName } from './server.ts'

export const AzureBlobConnection = z.strictObject({
  name: ConnectionName.optional(),
  connection_string: z.string().min(1),
})

export const azureBlob: IntegrationKind<typeof AzureBlobConnection> = {
  config: AzureBlobConnection,
  secrets: ['connection_string'],
  lengthsMax: { connection_string: 10_000 },
  rules(_, text) {
    const read = readConnectionString(text('connection_string'))
    return [['connection_string', 'error', 'problem' in read ? read.problem : null]]
  },
  ownName(text) {
    const read = readConnectionString(text('connection_string'))
    return 'problem' in read ? '' : read.account
  },
  addressOf({ connection_string }) {
    const read = readConnectionString(String(connection_string))
    return 'problem' in read ? '' : read.endpoint
  },
  publicOf(text): Record<string, string> {
    const read = readConnectionString(text('connection_string'))
    return 'problem' in read ? {} : { account_endpoint: read.endpoint }
  },
  urlOf(text) {
    const read = readConnectionString(text('connection_string'))
    return 'problem' in read ? null : read.endpoint
  },
}
