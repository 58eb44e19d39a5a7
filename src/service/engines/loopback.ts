import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listens on a free port of 127.0.0.1; resolves to the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  return address.port
}

/** Returns a port of loopback on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  server.close()
  await once(server, 'close')
  return port
}
