import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib'
import { ExportError } from '../../problems/export-error.ts'
import { selectPart, type FileContent } from '../file-content.ts'
import type { StagedFile, StreamStatement } from '../file-store.ts'
import { openNames, type LocalFiles } from './engine-files.ts'

/** The engine's own level, which compresses fast. */
const level = 3
const newline = 0x0a

const compressors: Record<string, () => Transform> = {
  none: () => new PassThrough(),
  gzip: () => createGzip({ level }),
  brotli: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } }),
}

/** Opens files in a local folder whose rows come from an engine on another machine; the service compresses them. */
export async function openStreamedFiles(
  folder: string,
  runId: string,
  stream: StreamStatement,
): Promise<LocalFiles> {
  const { temporaryName, close } = await openNames(folder, runId)
  const write = async (
    key: string,
    temporary: string,
    content: FileContent,
    sql: string,
  ): Promise<StagedFile> => {
    const compressor = compressors[content.compression]
    if (!compressor) throw new Error(`unknown compression ${content.compression}`)
    const isLines = content.format === 'LineAsString'
    const lines = counted(isLines)
    const file = counted(false)
    const options = {
      params: content.params,
      settings: content.settings,
      format: isLines ? 'LineAsString' : 'Parquet',
    } as const
    await stream(sql, options, (chunks) =>
      pipeline(
        chunks,
        lines.stream,
        compressor(),
        file.stream,
        createWriteStream(temporary, { mode: 0o600 }),
      ),
    )
    if (!isLines) await assertParquet(key, temporary, file.bytes())
    return {
      key,
      temporary,
      bytes: file.bytes(),
      rows: isLines ? lines.lines() : null,
      checksum: file.checksum(),
    }
  }
  return {
    temporaryName,
    close,
    async stageWhole(keyOf, part, { settled }) {
      // Rows written ahead would be sent over the network in vain.
      const content = await settled
      if (content === null) return null
      return await write(keyOf(part), temporaryName('whole'), content, content.select)
    },
    async stageParts(keyOf, parts, content) {
      const files: StagedFile[] = []
      for (let part = parts.first; part < parts.end; part += 1) {
        const temporary = temporaryName(`${parts.count}-${part}`)
        const file = await write(keyOf(part), temporary, content, selectPart(content, parts, part))
        if (file.rows !== 0) files.push(file)
      }
      return files
    },
  }
}

/** Passes bytes on, and counts and hashes them. */
function counted(countsLines: boolean) {
  const hash = createHash('sha256')
  let [bytes, lines] = [0, 0]
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (countsLines)
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines += 1
      else hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, bytes: () => bytes, lines: () => lines, checksum: () => `sha256:${hash.digest('hex')}` }
}

/** @throws ExportError for a file that does not end as Parquet does: the engine failed after it had begun. */
async function assertParquet(key: string, place: string, bytes: number): Promise<void> {
  const file = await open(place)
  const end = Buffer.alloc(4)
  await file.read(end, 0, 4, Math.max(0, bytes - 4)).finally(() => file.close())
  if (end.toString('latin1') !== 'PAR1')
    throw new ExportError(`The engine stopped within the file ${key}: see the log of ClickHouse.`, false)
}
