import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RunRow } from '../../store/runs/runs-list.ts'
import { textChecksum } from '../checksum.ts'
import type { Io } from '../destination-driver.ts'
import type { Draft, FileStore, StagedFile, Writing } from '../file-store.ts'
import { openEngineFiles } from './engine-files.ts'
import type { RemoteFiles, SentFile } from './remote-files.ts'
import { openStreamedFiles } from './streamed-files.ts'
import { assertSpace, uploadFolder } from './upload-folder.ts'

/**
 * Opens a store whose files are written to the service's disk and sent from there, so that another attempt, a split or a lost
 * connection leaves nothing half written in the destination.
 */
export async function openUploads(
  { config }: Pick<Io, 'config'>,
  { id }: Pick<RunRow, 'id'>,
  { run, count, stream, upload }: Writing,
  connect: () => Promise<RemoteFiles>,
): Promise<FileStore> {
  const folder = await uploadFolder(config)
  await assertSpace(folder, 0)
  // Before the rows are written, which takes long in vain if the connection is refused.
  const remote = await connect()
  const local = stream
    ? await openStreamedFiles(folder, id, stream)
    : await openEngineFiles(folder, id, run, count, false)
  const sent = new Map<string, SentFile>()
  /** The whole file, which is sent while it is written; null if it has to be sent afterwards. */
  let early: Promise<SentFile | null> | null = null

  /** Sends a file and publishes it at once. */
  const replace = async (key: string, temporary: string) => {
    const { size: bytes } = await stat(temporary)
    const file = await upload.during(() => remote.send({ place: temporary, bytes }, key))
    await rm(temporary)
    return { bytes, checksum: await file.publish() }
  }

  return {
    async stageWhole(keyOf, part, draft) {
      const key = keyOf(part)
      remote.assertKey(key)
      // A file that may be split is not sent before its size is known.
      if (part !== null || !remote.sendsGrowing) return await local.stageWhole(keyOf, part, draft)
      const staging = local.stageWhole(keyOf, part, draft)
      early = sendGrowing(remote, { key, place: local.temporaryName('whole'), draft, staging })
      early.catch(() => undefined)
      return await staging
    },
    async stageParts(keyOf, parts, content) {
      const whole = await stat(local.temporaryName('whole'))
      await assertSpace(folder, whole.size)
      return await local.stageParts(keyOf, parts, content)
    },
    async send(files) {
      await upload.during(async () => {
        for (const { key, temporary, bytes } of files)
          sent.set(temporary, (await early) ?? (await remote.send({ place: temporary, bytes }, key)))
      })
    },
    async publish({ key, temporary, checksum }) {
      const file = sent.get(temporary)
      if (!file || checksum === null) throw new Error(`${key} was not sent`)
      await file.publish()
      return checksum
    },
    async writeStream(key, content, signal) {
      remote.assertKey(key)
      await assertSpace(folder, 0)
      const temporary = local.temporaryName('stream')
      const sha256 = await writeHashing(temporary, content, signal)
      const { bytes, checksum } = await replace(key, temporary)
      return { key, bytes, checksum: checksum ?? sha256 }
    },
    readText: remote.readText,
    async writeText(key, text) {
      const temporary = local.temporaryName('text')
      await writeFile(temporary, text, { mode: 0o600 })
      await replace(key, temporary)
      return textChecksum(text)
    },
    async remove(keys) {
      for (const key of keys) await remote.remove(key)
    },
    async close() {
      await local.close()
      return await remote.close()
    },
  }
}

type GrowingFile = { key: string; place: string; draft: Draft; staging: Promise<StagedFile | null> }

/** Sends a file while it is staged at `place`; resolves to null if the draft's guess was wrong, so that it has to be sent afterwards. */
async function sendGrowing(
  remote: RemoteFiles,
  { key, place, draft, staging }: GrowingFile,
): Promise<SentFile | null> {
  const bytes = staging.then((staged) => staged?.bytes ?? 0)
  bytes.catch(() => undefined)
  return (await draft.settled) === draft.guess ? await remote.send({ place, bytes }, key) : null
}

async function writeHashing(place: string, content: Readable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  content.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(content, createWriteStream(place, { mode: 0o600 }), { signal })
  return `sha256:${hash.digest('hex')}`
}
