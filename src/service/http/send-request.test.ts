import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openHosts } from '../engines/hosts.ts'
import { sendPinned } from './send-request.ts'

type Then = 'hangs' | 'closes the connection' | 'is given up'

/** Sends a request to a receiver that answers with these bytes. */
async function sendTo(answer: string, then: Then) {
  const giveUp = new AbortController()
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      if (then === 'closes the connection') socket.end(answer)
      else socket.write(answer, () => then === 'is given up' && giveUp.abort())
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await sendPinned(`http://127.0.0.1:${port}/`, {
      hosts: openHosts(),
      privateAddresses: 'loopback',
      body: '{}',
      bytesMax: 100,
      signal: giveUp.signal,
    })
  } finally {
    server.close()
  }
}

test('a receiver that switches protocols fails the request at once', async () => {
  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
  await expect(sendTo(switching, 'hangs')).rejects.toThrow(
    'The receiver switched to another protocol (status 101).',
  )
})

test.each(['', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
  'a receiver that answers %j and closes the connection fails the request',
  async (answer) => {
    await expect(sendTo(answer, 'closes the connection')).rejects.toThrow('socket hang up')
  },
)

test('a receiver that closes the connection within its body fails the request, with its status', async () => {
  const start = 'HTTP/1.1 500 Internal Server Error\r\nContent-Length: 9\r\n\r\nstart'
  await expect(sendTo(start, 'closes the connection')).rejects.toThrow(
    'The receiver closed the connection within its response (status 500).',
  )
})

test.each([
  ['does not end its headers', 'HTTP/1.1 200 OK\r\n'],
  ['does not end its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nstart'],
  ['sends only an informational response', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('a receiver that %s is given up', async (_, answer) => {
  await expect(sendTo(answer, 'is given up')).rejects.toThrow()
})
