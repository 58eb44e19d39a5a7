import { createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../../engines/loopback.ts'

/** Bytes that a hostile server sends once it receives `text`, and whether it then repeats the last of them without an end. */
export type HostileAnswer = { text: string; bytes: readonly Buffer[]; isEndless?: boolean }

/** What a hostile server receives when a client signs in. */
export const signIn = 'sign in'

type Speaks = (send: (text: string, usual: Buffer) => void, socket: Socket) => (data: Buffer) => void

/** Starts a server that acts like a database until it gives this answer. */
async function startServer({ text: trigger, bytes, isEndless }: HostileAnswer, speaks: Speaks) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    const repeat = () => {
      const last = bytes.at(-1) ?? Buffer.alloc(0)
      while (!socket.destroyed && socket.write(last));
    }
    const send = (text: string, usual: Buffer) => {
      const isHit = text.includes(trigger)
      socket.write(isHit ? Buffer.concat(bytes) : usual)
      if (!isHit || !isEndless) return
      socket.on('drain', repeat)
      repeat()
    }
    socket.on('data', speaks(send, socket))
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns a message of PostgreSQL. */
export function postgresMessage(code: string, ...content: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)))
  const head = Buffer.from(`${code}    `)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Starts a PostgreSQL without TLS whose statements do nothing. */
export function startHostilePostgres(answer: HostileAnswer) {
  const done = [postgresMessage('C', 'SELECT 0\0'), postgresMessage('Z', 'I')]
  const schema = ['found', 'creates'].map((name) => `${name}\0${'\0'.repeat(18)}`)
  const schemaRow = postgresMessage('D', '\0\x02\0\0\0\x06public\0\0\0\x01t')
  const hasSchema = [postgresMessage('T', '\0\x02', ...schema), schemaRow]
  return startServer(answer, (send, socket) => {
    let isSignedIn = false
    return (data) => {
      const text = data.toString('latin1')
      if (!isSignedIn && data.length === 8) return void socket.write('N')
      if (!isSignedIn)
        send(signIn, Buffer.concat([postgresMessage('R', '\0\0\0\0'), postgresMessage('Z', 'I')]))
      else if (text.startsWith('Q') || text.endsWith('S\0\0\0\x04'))
        send(text, Buffer.concat(text.includes('to_regnamespace') ? [...hasSchema, ...done] : done))
      isSignedIn = true
    }
  })
}

/** Returns a packet of MySQL. */
export function mysqlPacket(sequence: number, content: Buffer | string): Buffer {
  const body = Buffer.from(content)
  return Buffer.concat([Buffer.from([body.length & 255, body.length >> 8, 0, sequence]), body])
}

/** The packet of a statement that has done nothing. */
export const mysqlOk = Buffer.from([0, 0, 0, 2, 0, 0, 0])

/** Starts a MySQL without TLS whose statements do nothing. */
export function startHostileMysql(answer: HostileAnswer) {
  const greeting = Buffer.concat([
    Buffer.from('\x0a8.0.0\0\x01\0\0\0saltsalt\0'),
    // Capabilities, character set and status.
    Buffer.from([0x00, 0x82, 45, 2, 0, 0x08, 0, 21]),
    Buffer.from(`${'\0'.repeat(10)}saltsaltsalt\0mysql_native_password\0`),
  ])
  return startServer(answer, (send, socket) => {
    socket.write(mysqlPacket(0, greeting))
    let isSignedIn = false
    return (data) => {
      if (!isSignedIn) send(signIn, mysqlPacket(2, mysqlOk))
      else if (data[4] === 3) send(data.toString('latin1'), mysqlPacket(1, mysqlOk))
      isSignedIn = true
    }
  })
}
