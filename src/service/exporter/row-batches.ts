/** Most bytes of a batch; a row that is larger is a batch of its own. */
export const batchBytesMax = 1_000_000

/** `body`: a JSON array of the rows. */
export type RowBatch = { rows: number; body: Buffer }

const newline = 0x0a
const [open, comma, close] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]

/** Cuts a stream of JSON lines into batches, without parsing the rows. The same stream in other chunks gives the same batches. */
export async function* rowBatches(
  chunks: AsyncIterable<Uint8Array>,
  rowsMax: number,
  bytesMax = batchBytesMax,
): AsyncGenerator<RowBatch> {
  let rows: Buffer[] = []
  let bytes = open.length
  /** The beginnings of a row whose end is in a later chunk. */
  let cut: Buffer[] = []
  const take = (): RowBatch => {
    const parts = rows.flatMap((row, index) => [index === 0 ? open : comma, row])
    const batch = { rows: rows.length, body: Buffer.concat([...parts, close]) }
    rows = []
    bytes = open.length
    return batch
  }
  for await (const chunk of chunks) {
    const read = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let end = read.indexOf(newline); end !== -1; end = read.indexOf(newline, start)) {
      const row = Buffer.concat([...cut, read.subarray(start, end)])
      cut = []
      start = end + 1
      if (rows.length > 0 && bytes + row.length + 1 > bytesMax) yield take()
      rows.push(row)
      bytes += row.length + 1
      if (rows.length === rowsMax) yield take()
    }
    // Copied, since the engine may use the chunk's memory again.
    if (start < read.length) cut.push(Buffer.from(read.subarray(start)))
  }
  if (cut.length > 0) throw new Error('The engine ended its rows within a line.')
  if (rows.length > 0) yield take()
}
