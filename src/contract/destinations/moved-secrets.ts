import type { DestinationConfig, DestinationKind } from './destination-kind.ts'
import type { DestinationIssue } from './destination-issues.ts'
import { destinationKinds } from './destination-kinds.ts'
import type { DestinationType } from './destination.ts'

/** Why a secret that is stored must be entered again. */
export const secretRequired =
  'This field is required because the address changes: a stored secret is only used at the address for which it was entered.'

/** Returns the secrets of which a change keeps a stored value: those that it omits, and those in which a value by name is null. */
export function keptSecrets(
  type: DestinationType,
  stored: readonly string[],
  given: DestinationConfig | null | undefined,
): string[] {
  const { namedSecrets = [] } = destinationKinds[type] as DestinationKind
  return stored.filter((field) => {
    if (!Object.hasOwn(given ?? {}, field)) return true
    return namedSecrets.includes(field) && Object.values(Object(given?.[field])).includes(null)
  })
}

/**
 * Returns an issue for each of the `kept` secrets of a stored destination if a changed config would send them to another
 * address.
 */
export function movedSecretIssues(
  type: DestinationType,
  stored: DestinationConfig,
  changed: DestinationConfig,
  kept: readonly string[],
): DestinationIssue[] {
  if (!sendsElsewhere(type, stored, changed)) return []
  return kept.map((field) => ({
    attr: `destination__config__${field}`,
    code: 'required',
    path: ['destination', 'config', field],
    message: secretRequired,
  }))
}

/** Whether a changed config would send the secrets to another host, port or path than the stored one. */
export function sendsElsewhere(type: DestinationType, stored: DestinationConfig, changed: DestinationConfig) {
  const { addressOf } = destinationKinds[type]
  return addressOf(stored) !== addressOf(changed)
}
