import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'
import { longNameProblem } from '../../../contract/destinations/object-path.ts'
import { ExportError } from '../../problems/export-error.ts'
import { incomplete } from '../incomplete-object.ts'
import type { Upload } from '../file-store.ts'
import { textBytesMax, type LocalFile, type RemoteFiles } from '../uploads/remote-files.ts'
import { entriesOf, makeFolder, readText, removeFile, renameFile, stat } from './sftp-operations.ts'
import type { SftpSession } from './sftp-session.ts'

/**
 * Bytes of a write, and writes in flight: large writes need less CPU time, and few of them stay in the processor's cache. OpenSSH
 * accepts 254 kB. For other servers, the library splits a write and sends its pieces in turn, so more are in flight.
 */
const openSshWrites = { chunkSize: 260_096, concurrency: 6 }
const otherWrites = { chunkSize: 131_072, concurrency: 32 }
/** Time (ms) for removing a temporary file: a server that has stopped responding must not delay the end of the attempt. */
const cleanUpMsMax = 3000

/**
 * Opens the files of a server for writing. A file is uploaded under a temporary name in its folder, then renamed, which replaces
 * an earlier file at once.
 * @param place turns keys into paths
 */
export function openServerFiles(
  session: SftpSession,
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

  /** Makes a folder ready: removes there what earlier attempts of the run have left. */
  const openFolder = async (folder: string) => {
    if (folders.has(folder)) return
    await makeFolder(session, folder)
    folders.add(folder)
    if (attempt.attempt === 1) return
    for await (const { filename } of entriesOf(session, folder))
      if (filename.startsWith(ofRun) && !filename.startsWith(own))
        await removeFile(session, posix.join(folder, filename))
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
    async send(file, key) {
      const path = place(key)
      const bytes = await file.bytes
      const folder = posix.dirname(path)
      await openFolder(folder)
      const temporary = posix.join(folder, `${own}-${(count += 1)}.partial`)
      temporaries.add(temporary)
      await upload(session, file, temporary, onSent)
      const { size } = await stat(session, temporary)
      if (size !== bytes) throw incomplete(key, size, bytes)
      return {
        async publish() {
          await renameFile(session, temporary, path)
          temporaries.delete(temporary)
          return null
        },
      }
    },
    readText: (key) => readText(session, place(key), textBytesMax),
    remove: (key) => removeFile(session, place(key)),
    async close() {
      const left: string[] = []
      for (const path of temporaries)
        await removeFile(session, path, { limitMs: cleanUpMsMax, atEnd: true }).catch(() => left.push(path))
      session.close()
      return left
    },
  }
}

/** Uploads a complete file; each call of `onSent` gets the bytes that the server has accepted since. */
async function upload(
  { sftp, call, isOpenSsh }: SftpSession,
  file: LocalFile,
  path: string,
  onSent: Upload['onSent'],
): Promise<void> {
  await call<void>((done, moved) => {
    const step = (_total: number, accepted: number) => {
      moved()
      onSent(accepted)
    }
    sftp.fastPut(file.place, path, { ...(isOpenSsh ? openSshWrites : otherWrites), step }, (error) =>
      done(error, undefined),
    )
  })
}
