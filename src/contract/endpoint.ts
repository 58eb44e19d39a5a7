import { z } from 'zod'
import type { Scope } from './accounts/scopes.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint of the API. */
export type Endpoint = {
  method: Method
  path: string
  /** The objects that the path names, each with the parameter that contains its id. They are loaded before the handler runs. */
  loads?: Readonly<Record<string, string>>
  /** null: any key or session has access. */
  scope: Scope | null
  /** Whether it needs neither key nor session. */
  open?: true
  /** Whether a person must have signed in, or given their password again, shortly before. */
  confirm?: true
  query?: z.ZodType
  /** Schema of the JSON body; an absent body is read as `{}`. */
  body?: z.ZodType
  /** Media type of a file that is the body; it may be of any size. */
  consumes?: 'application/zstd'
  /** Status on success; 204 has no body. */
  status: 200 | 201 | 204
  response: z.ZodType
  /** Media type of a text response. If `response` is not a string, the endpoint returns either this type or JSON. */
  produces?: 'text/plain' | 'text/csv' | 'application/yaml' | 'application/jsonl' | 'application/zstd'
  /** Response to callers with a link's token instead of a key: in the path, or as `sharing_access_token` in the query. */
  byLink?: z.ZodType
  summary: string
}
