import { Socket } from 'node:net'
import { checkServerIdentity, type ConnectionOptions } from 'node:tls'
import { Client } from 'pg'
import { urlOfHost } from '../../../contract/integrations/server.ts'
import { hostOf } from '../../engines/hosts.ts'
import { isThisMachine } from '../../engines/allowed-address.ts'
import type { Io } from '../destination-driver.ts'
import { guardMessages } from './guard-messages.ts'

/** A server, how the service signs in, and the database to use there. `ssl_mode`: as libpq names them. */
export type PostgresServer = {
  host: string
  port: number
  database: string
  user: string
  password: string
  ssl_mode: 'require' | 'verify-ca' | 'verify-full'
  ssl_root_cert: string | null
}

/** Times (ms) for a connection, and for its end. */
const connectMs = 10_000
const endMs = 2000

/** Returns the URL of a server, by which its host is pinned. */
export function postgresUrl({ host, port, database }: PostgresServer): string {
  return `${urlOfHost(host, port)}/${encodeURIComponent(database)}`
}

/**
 * Connects to a server whose host is pinned, over TLS. Only a server on this machine may lack TLS: nothing lies between. Aborting
 * the signal destroys the connection. @throws the error of pg.
 */
export async function connectPostgres(
  { hosts }: Io,
  server: PostgresServer,
  signal: AbortSignal,
  database = server.database,
): Promise<Client> {
  const [first] = await hosts.addressesOf(hostOf(postgresUrl(server)))
  if (!first) throw new Error(`getaddrinfo ENOTFOUND ${server.host}`)
  const connect = async (ssl: ConnectionOptions | false) => {
    signal.throwIfAborted()
    const socket = new Socket()
    const client = new Client({
      stream: () => socket,
      host: first.address,
      port: server.port,
      database,
      user: server.user,
      password: server.password,
      ssl,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      application_name: 'Spool',
      // Values stay text: a server could name types whose texts take for ever to parse.
      types: { getTypeParser: () => String },
      options: sessionSettings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    })
    guardMessages(client.connection)
    // The error also reaches the statement in progress; without a listener it would end the process.
    client.on('error', () => undefined)
    const destroy = () => void socket.destroy()
    signal.addEventListener('abort', destroy)
    client.on('end', () => signal.removeEventListener('abort', destroy))
    try {
      return await client.connect()
    } catch (error) {
      socket.destroy()
      throw error
    }
  }
  try {
    return await connect(tlsOptions(server))
  } catch (error) {
    if (!isWithoutTls(error) || !isThisMachine(first.address)) throw error
    return await connect(false)
  }
}

/** Ends a connection; destroys it if the server does not close it in time. */
export async function endPostgres(client: Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), endMs)
  await client.end().finally(() => clearTimeout(late))
}

const sessionSettings = [
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['lock_timeout', '30s'],
  ['idle_in_transaction_session_timeout', '120s'],
  ['tcp_keepalives_idle', '15'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
] as const

export function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message.includes('does not support SSL')
}

function tlsOptions({ host, ssl_mode, ssl_root_cert }: PostgresServer): ConnectionOptions {
  const verifies = ssl_mode !== 'require'
  return {
    rejectUnauthorized: verifies,
    ...(ssl_root_cert && { ca: ssl_root_cert }),
    ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
    checkServerIdentity: (_, certificate) =>
      ssl_mode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined,
  }
}
