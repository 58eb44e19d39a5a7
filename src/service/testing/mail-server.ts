import { createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../engines/loopback.ts'

type ReceivedMail = {
  recipients: string[]
  content: string
  /** The content with its quoted-printable parts decoded. */
  text: string
}

/**
 * Starts an SMTP server on loopback that accepts every message, except to addresses of `refused.example`. While `hangs`, it
 * accepts connections and says nothing.
 */
export async function startMailServer() {
  const received: ReceivedMail[] = []
  const state = { hangs: false, connections: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    let mail = { recipients: [] as string[], content: '' }
    let inData = false
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    state.connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (state.hangs) return
    say('220 test')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (inData && line !== '.') mail.content += `${line}\n`
        else if (inData) {
          received.push({ ...mail, text: decoded(mail.content) })
          mail = { recipients: [], content: '' }
          inData = false
          say('250 kept as 7')
        } else if (/^RCPT TO:.*@refused\.example/i.test(line)) say('550 There is no such mailbox')
        else if (/^RCPT TO:/i.test(line)) {
          mail.recipients.push(/<(.*)>/.exec(line)?.[1] ?? '')
          say('250 ok')
        } else if (/^DATA/i.test(line)) {
          inData = true
          say('354 go')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else say('250 ok')
      }
    })
  })
  const port = await listenOnLoopback(server)
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    state,
    stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function decoded(content: string): string {
  return content
    .replaceAll('=\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
