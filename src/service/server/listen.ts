import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { StartupError } from '../startup-error.ts'

const closeLimitMs = 4000
const anyAddress = ['0.0.0.0', '::', '']

/**
 * Starts listening and returns the origin at which a browser on this machine reaches the service.
 * @throws StartupError if the service cannot listen on the address.
 */
export async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = config
  try {
    await server.listen({ host, port })
  } catch (cause) {
    throw new StartupError(explain(cause, host, port), { cause })
  }
  const [address] = server.addresses()
  return originOf(config, typeof address === 'object' ? address.port : port)
}

/** Returns the origin at which a browser on this machine reaches a port of the service. */
export function originOf({ host }: Config, port: number): string {
  const reachable = anyAddress.includes(host) ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Stops accepting requests, finishes those in progress, and disconnects clients after `closeLimitMs`. */
export async function closeServer(server: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => server.server.closeAllConnections(), closeLimitMs)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}

function explain(cause: unknown, host: string, port: number): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program: stop that one, or set SPOOL_PORT to a free port.`
  if (code === 'EACCES')
    return `Port ${port} may not be used by this account: set SPOOL_PORT to a number above 1023.`
  const reason = cause instanceof Error ? cause.message : String(cause)
  return `The service cannot listen on ${host}:${port} (SPOOL_HOST, SPOOL_PORT): ${reason}.`
}
