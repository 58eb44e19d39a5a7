import type { Duplex } from 'node:stream'

/** What a connection has received for its memory, and how much it may. */
export type Received = { bytes: number; bytesMax: number }

/** Answers to statements are small: the largest list the columns of a table. */
export const answerBytesMax = 8 * 1024 * 1024

/**
 * Makes errors of a socket's listeners destroy it, since they would end the process: drivers of databases parse there what a
 * server sends. Also destroys a socket whose `data` listeners have received too much; who reads otherwise bounds it by reading.
 */
export function guardSocket(socket: Duplex, received: Received): void {
  const emit = socket.emit.bind(socket)
  socket.emit = (event: string | symbol, ...values: unknown[]) => {
    try {
      const [chunk] = values
      if (event === 'data' && Buffer.isBuffer(chunk) && socket.listenerCount('data') > 0) {
        received.bytes += chunk.length
        if (received.bytes > received.bytesMax)
          throw new Error(`The server answered with more than ${received.bytesMax} bytes`)
      }
      return emit(event, ...values)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
      return true
    }
  }
}
