import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { azureKeyProblem } from '../../../contract/destinations/azure-blob.ts'
import { ExportError } from '../../problems/export-error.ts'
import { incomplete } from '../incomplete-object.ts'
import type { Upload } from '../file-store.ts'
import type { RemoteFiles } from '../uploads/remote-files.ts'
import { nullWhenMissing, type AzureClient, type AzureRequest } from './azure-client.ts'

/** Bytes of a block; a larger file has as many blocks as a blob can, and larger ones. */
const blockBytesMin = 8 * 1024 ** 2
const blocksMax = 50_000
const blocksAtOnce = 4
/** Time (ms) for completing a blob. */
const completionMsMax = 60_000

/**
 * Opens the blobs of a container for writing. The blocks of a blob are invisible until a list of them replaces it at once;
 * Azure removes those that no list names after a week.
 */
export function openBlobs(client: AzureClient, { signal, onSent }: Upload): RemoteFiles {
  // The ids of a blob's blocks must have the same length, in every attempt.
  const own = randomBytes(9).toString('hex')
  const idOf = (block: number) => Buffer.from(`${own}-${String(block).padStart(6, '0')}`).toString('base64')

  const putBlock = async (
    key: string,
    block: number,
    body: NonNullable<AzureRequest['body']>,
    stopped: AbortSignal,
  ) => {
    const query = { comp: 'block', blockid: idOf(block) }
    await client.send({ method: 'PUT', key, query, body, signal: stopped })
  }
  /** Replaces the blob with its blocks; returns the ETag. */
  const putBlockList = async (key: string, blocks: number, bytes: number): Promise<string> => {
    const ids = Array.from({ length: blocks }, (_, block) => `<Latest>${idOf(block)}</Latest>`)
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

  return {
    assertKey(key) {
      const problem = azureKeyProblem(key)
      if (problem !== null)
        throw new ExportError(
          `The blob name "${key.slice(0, 200)}" is not valid (${problem}): change the destination's prefix.`,
          true,
        )
    },
    async send({ place, bytes }, key) {
      const size = Math.max(blockBytesMin, Math.ceil(bytes / blocksMax))
      const blocks = Math.ceil(bytes / size)
      const failed = new AbortController()
      const stopped = AbortSignal.any([signal, failed.signal])
      const waiting = Array.from({ length: blocks }, (_, block) => block).values()
      const sendWaiting = async () => {
        for (const block of waiting) {
          const [start, end] = [block * size, Math.min((block + 1) * size, bytes)]
          const open = () =>
            createReadStream(place, { start, end: end - 1 }).on('data', (chunk) => onSent(chunk.length))
          await putBlock(key, block, { bytes: end - start, open }, stopped)
        }
      }
      const sending = Array.from({ length: Math.min(blocksAtOnce, blocks) }, sendWaiting)
      await Promise.all(sending).catch(async (error: unknown) => {
        failed.abort()
        await Promise.allSettled(sending)
        throw error
      })
      return { publish: () => putBlockList(key, blocks, bytes) }
    },
    async readText(key) {
      const response = await client.open({ method: 'GET', key, signal }).catch(nullWhenMissing)
      return response && (await textOf(response))
    },
    async remove(key) {
      await client.send({ method: 'DELETE', key, signal }).catch(nullWhenMissing)
    },
    async close() {
      client.close()
      return []
    },
  }
}

/** Returns the ETag of a response without its quotes, as the ledger records it. */
export function etagOf({ etag }: IncomingHttpHeaders): string {
  return `etag:${etag?.replaceAll('"', '') ?? ''}`
}
