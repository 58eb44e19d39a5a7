import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { azureKeyProblem } from '../../../contract/destinations/azure-blob.ts'
import { ignoreMissing } from '../../engines/durable.ts'
import { textOf } from '../../http/read-body.ts'
import { ExportError } from '../../problems/export-error.ts'
import { incomplete } from '../incomplete-object.ts'
import type { Upload } from '../file-store.ts'
import { textBytesMax, type LocalFile, type RemoteFiles } from '../uploads/remote-files.ts'
import { nullWhenMissing, type AzureClient } from './azure-client.ts'

/** Bytes of the first blocks; a blob can have 50,000, so later ones of a file that grows beyond 40 GB are larger. */
const blockBytesMin = 8 * 1024 ** 2
const blocksOfSize = 5000
const blocksAtOnce = 4
/** Bytes that are read from a file at once. */
const readBytes = 262_144
/** Interval (ms) at which a growing file is polled. */
const pollMs = 100
/** Time (ms) for completing a blob. */
const completionMsMax = 60_000

/**
 * Opens the blobs of a container for writing. The blocks of a blob are invisible until a list of them replaces it at once;
 * Azure removes those that no list names after a week.
 */
export function openBlobs(client: AzureClient, upload: Upload): RemoteFiles {
  const closed = new AbortController()
  const signal = AbortSignal.any([upload.signal, closed.signal])
  const blobs: Blobs = { client, own: randomBytes(9).toString('hex'), signal, onSent: upload.onSent }
  return {
    sendsGrowing: true,
    assertKey(key) {
      const problem = azureKeyProblem(key)
      if (problem !== null)
        throw new ExportError(
          `The blob name "${key.slice(0, 200)}" is not valid (${problem}): change the destination's prefix.`,
          true,
        )
    },
    async send(file, key) {
      const blocks = await sendBlocks(blobs, file, key)
      return { publish: async () => await putBlockList(blobs, key, blocks, await file.bytes) }
    },
    async readText(key) {
      const response = await client.open({ method: 'GET', key, signal }).catch(nullWhenMissing)
      return response && (await textOf(response, textBytesMax))
    },
    async remove(key) {
      await client.send({ method: 'DELETE', key, signal }).catch(nullWhenMissing)
    },
    async close() {
      closed.abort()
      client.close()
      return []
    },
  }
}

/** A container to which an attempt writes. `own`: with which the ids of its blocks begin. */
type Blobs = { client: AzureClient; own: string; signal: AbortSignal; onSent: Upload['onSent'] }

/** Returns the id of a block; those of a blob must have the same length, in every attempt. */
function idOf({ own }: Blobs, block: number): string {
  return Buffer.from(`${own}-${String(block).padStart(6, '0')}`).toString('base64')
}

/** Sends a file as blocks of a blob, several at once; returns their number. */
async function sendBlocks(blobs: Blobs, { place, bytes }: LocalFile, key: string): Promise<number> {
  const { client, onSent } = blobs
  const failed = new AbortController()
  const signal = AbortSignal.any([blobs.signal, failed.signal])
  const parts = growingParts(place, bytes)
  let blocks = 0
  const sendParts = async () => {
    for await (const { block, start, end } of parts) {
      const open = () =>
        createReadStream(place, { start, end: end - 1, highWaterMark: readBytes }).on('data', (chunk) =>
          onSent(chunk.length),
        )
      const query = { comp: 'block', blockid: idOf(blobs, block) }
      await client.send({ method: 'PUT', key, query, body: { bytes: end - start, open }, signal })
      blocks += 1
    }
  }
  const sending = Array.from({ length: blocksAtOnce }, sendParts)
  await Promise.all(sending).catch(async (error: unknown) => {
    failed.abort()
    await Promise.allSettled(sending)
    throw error
  })
  return blocks
}

/** Replaces a blob with its blocks; returns the ETag. @throws ExportError if it has another size then */
async function putBlockList(blobs: Blobs, key: string, blocks: number, bytes: number): Promise<string> {
  const { client, signal } = blobs
  const ids = Array.from({ length: blocks }, (_, block) => `<Latest>${idOf(blobs, block)}</Latest>`)
  const xml = Buffer.from(`<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.join('')}</BlockList>`)
  const published = await client.send({
    method: 'PUT',
    key,
    query: { comp: 'blocklist' },
    headers: { 'content-type': 'application/xml' },
    body: { bytes: xml.length, open: () => Readable.from([xml]) },
    signal,
    idleMs: completionMsMax,
  })
  const head = await client.send({ method: 'HEAD', key, signal })
  const found = Number(head['content-length'])
  if (found !== bytes) throw incomplete(key, found, bytes)
  return etagOf(published)
}

/** Yields the parts of a file as soon as they are written, and the last one when the size is known. */
async function* growingParts(place: string, bytes: number | Promise<number>) {
  const known = { bytes: typeof bytes === 'number' ? bytes : null }
  const complete = Promise.resolve(bytes).then((size) => void (known.bytes = size))
  complete.catch(() => undefined)
  for (let block = 0, start = 0; known.bytes === null || start < known.bytes;) {
    const written = known.bytes ?? (await stat(place).catch(ignoreMissing))?.size ?? 0
    const full = start + blockBytesMin * (1 + Math.floor(block / blocksOfSize))
    if (written >= full || known.bytes !== null) {
      const end = Math.min(full, written)
      yield { block, start, end }
      ;[block, start] = [block + 1, end]
    } else await Promise.race([complete, setTimeout(pollMs)])
  }
}

/** Returns the ETag of a response without its quotes, as the ledger records it. */
export function etagOf({ etag }: IncomingHttpHeaders): string {
  return `etag:${etag?.replaceAll('"', '') ?? ''}`
}
