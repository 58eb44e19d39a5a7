import { Socket } from 'node:net'
import { checkServerIdentity, type TLSSocket } from 'node:tls'
import type { Connection, ConnectionOptions } from 'mysql2'
import { urlOfHost } from '../../../contract/integrations/server.ts'
import type { MysqlConnection } from '../../../contract/integrations/mysql.ts'
import { isThisMachine } from '../../engines/allowed-address.ts'
import { hostOf } from '../../engines/hosts.ts'
import type { Io } from '../destination-driver.ts'
import { answerBytesMax, guardSocket, type Received } from '../guarded-socket.ts'

/** A server, how the service signs in, and the database to use there; "" for none. */
export type MysqlServer = Omit<MysqlConnection, 'name'> & { database: string }

/** A connection, which `destroy` ends without waiting for the server. */
export type MysqlSession = Connection & { received: Received }

/** Time (ms) for a connection. */
const connectMs = 10_000

/** Returns the URL of a server, by which its host is pinned. */
export function mysqlUrl({ host, port }: Pick<MysqlServer, 'host' | 'port'>): string {
  return urlOfHost(host, port)
}

/**
 * Connects to a server whose host is pinned, over TLS. Only a server on this machine may lack TLS: nothing lies between. Aborting
 * the signal destroys the connection. @throws the error of mysql2.
 */
export async function connectMysql(
  { hosts }: Io,
  server: MysqlServer,
  signal: AbortSignal,
): Promise<MysqlSession> {
  const { createConnection } = await import('mysql2')
  const [first] = await hosts.addressesOf(hostOf(mysqlUrl(server)))
  if (!first) throw new Error(`getaddrinfo ENOTFOUND ${server.host}`)
  const connect = async (options: ConnectionOptions) => {
    signal.throwIfAborted()
    const socket = new Socket({ signal }).connect(server.port, first.address).setKeepAlive(true, 15_000)
    const received = { bytes: 0, bytesMax: answerBytesMax }
    guardSocket(socket, received)
    const connection = createConnection({
      stream: socket.setNoDelay(true),
      // The name that TLS asks for: the socket is connected to the address.
      host: server.host,
      user: server.user,
      password: server.password,
      connectTimeout: connectMs,
      charset: 'utf8mb4_bin',
      // Values stay text: mysql2 reads a number of any length for ever, and compiles and keeps code for all names of columns.
      typeCast: (field) => field.string('utf8'),
      disableEval: true,
      database: server.database,
      ...options,
    })
    // The error also reaches the statement in progress; without a listener it would end the process.
    connection.on('error', () => undefined)
    const session = Object.assign(connection, { received, destroy: () => void socket.destroy() })
    guardPackets(session, server)
    try {
      await session.promise().connect()
      for (const setting of sessionSettings) await session.promise().query(setting)
      return session
    } catch (error) {
      session.destroy()
      throw error
    }
  }
  try {
    return await connect({ ssl: tlsOptions(server) })
  } catch (error) {
    if (!isWithoutTls(error) || !isThisMachine(first.address)) throw error
    return await connect({})
  }
}

/** Methods of mysql2's connections. */
type Inner = {
  stream: TLSSocket
  protocolError(message: string, code?: string): void
  startTLS(onSecure: (error?: Error) => void): void
}

/** Makes unexpected packets destroy the connection, and checks the host of the certificate, which mysql2 does for names only. */
function guardPackets(session: MysqlSession, { host, ssl_mode }: MysqlServer): void {
  const inner = session as unknown as Inner
  // Reporting it only, mysql2 would leave the statement without an end.
  inner.protocolError = (message, code = 'PROTOCOL_ERROR') => {
    throw Object.assign(new Error(message), { code })
  }
  // Packets out of order, of which mysql2 logs each.
  session.on('warn', (error: Error) => {
    throw error
  })
  const startTls = inner.startTLS.bind(session)
  inner.startTLS = (onSecure) => {
    startTls((error) => {
      const isChecked = !error && ssl_mode === 'verify-full'
      onSecure(isChecked ? checkServerIdentity(host, inner.stream.getPeerCertificate(true)) : error)
    })
    guardSocket(inner.stream, session.received)
  }
}

const sessionSettings = [
  // Without a place for warnings, none would tell that rows were loaded with other values.
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES', max_error_count = 64, time_zone = '+00:00', innodb_lock_wait_timeout = 30,
    net_read_timeout = 120, net_write_timeout = 120, wait_timeout = 120`,
  // Otherwise the deletion of a window would lock the gaps in which other windows insert.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
]

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT'
}

function tlsOptions({ ssl_mode, ssl_root_cert }: MysqlServer) {
  return {
    rejectUnauthorized: ssl_mode !== 'require',
    ...(ssl_root_cert && { ca: ssl_root_cert }),
  }
}
