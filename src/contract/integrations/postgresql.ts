import { z } from 'zod'
import type { IntegrationKind } from './integration-kind.ts'
import {
  requireRootCertificate,
  serverAddress,
  serverFields,
  serverLengths,
  serverName,
  serverRules,
  tlsFields,
  urlOfHost,
} from './server.ts'

const usualPort = 5432

export const PostgresqlConnection = z
  .strictObject({ ...serverFields(usualPort), password: z.string().min(1), ...tlsFields })
  .check(requireRootCertificate)

export const postgresql: IntegrationKind<typeof PostgresqlConnection> = {
  config: PostgresqlConnection,
  secrets: ['password'],
  lengthsMax: serverLengths,
  rules: (_, text) => serverRules(text),
  ownName: serverName,
  addressOf: (config) => serverAddress({ port: usualPort, ...config }),
  urlOf: (text) => urlOfHost(text('host'), usualPort),
}
