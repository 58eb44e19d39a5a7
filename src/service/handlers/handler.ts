import type { Readable } from 'node:stream'
import type { BodyOf, endpoints, EndpointName, QueryOf, ResponseOf } from '../../contract/endpoints.ts'
import type { Caller } from '../auth/caller.ts'
import type { Client } from '../auth/client.ts'
import type { RateLimit } from '../auth/rate-limit.ts'
import type { PreparedJson } from '../http/prepared-json.ts'
import type { PageLink } from '../http/page-links.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/accounts/projects.ts'
import type { ObjectsOf } from './path-objects.ts'

/** Input of a handler: everything in it has been checked, parsed and loaded. */
export type ApiRequest<Name extends EndpointName> = {
  services: Services
  client: Client
  rateLimit: RateLimit
  caller: Caller
  /** The `project` of the path or, in the organization scope, all that the key can access. */
  projects: readonly Project[]
  query: QueryOf<Name>
  /** The request itself if the endpoint consumes a file. */
  body: (typeof endpoints)[Name] extends { consumes: string } ? Readable : BodyOf<Name>
  /** Builds the URLs of other pages. */
  link: PageLink
} & ObjectsOf<Name>

/** Text is returned as a stream, because it can be long. Prepared JSON is sent unchanged. */
type HandlerResult<Name extends EndpointName> = (typeof endpoints)[Name] extends { produces: string }
  ? ResponseOf<Name> extends string
    ? Readable
    : Readable | ResponseOf<Name>
  : ResponseOf<Name> | PreparedJson

export type Handler<Name extends EndpointName> = (request: ApiRequest<Name>) => Promise<HandlerResult<Name>>
