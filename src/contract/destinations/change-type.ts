import type { DestinationConfig } from './destination-kind.ts'
import { destinationKinds } from './destination-kinds.ts'
import type { DestinationType } from './destination.ts'

/** Returns what an export keeps of its config when its destination changes to another type; null if it cannot change. */
export function configAfterChange(
  from: DestinationType,
  to: DestinationType,
  config: DestinationConfig,
): Record<string, unknown> | null {
  const change = destinationKinds[from].changesTo?.[to]
  if (!change) return null
  const { shape } = destinationKinds[to].config
  const kept = Object.entries(config).filter(([name]) => change.keeps && Object.hasOwn(shape, name))
  return Object.fromEntries(kept)
}
