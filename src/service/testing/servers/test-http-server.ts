import { createServer, type RequestListener } from 'node:http'
import { listenOnLoopback } from '../../engines/loopback.ts'

/** Starts an HTTP server on loopback. */
export async function startHttpServer(listener: RequestListener) {
  const server = createServer(listener)
  server.requestTimeout = 0
  const port = await listenOnLoopback(server)
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    closeConnections: () => server.closeAllConnections(),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
