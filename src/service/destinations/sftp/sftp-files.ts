import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import type { FileEntry, Stats } from 'ssh2'
import { longNameProblem } from '../../../contract/destinations/object-path.ts'
import { textOf } from '../../http/read-body.ts'
import { ExportError } from '../../problems/export-error.ts'
import { incomplete } from '../incomplete-object.ts'
import type { Upload } from '../file-store.ts'
import { textBytesMax, type RemoteFiles } from '../uploads/remote-files.ts'
import type { SftpSession } from './sftp-session.ts'

/** Status codes of SFTP: https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02#section-7 */
const noSuchFile = 2
const failure = 4

/** Bytes of a write, and writes in flight at once: larger writes need less CPU time. */
const inParallel = { chunkSize: 131_072, concurrency: 32 }
/** Bytes of a text to read at once. */
const readBytes = 32_768
/** Time (ms) for a rename. */
const completionMsMax = 60_000
/** Time (ms) for removing a temporary file: a server that has stopped responding must not delay the end of the attempt. */
const cleanUpMsMax = 3000

/**
 * Opens the files of a server for writing. A file is uploaded under a temporary name in its folder, then renamed, which replaces
 * an earlier file at once.
 * @param place turns keys into paths
 */
export function openServerFiles(
  { sftp, call, close }: SftpSession,
  place: (key: string) => string,
  attempt: { id: string; attempt: number },
  { onSent }: Upload,
): RemoteFiles {
  const ofRun = `.spool-${attempt.id}-`
  const own = `${ofRun}${randomBytes(6).toString('hex')}`
  /** Temporary files that may exist. */
  const temporaries = new Set<string>()
  const folders = new Set<string>()
  let count = 0

  const stat = (path: string) => call<Stats>((done) => sftp.stat(path, done))
  const unlink = (path: string) => call<void>((done) => sftp.unlink(path, done)).catch(ignoreMissing)

  const makeFolder = async (path: string): Promise<void> => {
    const found = await stat(path).catch(ignoreMissing)
    if (found?.isDirectory()) return
    if (found)
      throw new ExportError(
        `${path} is a file, so no folder of that name can be created: change the destination's path, or remove that file.`,
        true,
      )
    await makeFolder(posix.dirname(path))
    await call<void>((done) => sftp.mkdir(path, done)).catch(async (error: unknown) => {
      // Another run may have made the folder meanwhile.
      if (codeOf(error) !== failure || !(await stat(path)).isDirectory()) throw error
    })
  }

  const closeHandle = (handle: Buffer) =>
    call<void>((done) => sftp.close(handle, (error) => done(error, undefined)))

  /** Yields the entries of a folder while they arrive; none if it cannot be listed. */
  async function* entriesOf(folder: string) {
    const handle = await call<Buffer>((done) => sftp.opendir(folder, done)).catch(() => null)
    if (!handle) return
    // After the last entries, the server answers with an error.
    const next = () => call<FileEntry[]>((done) => sftp.readdir(handle, done)).catch(() => null)
    for (let entries = await next(); entries; entries = await next()) yield* entries
    await closeHandle(handle)
  }

  /** Yields the content of an open file. */
  async function* chunksOf(handle: Buffer) {
    for (let start = 0; ;) {
      const chunk = Buffer.alloc(readBytes)
      const bytes = await call<number>((done) => sftp.read(handle, chunk, 0, readBytes, start, done))
      if (bytes === 0) return
      yield chunk.subarray(0, bytes)
      start += bytes
    }
  }

  /** Makes a folder ready: removes there what earlier attempts of the run have left. */
  const openFolder = async (folder: string) => {
    if (folders.has(folder)) return
    await makeFolder(folder)
    folders.add(folder)
    if (attempt.attempt === 1) return
    for await (const { filename } of entriesOf(folder))
      if (filename.startsWith(ofRun) && !filename.startsWith(own)) await unlink(posix.join(folder, filename))
  }

  const rename = async (from: string, to: string) => {
    const isAtomic = await call<void>((done) => sftp.ext_openssh_rename(from, to, done), {
      limitMs: completionMsMax,
    }).then(
      () => true,
      (error: unknown) => {
        if (/does not support this extended request/.test(String(error))) return false
        throw error
      },
    )
    // Elsewhere nothing replaces a file: readers find none for a moment.
    if (isAtomic) return
    await unlink(to)
    await call<void>((done) => sftp.rename(from, to, done), { limitMs: completionMsMax })
  }

  const send: RemoteFiles['send'] = async (file, key) => {
    const bytes = await file.bytes
    const path = place(key)
    const folder = posix.dirname(path)
    await openFolder(folder)
    const temporary = posix.join(folder, `${own}-${(count += 1)}.partial`)
    temporaries.add(temporary)
    await call<void>((done, moved) => {
      const step = (_total: number, accepted: number) => {
        moved()
        onSent(accepted)
      }
      sftp.fastPut(file.place, temporary, { ...inParallel, step }, (error) => done(error, undefined))
    })
    const { size } = await stat(temporary)
    if (size !== bytes) throw incomplete(key, size, bytes)
    return {
      async publish() {
        await rename(temporary, path)
        temporaries.delete(temporary)
        return null
      },
    }
  }

  return {
    sendsGrowing: false,
    assertKey(key) {
      const problem = longNameProblem(key)
      if (problem !== null)
        throw new ExportError(
          `The path "${place(key).slice(0, 300)}" is not valid (${problem}): change the destination's path.`,
          true,
        )
    },
    send,
    async readText(key) {
      const handle = await call<Buffer>((done) => sftp.open(place(key), 'r', done)).catch(ignoreMissing)
      if (!handle) return null
      const text = await textOf(Readable.from(chunksOf(handle), { objectMode: false }), textBytesMax)
      await closeHandle(handle)
      return text
    },
    remove: (key) => unlink(place(key)),
    async close() {
      const left: string[] = []
      for (const path of temporaries)
        await call<void>((done) => sftp.unlink(path, done), { limitMs: cleanUpMsMax, atEnd: true })
          .catch(ignoreMissing)
          .catch(() => left.push(path))
      close()
      return left
    },
  }
}

/** Returns SFTP's status code of an error; undefined for others. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

/** For `catch`: a missing file yields undefined. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== noSuchFile) throw error
}
