import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ExportError } from '../../problems/export-error.ts'
import type { Io } from '../destination-driver.ts'
import type { ReadPlace } from '../file-store.ts'
import { receivedBytes, type CountBytes } from './received-bytes.ts'
import { assertSpace, uploadFolder } from './upload-folder.ts'

/** A file of a destination, whose content `download` writes to a path; `count` gets its bytes as they arrive. */
export type RemoteFile = { bytes: number; download: (place: string, count: CountBytes) => Promise<void> }

/** Calls `read` with the path of a copy of a remote file, which is removed afterwards. */
export async function withDownloaded<Result>(
  { config }: Pick<Io, 'config'>,
  { bytes, download }: RemoteFile,
  read: (place: string) => Promise<Result>,
): Promise<Result> {
  const folder = await uploadFolder(config)
  await assertSpace(folder, bytes)
  const place = join(folder, `read-${randomUUID()}`)
  try {
    await download(place, receivedBytes(folder, bytes))
    return await read(place)
  } finally {
    await rm(place, { force: true })
  }
}

/** Calls `read` with a copy of a remote file that the embedded engine can read. */
export async function readByEngine<Result>(
  io: Pick<Io, 'config' | 'exportsFolder'>,
  file: RemoteFile,
  read: (place: ReadPlace) => Promise<Result>,
): Promise<Result> {
  if (io.exportsFolder === null)
    throw new ExportError(
      'ClickHouse runs on another machine, so it cannot read the rows back: only the sizes and checksums of the files were compared.',
      true,
    )
  const at = { tableFunction: 'file', arguments: '{place: String}', settings: {} } as const
  return await withDownloaded(io, file, (place) => read({ ...at, params: { place } }))
}
