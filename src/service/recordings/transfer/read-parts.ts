import type { Objects } from '../../engines/objects/objects.ts'
import { depthMax, depthOf } from '../../capture/read-body.ts'
import { newId } from '../../store/schema/identifier.ts'
import { blockFolder, blockSizeMax, writeBlock } from '../../snapshots/blocks.ts'
import {
  fileLimits,
  FilePart,
  type AssetPart,
  type EventPart,
  type Header,
  type NotePart,
} from './file-parts.ts'
import { importedBlock, type ImportedBlock } from './imported-block.ts'
import { readLines, TooLargeFile } from './read-file.ts'
import { DamagedFile } from './seal.ts'

type StoredBlock = Omit<ImportedBlock, 'consoleEntries' | 'failedRequests'> & {
  object_key: string
  bytes: number
}

/** A file that has been read completely. Its blocks are stored, but no row names them yet. */
export type ReadParts = {
  header: Header
  sessionId: string
  blocks: readonly StoredBlock[]
  consoleEntries: readonly string[]
  failedRequests: readonly string[]
  events: readonly EventPart[]
  assets: readonly AssetPart[]
  notes: readonly NotePart[]
  summary: Extract<FilePart, { part: 'summary' }> | null
}

type Options = {
  objects: Objects
  projectId: number
  now: number
  /** Returns the session id for the recording of the header. */
  begin: (header: Header) => Promise<string>
  /** Receives the key of each block before it is stored. */
  onBlock: (key: string) => void
}

/** Reads a recording's file and stores its blocks, one at a time. @throws DamagedFile, TooLargeFile, the error of `begin`. */
export async function readParts(body: AsyncIterable<Buffer>, options: Options): Promise<ReadParts> {
  const { objects, projectId, now } = options
  const lines = readLines(body, { ...fileLimits, line: blockSizeMax })
  const { value: first } = await lines.next()
  const header = readPart(first ?? '')
  if (header.part !== 'recording') throw new DamagedFile('it does not start with a recording')
  const sessionId = await options.begin(header)
  const visitor = { distinctId: header.distinct_id, source: header.snapshot_source }
  const blocks: StoredBlock[] = []
  const consoleEntries: string[] = []
  const failedRequests = new Set<string>()
  const events: EventPart[] = []
  const assets = new Map<string, AssetPart>()
  const notes: NotePart[] = []
  let summary: ReadParts['summary'] = null
  /** Lines of the block that is being read. */
  let open: string[] | null = null
  let openBytes = 0
  let held = 0
  const hold = (length: number) => {
    held += length
    if (held > fileLimits.held) throw new TooLargeFile('its events, files and console messages are too large')
  }

  const closeBlock = async (): Promise<void> => {
    if (!open) return
    const read = importedBlock(open, { project_id: projectId, session_id: sessionId }, visitor)
    const { consoleEntries: entries, failedRequests: requests, ...block } = read
    for (const entry of entries) consoleEntries.push(entry)
    for (const request of requests) failedRequests.add(request)
    hold(entries.reduce((sum, entry) => sum + entry.length, 0))
    const object_key = `${blockFolder(projectId, sessionId)}${newId(now)}`
    options.onBlock(object_key)
    const text = open.join('\n')
    await writeBlock(objects, object_key, text)
    blocks.push({ ...block, object_key, bytes: Buffer.byteLength(text) })
    open = null
    openBytes = 0
  }

  for await (const line of lines) {
    if (line.startsWith('[')) {
      if (!open) throw new DamagedFile('a snapshot is outside of a block')
      openBytes += Buffer.byteLength(line) + 1
      if (openBytes > blockSizeMax) throw new TooLargeFile('a block is too large')
      open.push(line)
      continue
    }
    await closeBlock()
    const part = readPart(line)
    if (part.part === 'recording') throw new DamagedFile('it contains several recordings')
    if (part.part === 'block') open = []
    else hold(line.length)
    if (part.part === 'event') events.push(part)
    if (part.part === 'asset') assets.set(part.url, part)
    if (part.part === 'summary') summary = part
    if (part.part === 'note') notes.push(part)
    assertCount('blocks', blocks.length)
    assertCount('events', events.length)
    assertCount('assets', assets.size)
    assertCount('notes', notes.length)
  }
  await closeBlock()
  if (blocks.length === 0) throw new DamagedFile('it has no snapshots')
  return {
    header,
    sessionId,
    blocks,
    consoleEntries,
    failedRequests: [...failedRequests],
    events,
    assets: [...assets.values()],
    notes,
    summary,
  }
}

function assertCount(name: 'blocks' | 'events' | 'assets' | 'notes', count: number): void {
  if (count > fileLimits[name]) throw new TooLargeFile(`it has more than ${fileLimits[name]} ${name}`)
}

function readPart(line: string): FilePart {
  if (line.length > fileLimits.part) throw new TooLargeFile('a line is too long')
  if (depthOf(line) > depthMax) throw new DamagedFile('a line is nested too deeply')
  const { data, error } = FilePart.safeParse(parse(line))
  if (error) throw new DamagedFile(error.issues[0]?.message ?? 'a line is not valid', { cause: error })
  return data
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new DamagedFile('one of its lines is not JSON', { cause })
  }
}
