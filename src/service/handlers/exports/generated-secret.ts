import { randomBytes } from 'node:crypto'
import type { DestinationKind } from '../../../contract/destinations/destination-kind.ts'
import { destinationKinds } from '../../../contract/destinations/destination-kinds.ts'
import { destinationTypes } from '../../../contract/destinations/destination-types.ts'
import type { DestinationInput } from '../../../contract/destinations/destination.ts'

type Given = { [Field in keyof DestinationInput]?: DestinationInput[Field] | undefined }

/** Returns the secret of a destination that the service generates if none is given, as a field of its config; null for none. */
export function generatedSecret({ type, config }: Given): Record<string, string> | null {
  const known = destinationTypes.find((each) => each === type)
  if (!known) return null
  const { generated }: DestinationKind = destinationKinds[known]
  if (generated === undefined || (config?.[generated] ?? null) !== null) return null
  return { [generated]: randomBytes(32).toString('base64url') }
}

/** Returns a new destination with this secret. */
export function withSecret<G extends Given>(given: G, secret: Record<string, string> | null): G {
  return secret ? { ...given, config: { ...given.config, ...secret } } : given
}
