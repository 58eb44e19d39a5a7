import { posix } from 'node:path'
import { Readable } from 'node:stream'
import type { FileEntry, Stats } from 'ssh2'
import { textOf } from '../../http/read-body.ts'
import { ExportError } from '../../problems/export-error.ts'
import type { SftpSession } from './sftp-session.ts'

/** Status codes of SFTP: https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02#section-7 */
const noSuchFile = 2
const failure = 4

/** Bytes of a text to read at once. */
const readBytes = 32_768
/** Time (ms) for a rename. */
const renameMsMax = 60_000

/** Returns what a server knows of a file or folder. */
export function stat({ sftp, call }: SftpSession, path: string): Promise<Stats> {
  return call<Stats>((done) => sftp.stat(path, done))
}

/** Removes a file; a missing one is not an error. */
export async function removeFile(
  { sftp, call }: SftpSession,
  path: string,
  options?: CallOptions,
): Promise<void> {
  await call<void>((done) => sftp.unlink(path, done), options).catch(ignoreMissing)
}

type CallOptions = Parameters<SftpSession['call']>[1]

/** Creates a folder and those above it. @throws ExportError if one of them is a file. */
export async function makeFolder(session: SftpSession, path: string): Promise<void> {
  const { sftp, call } = session
  const found = await stat(session, path).catch(ignoreMissing)
  if (found?.isDirectory()) return
  if (found)
    throw new ExportError(
      `${path} is a file, so no folder of that name can be created: change the destination's path, or remove that file.`,
      true,
    )
  await makeFolder(session, posix.dirname(path))
  await call<void>((done) => sftp.mkdir(path, done)).catch(async (error: unknown) => {
    // Another run may have made the folder meanwhile.
    if (codeOf(error) !== failure || !(await stat(session, path)).isDirectory()) throw error
  })
}

/** Yields the entries of a folder while they arrive; none if it cannot be listed. */
export async function* entriesOf(session: SftpSession, folder: string): AsyncGenerator<FileEntry> {
  const { sftp, call } = session
  const handle = await call<Buffer>((done) => sftp.opendir(folder, done)).catch(() => null)
  if (!handle) return
  // After the last entries, the server answers with an error.
  const next = () => call<FileEntry[]>((done) => sftp.readdir(handle, done)).catch(() => null)
  for (let entries = await next(); entries; entries = await next()) yield* entries
  await closeHandle(session, handle)
}

/** Returns the text of a file; null if it is missing. @throws Error if it is longer than `bytesMax` */
export async function readText(session: SftpSession, path: string, bytesMax: number): Promise<string | null> {
  const { sftp, call } = session
  const handle = await call<Buffer>((done) => sftp.open(path, 'r', done)).catch(ignoreMissing)
  if (!handle) return null
  const text = await textOf(Readable.from(chunksOf(session, handle), { objectMode: false }), bytesMax)
  await closeHandle(session, handle)
  return text
}

/** Yields the content of an open file. */
async function* chunksOf({ sftp, call }: SftpSession, handle: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; ;) {
    const chunk = Buffer.alloc(readBytes)
    const bytes = await call<number>((done) => sftp.read(handle, chunk, 0, readBytes, start, done))
    if (bytes === 0) return
    yield chunk.subarray(0, bytes)
    start += bytes
  }
}

function closeHandle({ sftp, call }: SftpSession, handle: Buffer): Promise<void> {
  return call<void>((done) => sftp.close(handle, (error) => done(error, undefined)))
}

/** Renames a file, which replaces another one: at once, if the server can do so. */
export async function renameFile(session: SftpSession, from: string, to: string): Promise<void> {
  const { sftp, call } = session
  const limit = { limitMs: renameMsMax }
  const isAtomic = await call<void>((done) => sftp.ext_openssh_rename(from, to, done), limit).then(
    () => true,
    (error: unknown) => {
      if (/does not support this extended request/.test(String(error))) return false
      throw error
    },
  )
  // Elsewhere nothing replaces a file: readers find none for a moment.
  if (isAtomic) return
  await removeFile(session, to)
  await call<void>((done) => sftp.rename(from, to, done), limit)
}

/** Returns SFTP's status code of an error; undefined for others. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

/** For `catch`: a missing file yields undefined. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== noSuchFile) throw error
}
