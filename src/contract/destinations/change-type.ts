import type { DestinationConfig } from './destination-kind.ts'
import { destinationKinds } from './destination-kinds.ts'
import type { DestinationType } from './destination.ts'

/** Types between which an export can change, and whether it keeps those fields of its config that the other type has. */
const changes: readonly { from: DestinationType; to: DestinationType; keeps: boolean }[] = [
  { from: 'S3', to: 'File', keeps: false },
  { from: 'File', to: 'S3', keeps: false },
  { from: 'S3', to: 'AwsS3', keeps: true },
  { from: 'S3', to: 'S3Compatible', keeps: true },
]

/** Returns what an export keeps of its config when its destination changes to another type; null if it cannot change. */
export function configAfterChange(
  from: DestinationType,
  to: DestinationType,
  config: DestinationConfig,
): Record<string, unknown> | null {
  const change = changes.find((each) => each.from === from && each.to === to)
  if (!change) return null
  const { shape } = destinationKinds[to].config
  const kept = Object.entries(config).filter(([name]) => change.keeps && Object.hasOwn(shape, name))
  return Object.fromEntries(kept)
}
