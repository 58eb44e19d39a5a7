import { createHash } from 'node:crypto'

/** A skippable frame of zstd, which decompressors ignore: its content is the SHA-256 of all bytes before it. */
const frameStart = Buffer.from('502a4d1820000000', 'hex')
const sealLength = frameStart.length + 32

/** The file has been changed or cut. */
export class DamagedFile extends Error {}

/** Appends a seal, by which a reader notices every change of the file. */
export async function* withSeal(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([frameStart, hash.digest()])
}

/** Passes a sealed file's bytes on, without the seal. @throws DamagedFile at the end. */
export async function* withoutSeal(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const joined = Buffer.concat([rest, chunk])
    const end = Math.max(0, joined.length - sealLength)
    const passed = joined.subarray(0, end)
    rest = joined.subarray(end)
    hash.update(passed)
    if (passed.length > 0) yield passed
  }
  if (!rest.equals(Buffer.concat([frameStart, hash.digest()]))) throw new DamagedFile('its checksum differs')
}
