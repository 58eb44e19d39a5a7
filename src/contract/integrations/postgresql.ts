import type { IntegrationKind } from './integration-kind.ts'
import { databaseConnection, serverKind } from './server.ts'

const usualPort = 5432

export const PostgresqlConnection = databaseConnection(usualPort)

export const postgresql: IntegrationKind<typeof PostgresqlConnection> = {
  config: PostgresqlConnection,
  ...serverKind(usualPort),
}
