import type { Duplex } from 'node:stream'
import type { Connection } from 'pg'
import { answerBytesMax, guardSocket } from '../guarded-socket.ts'

type Listener = (bytes: Buffer) => void

/** What pg does with the socket, and then with that of TLS. */
type Attaching = { attachListeners(stream: Pick<Duplex, 'on'>): void }

/** Makes malformed messages of a server destroy the connection. */
export function guardMessages(connection: Connection & Partial<Attaching>): void {
  const attach = connection.attachListeners?.bind(connection)
  if (!attach) throw new Error('pg has no attachListeners')
  const received = { bytes: 0, bytesMax: answerBytesMax }
  connection.attachListeners = (stream: Duplex) => {
    guardSocket(stream, received)
    const on = (event: string, listener: Listener) =>
      stream.on(event, event === 'data' ? wholeMessages(listener) : listener)
    attach({ on } as Duplex)
  }
}

const headerBytes = 5

/** Passes on each message alone, so that none is read past its end. @throws Error for a malformed one. */
function wholeMessages(pass: Listener): Listener {
  let waiting: Buffer = Buffer.alloc(0)
  return (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    while (waiting.length >= headerBytes) {
      const size = 1 + waiting.readUInt32BE(1)
      if (size < headerBytes || size > answerBytesMax) throw new Error('The server sent a malformed message')
      if (waiting.length < size) return
      const message = waiting.subarray(0, size)
      waiting = waiting.subarray(size)
      if (!hasEnd(message)) throw new Error('The server sent an error without an end')
      pass(message)
    }
  }
}

/** Whether an error or notice has the end for which pg-protocol looks for ever: the empty field. */
function hasEnd(message: Buffer): boolean {
  const code = String.fromCharCode(message[0] ?? 0)
  if (code !== 'E' && code !== 'N') return true
  const content = message.subarray(headerBytes)
  return content.at(-1) === 0 && (content.length === 1 || content.at(-2) === 0)
}
