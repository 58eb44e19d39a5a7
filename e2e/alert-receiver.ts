import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const Message = z.object({ id: z.string(), transition: z.string(), title: z.string() })

/** Receives alerts on a port of loopback. */
export async function receiveAlerts() {
  const messages: z.infer<typeof Message>[] = []
  const server: Server = createServer((incoming, response) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      messages.push(Message.parse(JSON.parse(Buffer.concat(parts).toString())))
      response.end('Thank you.')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    /** What each message is about, in the order of arrival. */
    transitions: () => messages.map(({ transition }) => transition),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
