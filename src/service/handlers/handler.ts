import type { Readable } from 'node:stream'
import type { BodyOf, endpoints, EndpointName, QueryOf, ResponseOf } from '../../contract/endpoints.ts'
import type { Caller } from '../auth/caller.ts'
import type { PreparedJson } from '../http/prepared-json.ts'
import type { PageLink } from '../http/page-links.ts'
import type { Services } from '../services.ts'
import type { Project } from '../store/projects.ts'
import type { ObjectsOf } from './path-objects.ts'

/** What a handler is given: everything has been checked, read and found by then. */
export type ApiRequest<Name extends EndpointName> = {
  services: Services
  caller: Caller
  /** The project of the path, or in the organization's scope all that the key reaches, the first one first. */
  projects: readonly Project[]
  query: QueryOf<Name>
  body: BodyOf<Name>
  /** Makes the URLs of other pages. */
  link: PageLink
} & ObjectsOf<Name>

/** A text that an endpoint produces is a stream: it may be long. What is kept as JSON is sent as it is. */
type Answer<Name extends EndpointName> = (typeof endpoints)[Name] extends { produces: string }
  ? ResponseOf<Name> extends string
    ? Readable
    : Readable | ResponseOf<Name>
  : ResponseOf<Name> | PreparedJson

export type Handler<Name extends EndpointName> = (request: ApiRequest<Name>) => Promise<Answer<Name>>
