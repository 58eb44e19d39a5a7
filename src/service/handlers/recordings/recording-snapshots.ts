import { Readable } from 'node:stream'
import type { QueryOf } from '../../../contract/endpoints.ts'
import { formatInstant } from '../../../contract/instant.ts'
import { blobKeysMax } from '../../../contract/recordings/recording-rules.ts'
import type { SnapshotSources } from '../../../contract/recordings/snapshot.ts'
import { invalidInput, notFound, type ApiError } from '../../problems/api-error.ts'
import { decompressLines, LostBlock, readBlock } from '../../snapshots/blocks.ts'
import type { Services } from '../../services.ts'
import { blockKeys, listBlocks } from '../../store/recordings/recording-blocks.ts'
import { findPage } from '../../store/recordings/recording-pages.ts'
import { findRecording, type RecordingRow } from '../../store/recordings/session-recordings.ts'
import type { ApiRequest } from '../handler.ts'

type Request = Pick<ApiRequest<'snapshotsOfSessionRecording'>, 'services' | 'recording' | 'query'>
type Query = QueryOf<'snapshotsOfSessionRecording'>

/** Blocks read ahead of the one being sent. */
const blocksAheadMax = 3

export async function snapshotsOfSessionRecording({ services, recording, query }: Request) {
  const range = readRange(query, { withPages: true })
  if (!range) return listSources(services, recording)
  const { first, last } = range
  if (query.source === 'page') {
    if (first !== last) throw invalidInput('Request one page at a time', ['end_blob_key'])
    return readPage(services, recording, first)
  }
  const keys = await blockKeys(services.store, recording.id, first, last)
  if (keys.length <= last - first) throw outOfRange()
  return streamBlocks(services, recording, keys)
}

async function listSources({ store }: Services, recording: RecordingRow): Promise<SnapshotSources> {
  const rows = await listBlocks(store, recording.id)
  return {
    sources: rows.map((row) => ({
      source: 'blob_v2',
      start_timestamp: formatInstant(row.start_time),
      end_timestamp: formatInstant(row.end_time),
      blob_key: String(row.number),
      bytes: row.bytes,
      full_snapshots: row.full_snapshots,
      active_windows: row.active_windows,
      ...(row.page && { page: row.page }),
    })),
  }
}

/**
 * Reads the range of blocks that a query requests, both ends included; null if it requests the list of blocks.
 * @param withPages whether `source=page` is allowed: a link that masks or cuts has no stored pages
 */
export function readRange(query: Query, { withPages = false } = {}): { first: number; last: number } | null {
  const { source, start_blob_key, end_blob_key } = query
  if (source === undefined) return null
  if (source !== 'blob_v2' && (source !== 'page' || !withPages))
    throw invalidInput(`"${source}" is not a valid choice.`, ['source'], { code: 'invalid_choice' })
  const refuse = (detail: string) => invalidInput(detail, [], { attr: null })
  if (!start_blob_key || !end_blob_key) throw refuse('Must provide both start blob key and end blob key')
  if (![start_blob_key, end_blob_key].every((key) => /^[+-]?\d+$/.test(key)))
    throw refuse('Blob keys must be integers')
  const [first, last] = [Number(start_blob_key), Number(end_blob_key)]
  if (last - first >= blobKeysMax) throw refuse(`Cannot request more than ${blobKeysMax} blob keys at once`)
  // The store numbers blocks with 4-byte integers.
  if (first < 0 || last < first || last >= 2 ** 31) throw outOfRange()
  return { first, last }
}

/** Returns the lines of the page at the start of a block; empty if none is stored, so that the player reads the blocks before. */
async function readPage({ store }: Services, { id }: RecordingRow, number: number) {
  const page = await findPage(store, id, number)
  return Readable.from([page ? await decompressLines(page) : Buffer.alloc(0)], { objectMode: false })
}

export function outOfRange(): ApiError {
  return notFound('Block index out of range')
}

/**
 * Streams the lines of blocks. Resolves once the first block is read, so that a deleted recording returns 404. A lost block
 * has no lines; the others are returned.
 */
async function streamBlocks(services: Services, recording: RecordingRow, keys: readonly string[]) {
  const blocks = readInOrder(keys, async (key) => {
    try {
      return await readBlock(services.objects, key)
    } catch (error) {
      if (!(error instanceof LostBlock)) throw error
      const found = await findRecording(services.store, recording.project_id, recording.session_id)
      if (!found) throw notFound('Recording not found')
      services.logger.error({ err: error }, 'failed to read a block of a recording')
      return Buffer.alloc(0)
    }
  })
  const first = await blocks.next()
  return Readable.from(joinLines(first.value ?? Buffer.alloc(0), blocks), { objectMode: false })
}

async function* joinLines(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  let isFirst = first.length === 0
  for await (const block of rest) {
    if (block.length === 0) continue
    yield isFirst ? block : Buffer.concat([newline, block])
    isFirst = false
  }
}

const newline = Buffer.from('\n')

async function* readInOrder(keys: readonly string[], read: (key: string) => Promise<Buffer>) {
  const reading: Promise<Buffer>[] = []
  const start = (key: string) => {
    const block = read(key)
    // A failure is thrown when this block's turn comes, and ignored if the stream has ended by then.
    block.catch(() => undefined)
    reading.push(block)
  }
  for (const key of keys.slice(0, blocksAheadMax)) start(key)
  for (const next of [...keys.slice(blocksAheadMax), ...Array.from({ length: blocksAheadMax }, () => null)]) {
    const block = reading.shift()
    if (!block) return
    yield await block
    if (next !== null) start(next)
  }
}
