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

const usualPort = 3306

export const MysqlConnection = z
  .strictObject({ ...serverFields(usualPort), password: z.string().min(1), ...tlsFields })
  .check(requireRootCertificate)
export type MysqlConnection = z.infer<typeof MysqlConnection>

export const mysql: IntegrationKind<typeof MysqlConnection> = {
  config: MysqlConnection,
  secrets: ['password'],
  lengthsMax: serverLengths,
  rules: (_, text) => serverRules(text),
  ownName: serverName,
  addressOf: (config) => serverAddress({ port: usualPort, ...config }),
  urlOf: (text) => urlOfHost(text('host'), usualPort),
}
