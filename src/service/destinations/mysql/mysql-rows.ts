import { Readable } from 'node:stream'
import type { ResultSetHeader, RowDataPacket } from 'mysql2'
import type { RowStream } from '../table-store.ts'
import type { MysqlSession } from './connect-mysql.ts'
import { list } from './mysql-statements.ts'

/** Largest row that is read back, and how many wait for the engine. */
const rowBytesMax = 64 * 1024 * 1024
const rowsWaiting = 4

/** Returns the rows of a short SELECT. */
export async function select(session: MysqlSession, sql: string, values: unknown[] = []) {
  return (await session.promise().query<RowDataPacket[]>(sql, values))[0]
}

/** Loads rows into columns of a table, and returns their number. */
export async function loadRows(
  session: MysqlSession,
  table: string,
  names: readonly string[],
  rows: RowStream,
): Promise<number> {
  let loaded = 0
  await rows(async (chunks) => {
    const source = Readable.from(buffers(chunks), { objectMode: false })
    // mysql2 does not always listen; without a listener, the error would end the process.
    source.on('error', () => undefined)
    const loading = session.promise().query<ResultSetHeader>({
      // The server receives these rows, whatever file it asks for.
      sql: `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table} CHARACTER SET utf8mb4
        FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n' (${list(names)})`,
      infileStreamFactory: () => source,
    })
    // Ends the engine's statement, too, if the server has refused the rows.
    const [result] = await loading.finally(() => source.destroy())
    loaded = result.affectedRows
  })
  const [warning] = await select(session, 'SHOW WARNINGS')
  // LOCAL turns errors about values into warnings, and stores other values.
  if (warning) throw Object.assign(new Error(String(warning['Message'])), { code: 'ER_LOADED_WITH_WARNINGS' })
  return loaded
}

/** Yields the only column of a SELECT: lines, each of which ends with a separator, which becomes its end. */
export function readLines(session: MysqlSession, sql: string, values: unknown[]): AsyncIterable<Uint8Array> {
  const { received } = session
  const query = session.query({ sql, values, rowsAsArray: true, typeCast: false })
  query.once('fields', () => (received.bytesMax = rowBytesMax))
  query.on('result', (_, index) => {
    if (index === 0) received.bytes = 0
  })
  const rows = query.stream({ highWaterMark: rowsWaiting })
  rows.on('error', () => undefined)
  // A lost connection does not end the query of a stream.
  session.on('error', (error) => rows.destroy(error))
  return joined(rows)
}

async function* joined(rows: AsyncIterable<[Buffer | null]>): AsyncGenerator<Uint8Array> {
  let [waiting, bytes]: [Buffer[], number] = [[], 0]
  for await (const [line] of rows) {
    if (!line) throw new Error('A row is longer than the max_allowed_packet of the server')
    line[line.length - 1] = 10
    waiting.push(line)
    bytes += line.length
    if (bytes < 65_536) continue
    yield Buffer.concat(waiting)
    ;[waiting, bytes] = [[], 0]
  }
  yield Buffer.concat(waiting)
}

async function* buffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
