import type { DestinationConfig, TextOf, ValueRule } from '../destinations/destination-kind.ts'

/** What the service and the dashboard know about one kind of connection. */
export type IntegrationKind<Schema = unknown> = {
  /** Its output, with defaults and casts, is stored. `name` is optional if a connection can be named after its address. */
  config: Schema
  /** Config keys that are encrypted at rest and omitted from every response. */
  secrets: readonly string[]
  /** Most characters of each text. */
  lengthsMax: Readonly<Record<string, number>>
  /** Returns rules that the schema cannot express. Messages say how to correct the value. */
  rules(config: DestinationConfig, text: TextOf): ValueRule[]
  /** Returns the name of a connection to which its user gave none. */
  ownName(text: TextOf): string
  /** Returns where secrets are sent, as lists show it: equal texts are the same address. */
  addressOf(config: DestinationConfig): string
  /** Returns what is public of the secrets, such as the address in them: it is stored and shown with the config. */
  publicOf?(text: TextOf): Readonly<Record<string, string>>
  /** Returns a URL whose host is the one that the user chose; null if there is no choice. */
  urlOf(text: TextOf): string | null
}
