import type { Readable } from 'node:stream'

/** Returns a body, or its start and at least one byte more if it is longer than `bytesMax`; the connection is then closed. */
export async function startOf(body: Readable, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size > bytesMax) break
    }
  } finally {
    body.destroy()
  }
  return Buffer.concat(parts)
}

/** Returns the text of a body. @throws Error if it is longer than `bytesMax` */
export async function textOf(body: Readable, bytesMax: number): Promise<string> {
  const start = await startOf(body, bytesMax)
  if (start.length > bytesMax) throw new Error(`The response is longer than ${bytesMax / 1024 ** 2} MB.`)
  return start.toString()
}
