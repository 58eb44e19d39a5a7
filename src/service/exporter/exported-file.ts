import { timingSafeEqual } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { exportedFilePathStart } from '../../contract/runs/run-files.ts'
import type { SecretBox } from '../engines/secret-box.ts'

/** A file of a run by its index in the run's list. */
export type FileOfRun = { projectId: number; runId: string; index: number }

/** Finds an exported file on the disk; null if it is missing, a symbolic link, or outside its project's folder. */
export async function findExportedFile(
  exportsFolder: string,
  projectId: number,
  key: string,
): Promise<{ diskPath: string; bytes: number } | null> {
  if (key.includes('\0')) return null
  const root = await realpath(exportsFolder).catch(nullWhenMissing)
  if (root === null) return null
  const folder = join(root, String(projectId), sep)
  const diskPath = join(folder, key)
  if (!diskPath.startsWith(folder)) return null
  if ((await realpath(diskPath).catch(nullWhenMissing)) !== diskPath) return null
  const found = await stat(diskPath)
  return found.isFile() ? { diskPath, bytes: found.size } : null
}

/** Returns the path that serves a file of a run without a key until `expiry` (milliseconds). */
export function exportedFilePath(secrets: SecretBox, file: FileOfRun, expiry: number): string {
  return `${exportedFilePathStart}${file.runId}.${file.index}.${expiry}.${signature(secrets, file, expiry)}`
}

/** Reads the last part of a path; null if it cannot be one. `isSigned` checks the signature in constant time. */
export function readExportedFilePath(text: string) {
  const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.(\d{1,15})\.([\w-]{43})$/
  const [, runId, index, expiry, given = ''] = pattern.exec(text) ?? []
  if (runId === undefined) return null
  const file = { runId, index: Number(index) }
  return {
    ...file,
    expiry: Number(expiry),
    isSigned(secrets: SecretBox, projectId: number): boolean {
      const expected = signature(secrets, { ...file, projectId }, Number(expiry))
      return timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    },
  }
}

function signature(secrets: SecretBox, { projectId, runId, index }: FileOfRun, expiry: number): string {
  return secrets.token(`exported file ${projectId} ${runId} ${index} ${expiry}`)
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']
  if (missing.includes(error.code ?? '')) return null
  throw error
}
