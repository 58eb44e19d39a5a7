import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startCheckingProxy, type CheckingProxy } from './checking-proxy.ts'
import { openHosts } from './hosts.ts'

const hosts = openHosts(async () => [{ address: '127.0.0.1', family: 4 }])
const store = createServer((incoming, response) => {
  const { method, url, rawHeaders } = incoming
  response.setHeader('x-store', 'yes')
  void text(incoming).then((body) => response.end(JSON.stringify({ method, url, rawHeaders, body })))
})
let port: number
let proxy: CheckingProxy

beforeAll(async () => {
  store.listen(0, '127.0.0.1')
  await once(store, 'listening')
  port = (store.address() as AddressInfo).port
  proxy = await startCheckingProxy(hosts)
})
afterAll(async () => {
  await proxy.stop()
  store.close()
})

async function pin(url: string) {
  const release = await hosts.pin(url, 'loopback')
  onTestFinished(release)
}

async function send(url: string, { method = 'GET', headers = {}, body = '' } = {}) {
  const sent = request({ port: new URL(proxy.url).port, host: '127.0.0.1', method, path: url, headers })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

test('forwards a request to a pinned host without changing what its signature covers', async () => {
  await pin(`http://store.test:${port}`)
  const headers = {
    Host: `store.test:${port}`,
    'X-Amz-Date': 'now',
    'Proxy-Connection': 'keep-alive',
    'Content-Length': '4',
  }
  const path = '/b/a%2Fb%20c/../%E4?x=%2f&y'
  const answer = await send(`http://store.test:${port}${path}`, { method: 'PUT', headers, body: 'body' })
  expect([answer.status, answer.headers['x-store']]).toEqual([200, 'yes'])
  const { rawHeaders, ...received } = JSON.parse(answer.text)
  expect(received).toEqual({ method: 'PUT', url: path, body: 'body' })
  expect(rawHeaders).toEqual(expect.arrayContaining(['Host', `store.test:${port}`, 'X-Amz-Date', 'now']))
  expect(rawHeaders).not.toContain('Proxy-Connection')
})

test('refuses a host that is neither pinned nor public, by name or by address', async () => {
  for (const host of ['store.test', '127.0.0.1']) {
    const answer = await send(`http://${host}:${port}/`)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('not on the public internet')])
    expect(await tunnelStatus(`${host}:${port}`)).toMatch(/^HTTP\/1\.1 400 .*not on the public internet/)
  }
})

test('rejects a request without a host', async () => {
  expect((await send('/')).status).toBe(400)
})

test('reports why a pinned host cannot be reached', async () => {
  await pin('http://store.test')
  const answer = await send('http://store.test:1/')
  expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('ECONNREFUSED')])
  expect(await tunnelStatus('store.test:1')).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/)
})

test.each([
  ['001 Odd', 502],
  ['200 OK\r\nTrailer: x\r\nContent-Length: 0', 200],
])('survives an unusual response of a store (%j)', async (start, status) => {
  await pin('http://store.test')
  const odd = createTcpServer((socket) => socket.end(`HTTP/1.1 ${start}\r\n\r\n`))
  odd.listen(0, '127.0.0.1')
  onTestFinished(() => void odd.close())
  await once(odd, 'listening')
  const answer = await send(`http://store.test:${(odd.address() as AddressInfo).port}/`)
  expect(answer.status).toBe(status)
})

test('passes any bytes through a tunnel, and ends it when it stops', async () => {
  await pin('http://store.test')
  const other = await startCheckingProxy(hosts)
  const socket = connect(Number(new URL(other.url).port), '127.0.0.1')
  socket.write(`CONNECT store.test:${port} HTTP/1.1\r\nHost: store.test\r\n\r\n`)
  expect(await nextText(socket)).toMatch(/^HTTP\/1\.1 200 /)
  socket.write('GET /inside HTTP/1.1\r\nHost: store.test\r\n\r\n')
  expect(await nextText(socket)).toContain('/inside')
  const closed = once(socket, 'close')
  await other.stop()
  await closed
})

async function tunnelStatus(authority: string): Promise<string> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  const status = await nextText(socket)
  socket.destroy()
  return status
}

async function nextText(socket: ReturnType<typeof connect>): Promise<string> {
  const [part] = (await once(socket, 'data')) as [Buffer]
  return part.toString()
}
