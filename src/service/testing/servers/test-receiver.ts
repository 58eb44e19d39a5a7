import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ReceivedMessage = { path: string; headers: IncomingHttpHeaders; body: string }
export type TestReceiver = Awaited<ReturnType<typeof startReceiver>>

/** Starts a server on loopback that receives alerts. It answers 200 unless `answer` is set. */
export async function startReceiver() {
  const received: ReceivedMessage[] = []
  const state: { answer: (response: ServerResponse, message: ReceivedMessage) => void } = {
    answer: (response) => response.end('ok'),
  }
  const server = createServer((request, response) => {
    const receive = async () => {
      const message = { path: request.url ?? '', headers: request.headers, body: await text(request) }
      received.push(message)
      state.answer(response, message)
    }
    receive().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    received,
    state,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Starts an SMTP server on loopback that accepts every message. */
export async function startMailServer() {
  const received: { recipients: string[]; content: string }[] = []
  const server = createTcpServer((socket) => {
    let mail = { recipients: [] as string[], content: '' }
    let inData = false
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (inData && line !== '.') mail.content += `${line}\n`
        else if (inData) {
          received.push(mail)
          mail = { recipients: [], content: '' }
          inData = false
          say('250 kept as 7')
        } else if (/^RCPT TO:/i.test(line)) {
          mail.recipients.push(/<(.*)>/.exec(line)?.[1] ?? '')
          say('250 ok')
        } else if (/^DATA/i.test(line)) {
          inData = true
          say('354 go')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else say('250 ok')
      }
    })
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, received, stop: () => void server.close() }
}
