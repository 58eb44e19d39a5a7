import { z } from 'zod'
import { comparableAddress } from '../destinations/comparable-address.ts'
import { endpointError, requestError } from '../destinations/s3.ts'
import { PlainText } from '../plain-text.ts'
import { accessKeyFields, accessKeyLengths, accessKeys, awsS3 } from './aws-s3.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { ConnectionName } from './server.ts'

export const S3CompatibleConnection = z.strictObject({
  name: ConnectionName,
  endpoint_url: PlainText.min(1),
  ...accessKeyFields,
})

export const s3Compatible: IntegrationKind<typeof S3CompatibleConnection> = {
  config: S3CompatibleConnection,
  secrets: accessKeys,
  lengthsMax: { endpoint_url: 2000, ...accessKeyLengths },
  rules(config, text) {
    const endpoint = text('endpoint_url')
    return [
      ['endpoint_url', 'error', endpointError(endpoint) ?? requestError(endpoint, {})],
      ...awsS3.rules(config, text),
    ]
  },
  ownName: () => '',
  addressOf: ({ endpoint_url }) => comparableAddress(endpoint_url),
  urlOf: (text) => text('endpoint_url'),
}
