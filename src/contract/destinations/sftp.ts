import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import type { DestinationKind } from './destination-kind.ts'
import { fileFields } from './destination.ts'
import { longestKey, longNameProblem, variableWarning } from './object-path.ts'

export const SftpConfig = z.strictObject({ path: PlainText.min(1), ...fileFields })
export type SftpConfig = z.infer<typeof SftpConfig>

/** A folder on an SFTP server. */
export const sftp: DestinationKind<typeof SftpConfig> = {
  config: SftpConfig,
  secrets: [],
  lengthsMax: { path: 1024 },
  rules: (config, text) => [
    ['path', 'error', pathProblem(text('path'), config['include_blocks'] === true)],
    ['path', 'warning', variableWarning(text('path'))],
  ],
  holds: 'files',
  isOnDisk: false,
  steps: ['Address', 'Reach', 'Credentials', 'Folder', 'Write', 'Remove'],
  container: { noun: 'folder', field: 'path' },
  folderField: 'path',
  integration: { kind: 'sftp', replaces: [] },
  placeOf(text) {
    const store = `sftp://${text('host')}`
    return { store, bucket: store }
  },
  addressOf: () => '',
}

function pathProblem(path: string, includesBlocks: boolean): string | null {
  const key = longestKey(path, includesBlocks)
  return key.split('/').includes('..')
    ? 'Enter the path without “..”, from / or from the user’s start folder.'
    : longNameProblem(key)
}
