import type { z } from 'zod'
import type { IntegrationKind } from './integration-kind.ts'
import { databaseConnection, serverKind } from './server.ts'

const usualPort = 3306

export const MysqlConnection = databaseConnection(usualPort)
export type MysqlConnection = z.infer<typeof MysqlConnection>

export const mysql: IntegrationKind<typeof MysqlConnection> = {
  config: MysqlConnection,
  ...serverKind(usualPort),
}
