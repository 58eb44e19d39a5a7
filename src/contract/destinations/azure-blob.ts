import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import type { DestinationKind } from './destination-kind.ts'
import { fileFields } from './destination.ts'
import { longestKey, variableWarning } from './object-path.ts'

export const AzureBlobConfig = z.strictObject({
  container_name: PlainText.min(1),
  prefix: PlainText.optional(),
  /** Accepted from PostHog's clients, which may also send `false`: Parquet files never name their compression. */
  legacy_parquet_extension: z
    .literal(false, { error: 'It cannot be turned on: only exports from before this setting have it.' })
    .optional(),
  ...fileFields,
})
export type AzureBlobConfig = z.infer<typeof AzureBlobConfig>

/** A container of Azure Blob Storage, or of a server with the same interface. */
export const azureBlob: DestinationKind<typeof AzureBlobConfig> = {
  config: AzureBlobConfig,
  secrets: [],
  lengthsMax: { container_name: 63, prefix: 1024 },
  rules: (config, text) => [
    ['container_name', 'error', containerProblem(text('container_name'))],
    ['prefix', 'error', prefixProblem(text('prefix'), config['include_blocks'] === true)],
    ['prefix', 'warning', variableWarning(text('prefix'))],
  ],
  holds: 'files',
  isOnDisk: false,
  steps: ['Address', 'Reach', 'Credentials', 'Container', 'Write', 'Remove'],
  posthogName: 'Azure Blob',
  posthogSteps: [
    {
      name: 'Check Azure Blob container exists',
      description:
        'Ensure the configured container exists and that we have the required permissions to access it.',
      covers: ['Address', 'Reach', 'Credentials', 'Container'],
    },
  ],
  container: { noun: 'container', field: 'container_name' },
  folderField: 'prefix',
  integration: { kind: 'azure-blob', replaces: [] },
  initial: { legacy_parquet_extension: false },
  placeOf(text) {
    const store = text('account_endpoint') || 'Azure Blob Storage'
    return { store, bucket: `${store}/${text('container_name')}` }
  },
  addressOf: () => '',
}

/** https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata */
function containerProblem(name: string): string | null {
  return /^(\$root|\$web|(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9])$/.test(name)
    ? null
    : 'A container’s name has 3 to 63 lower-case letters, digits and single hyphens, and begins and ends with a letter or digit.'
}

function prefixProblem(prefix: string, includesBlocks: boolean): string | null {
  const key = longestKey(prefix, includesBlocks)
  if (key.split('/').includes('..')) return 'Azure does not keep names that consist of dots.'
  return azureKeyProblem(key)
}

const keyLengthMax = 1024
const namesMax = 254

/** Returns why no blob can have this key, or null. */
export function azureKeyProblem(key: string): string | null {
  if (key.length > keyLengthMax) return 'names of blobs have at most 1,024 characters'
  const names = key.split('/')
  if (names.length > namesMax) return `names of blobs have at most ${namesMax - 1} slashes`
  return names.some((name) => name.endsWith('.')) ? 'Azure does not keep a dot at the end of a name' : null
}
