import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import { bucketSteps } from './destination-test.ts'
import type { DestinationKind } from './destination-kind.ts'
import { fileFields } from './destination.ts'
import { longestKey, longNameProblem, partialFolder, variableWarning } from './object-path.ts'

export const FileConfig = z.strictObject({ path: PlainText.min(1), ...fileFields })
export type FileConfig = z.infer<typeof FileConfig>

/** A folder on the service's disk. */
export const file: DestinationKind<typeof FileConfig> = {
  config: FileConfig,
  secrets: [],
  lengthsMax: { path: 1024 },
  rules: (config, text) => [
    ['path', 'error', pathProblem(text('path'), config['include_blocks'] === true)],
    ['path', 'warning', variableWarning(text('path'))],
  ],
  holds: 'files',
  integration: null,
  isOnDisk: true,
  steps: bucketSteps,
  container: { noun: 'folder', field: 'path' },
  folderField: 'path',
  changesTo: { S3: { keeps: false } },
  placeOf: () => null,
  addressOf: () => '',
}

/** Returns why no file with this key can be written, or null. */
export function fileKeyProblem(key: string): string | null {
  if (key.split(/[\\/]/).includes('..')) return 'it leads out of the exports folder'
  if (/[\0\\]/.test(key)) return 'it contains a backslash; separate folders with /'
  return longNameProblem(key)
}

function pathProblem(path: string, includesBlocks: boolean): string | null {
  const key = longestKey(path, includesBlocks)
  const isReserved = key.split('/')[0] === partialFolder
  return fileKeyProblem(key) ?? (isReserved ? `“${partialFolder}” is the folder of unfinished files` : null)
}
