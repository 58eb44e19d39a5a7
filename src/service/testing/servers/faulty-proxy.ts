import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '../../engines/loopback.ts'

/**
 * Starts a proxy of a TCP server on loopback. Once a connection has sent `bytes`, it is cut, or the proxy stops reading from it.
 */
export async function startFaultyProxy(port: number, fault: 'cut' | 'hang', bytes: number) {
  const sockets = new Set<Socket>()
  const happened = Promise.withResolvers<void>()
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server])
      sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)))
    let sent = 0
    client.on('data', (chunk) => {
      sent += chunk.length
      if (sent < bytes) return void server.write(chunk)
      client.pause()
      if (fault === 'cut') for (const socket of [client, server]) socket.destroy()
      happened.resolve()
    })
    client.on('close', () => server.destroy())
    server.pipe(client)
  })
  return {
    port: await listenOnLoopback(proxy),
    /** Resolves when a connection was cut or hangs. */
    happened: happened.promise,
    stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
