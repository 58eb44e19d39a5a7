import type { BodyOf, OpenEndpointName, ResponseOf } from '../../../contract/endpoints.ts'
import type { Client } from '../../auth/client.ts'
import type { RateLimit } from '../../auth/rate-limit.ts'
import type { Services } from '../../services.ts'

/** Input of a handler that needs neither key nor session. */
export type OpenRequest<Name extends OpenEndpointName> = {
  services: Services
  client: Client
  rateLimit: RateLimit
  /** Whether the request's cookie is that of a session that has not ended. */
  hasSession: () => Promise<boolean>
  body: BodyOf<Name>
}
export type OpenHandler<Name extends OpenEndpointName> = (
  request: OpenRequest<Name>,
) => Promise<ResponseOf<Name>>
