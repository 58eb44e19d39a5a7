import type { z } from 'zod'
import { alertEndpoints } from './alerts/alert-endpoints.ts'
import { auditEndpoints } from './audit/audit-endpoints.ts'
import { exportEndpoints } from './exports/export-endpoints.ts'
import { integrationEndpoints } from './integrations/integration-endpoints.ts'
import { repairEndpoints } from './repair/repair-endpoints.ts'
import { credentialEndpoints } from './accounts/credential-endpoints.ts'
import { keyEndpoints } from './accounts/key-endpoints.ts'
import { mailedLinkEndpoints } from './accounts/mailed-link-endpoints.ts'
import { memberEndpoints } from './accounts/member-endpoints.ts'
import { providerEndpoints } from './accounts/provider-endpoints.ts'
import { sessionEndpoints } from './accounts/session-endpoints.ts'
import { privacyEndpoints } from './privacy/privacy-endpoints.ts'
import { recordingEndpoints } from './recordings/recording-endpoints.ts'

export type { Endpoint } from './endpoint.ts'

/** Every endpoint of the API. The typed client, the handlers and `/api/schema/` are derived from this table. */
export const endpoints = {
  ...exportEndpoints,
  ...keyEndpoints,
  ...sessionEndpoints,
  ...mailedLinkEndpoints,
  ...credentialEndpoints,
  ...memberEndpoints,
  ...providerEndpoints,
  ...auditEndpoints,
  ...integrationEndpoints,
  ...alertEndpoints,
  ...repairEndpoints,
  ...recordingEndpoints,
  ...privacyEndpoints,
}

export type EndpointName = keyof typeof endpoints

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : never
type ParamName<Name extends EndpointName> = ParamNames<(typeof endpoints)[Name]['path']>

// Fails to compile if `loads` names a parameter that the path does not have.
endpoints satisfies {
  [Name in EndpointName]: { path: string; loads?: Readonly<Record<string, ParamName<Name>>> }
}

export type PathParams<Name extends EndpointName> = { [Param in ParamName<Name>]: string }
/** The objects that an endpoint's path names. */
export type LoadedBy<Name extends EndpointName> = (typeof endpoints)[Name] extends { loads: infer Loads }
  ? keyof Loads
  : never

/** Objects that a path can name. A link is identified by its token, a person by its UUID or a distinct id. */
export type PathObject = { [Name in EndpointName]: LoadedBy<Name> }[EndpointName]

/** Endpoints that need neither key nor session. */
export type OpenEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { open: true } ? Name : never
}[EndpointName]
/** Endpoints that need a key or a session: all except those that are open or load a link. */
export type KeyEndpointName = {
  [Name in Exclude<EndpointName, OpenEndpointName>]: 'link' extends LoadedBy<Name> ? never : Name
}[Exclude<EndpointName, OpenEndpointName>]
/** Endpoints that accept a link's token. */
export type LinkEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { byLink: z.ZodType } ? Name : never
}[EndpointName]

type Part<Name extends EndpointName, Key extends 'query' | 'body'> =
  (typeof endpoints)[Name] extends Record<Key, infer Schema extends z.ZodType> ? Schema : z.ZodUnknown

/** Query and body as a client sends them. */
export type QueryInput<Name extends EndpointName> = z.input<Part<Name, 'query'>>
export type BodyInput<Name extends EndpointName> = z.input<Part<Name, 'body'>>
/** Query and body as a handler receives them. */
export type QueryOf<Name extends EndpointName> = z.output<Part<Name, 'query'>>
export type BodyOf<Name extends EndpointName> = z.output<Part<Name, 'body'>>
export type ResponseOf<Name extends EndpointName> = z.output<(typeof endpoints)[Name]['response']>
export type LinkResponseOf<Name extends LinkEndpointName> = z.output<(typeof endpoints)[Name]['byLink']>
