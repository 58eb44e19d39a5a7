import type { PosthogStep, TestStepName } from './destination-test.ts'
import type { DestinationType } from './destination.ts'
import type { TableName } from './tables/window-query.ts'
import type { IntegrationKindName } from './integration-kind-names.ts'

/** A destination's config as given: values may be missing or of the wrong type. */
export type DestinationConfig = Readonly<Record<string, unknown>>

/** Returns a text of a config; "" if the field has none. */
export type TextOf = (field: string) => string

export function textsOf(config: DestinationConfig | null): TextOf {
  return (field) => {
    const value = config?.[field]
    return typeof value === 'string' ? value : ''
  }
}

/** An error prevents saving; a warning is only shown. */
export type Severity = 'error' | 'warning'
export type ValueIssue = { field: string; severity: Severity; message: string }

/** What is wrong with a field's value; null if nothing is. An empty field breaks no rule. */
export type ValueRule = readonly [field: string, severity: Severity, message: string | null]

/** The names to grant privileges on, and the user who gets them; `schema` counts for PostgreSQL alone. */
export type Granted = Record<'database' | 'schema' | 'table' | 'user', string>

/** What the service and the dashboard know about one type of destination. */
export type DestinationKind<Schema = unknown> = {
  config: Schema
  /** Config keys that are encrypted at rest and omitted from every response. */
  secrets: readonly string[]
  /** Those of the secrets that are values by name: responses have the names, with null for each value. */
  namedSecrets?: readonly string[]
  /** The secret that the service generates for a new export without one, and shows once. */
  generated?: 'signing_secret'
  /** Most characters of each text. Stored destinations may have longer texts, from before these limits. */
  lengthsMax: Readonly<Record<string, number>>
  /** Returns rules that the schema cannot express. Messages say how to correct the value. */
  rules(config: DestinationConfig, text: TextOf): ValueRule[]
  /** Whether the rows become files or rows of a table, or are sent in requests, after which they cannot be read back. */
  holds: 'files' | 'table' | 'requests'
  /** Whether the files are on the service's disk, in a folder per project, which requires the embedded engines. */
  isOnDisk: boolean
  /** What contains the rows, and the field that names it. */
  container: {
    noun: 'bucket' | 'container' | 'folder' | 'table' | 'receiver'
    field: 'bucket_name' | 'container_name' | 'path' | 'table_name' | 'url'
  }
  /** Field that names the folder of the files, the table or the receiver. */
  folderField: 'prefix' | 'path' | 'table_name' | 'url'
  /** Returns the name of the table, if it holds one. */
  table?(text: TextOf): TableName
  /** Returns the lines of the script by which an administrator lets a user write to a table. */
  grantScript?(granted: Granted): string[]
  /** Steps of its test, in their order. */
  steps: readonly TestStepName[]
  /** Steps that PostHog's clients expect before those, in PostHog's order. */
  posthogSteps?: readonly PosthogStep[]
  /** Its name in PostHog's messages, if that is not the type. */
  posthogName?: string
  /** Types to which an export can change, and whether it keeps those fields of its config that the other type has. */
  changesTo?: { readonly [Type in DestinationType]?: { keeps: boolean } }
  /** Returns the names of the store, which many destinations share, and of the bucket or table with its store; null for the service's disk. */
  placeOf(text: TextOf): { store: string; bucket: string } | null
  /**
   * The connection that it uses, and the fields that can replace it; without such fields, a connection is required.
   * null if it uses none.
   */
  integration: { kind: IntegrationKindName; replaces: readonly string[] } | null
  /** Required fields that may not be blank, in PostHog's order. */
  filled?: readonly string[]
  /** Values that a new destination gets for fields without one. */
  initial?: DestinationConfig
  /** Returns a text for where secrets are sent: a stored secret is only used at the address for which it was entered. */
  addressOf(config: DestinationConfig): string
}
