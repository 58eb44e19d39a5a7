import { createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openHosts } from '../../engines/hosts.ts'
import { listenOnLoopback } from '../../engines/loopback.ts'
import { connectClickhouse } from './clickhouse-http.ts'

const { signal } = new AbortController()

/** Returns how to connect to a server without TLS that answers each statement with `answer`. */
async function plainServer(answer: (socket: Socket) => void, addresses = ['127.0.0.1']) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    const isTls = (data: Buffer) => data[0] === 0x16
    socket.once('data', (data) =>
      isTls(data) ? socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') : answer(socket),
    )
  })
  const port = await listenOnLoopback(server)
  const hosts = openHosts(async () => addresses.map((address) => ({ address, family: 4 })))
  const release = await hosts.pin(`http://database.test:${port}`, 'loopback')
  onTestFinished(() => {
    release()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = { host: 'database.test', port, database: 'd', user: 'u', password: 'p', verify: true }
  return () => connectClickhouse({ hosts }, address, signal)
}

/** Answers with a body that never ends; returns the bytes that were read. */
function endless(head: string) {
  let sent = 0
  const chunk = Buffer.alloc(65_536, 'x')
  const body = async function* () {
    yield `${head}\r\n\r\n`
    for (;;) {
      sent += chunk.length
      yield chunk
    }
  }
  return { answer: (socket: Socket) => pipeline(body(), socket, () => undefined), sent: () => sent }
}

test('a server that switches to another protocol ends the statement', async () => {
  const connect = await plainServer((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
  })
  const http = await connect()
  expect(http.isSecure).toBe(false)
  await expect(http.command('SELECT 1')).rejects.toMatchObject({ code: 'REMOTE_HTTP_101' })
})

test('only the start of an endless refusal is read', async () => {
  const { answer, sent } = endless('HTTP/1.1 500 Error')
  const http = await (await plainServer(answer))()
  await expect(http.command('SELECT 1')).rejects.toMatchObject({
    code: 'REMOTE_HTTP_500',
    message: 'x'.repeat(2000),
  })
  expect(sent()).toBeLessThan(20_000_000)
})

test('an endless answer to a query is an error', async () => {
  const { answer, sent } = endless('HTTP/1.1 200 OK')
  await expect((await plainServer(answer))()).rejects.toThrow('The response is longer than 16 MB.')
  expect(sent()).toBeLessThan(40_000_000)
})

test('a host that also has an address elsewhere must have TLS', async () => {
  let statements = 0
  const connect = await plainServer(
    (socket) => {
      statements += 1
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    },
    ['127.0.0.1', '1.1.1.1'],
  )
  await expect(connect()).rejects.toThrow(/wrong version number/)
  expect(statements).toBe(0)
})
