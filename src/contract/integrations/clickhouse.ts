import { z } from 'zod'
import { castBoolean } from '../destinations/cast-config.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { serverFields, serverKind } from './server.ts'

const usualPort = 8443

/** `verify`: whether the server's certificate is checked. */
export const ClickhouseConnection = z.strictObject({
  ...serverFields(usualPort),
  password: z.string().min(1),
  verify: z.preprocess(castBoolean, z.boolean().default(true)),
})
export type ClickhouseConnection = z.infer<typeof ClickhouseConnection>

export const clickhouse: IntegrationKind<typeof ClickhouseConnection> = {
  config: ClickhouseConnection,
  ...serverKind(usualPort),
}
