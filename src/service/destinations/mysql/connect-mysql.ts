import { Socket } from 'node:net'
import type { Connection, ConnectionOptions } from 'mysql2'
import { urlOfHost } from '../../../contract/integrations/server.ts'
import type { MysqlConnection } from '../../../contract/integrations/mysql.ts'
import { isThisMachine } from '../../engines/allowed-address.ts'
import { hostOf } from '../../engines/hosts.ts'
import type { Io } from '../destination-driver.ts'

/** A server, and the database to use there; "" for none. */
export type MysqlAddress = Omit<MysqlConnection, 'name'> & { database: string }

/** Time (ms) for a connection. */
const connectMs = 10_000

/** Returns the URL of a server, by which its host is pinned. */
export function mysqlUrl({ host, port }: Pick<MysqlAddress, 'host' | 'port'>): string {
  return urlOfHost(host, port)
}

/**
 * Connects to a server whose host is pinned, over TLS. Only a server on this machine may lack TLS: nothing lies between. Aborting
 * the signal destroys the connection. @throws the error of mysql2.
 */
export async function connectMysql(
  { hosts }: Io,
  address: MysqlAddress,
  signal: AbortSignal,
): Promise<Connection> {
  const { createConnection } = await import('mysql2')
  const [first] = await hosts.addressesOf(hostOf(mysqlUrl(address)))
  if (!first) throw new Error(`getaddrinfo ENOTFOUND ${address.host}`)
  const connect = async (options: ConnectionOptions) => {
    signal.throwIfAborted()
    const socket = new Socket({ signal }).connect(address.port, first.address).setKeepAlive(true, 15_000)
    const connection = createConnection({
      stream: socket.setNoDelay(true),
      // The name for which the certificate is checked: the socket is connected to the address.
      host: address.host,
      user: address.user,
      password: address.password,
      connectTimeout: connectMs,
      charset: 'utf8mb4_bin',
      supportBigNumbers: true,
      dateStrings: true,
      database: address.database,
      ...options,
    })
    // The error also reaches the statement in progress; without a listener it would end the process.
    connection.on('error', () => undefined)
    await connection.promise().connect()
    for (const setting of sessionSettings) await connection.promise().query(setting)
    return connection
  }
  try {
    return await connect({ ssl: tlsOptions(address) })
  } catch (error) {
    if (!isWithoutTls(error) || !isThisMachine(first.address)) throw error
    return await connect({})
  }
}

const sessionSettings = [
  `SET SESSION sql_mode = 'STRICT_ALL_TABLES', time_zone = '+00:00', innodb_lock_wait_timeout = 30,
    net_read_timeout = 120, net_write_timeout = 120, wait_timeout = 120`,
  // Otherwise the deletion of a window would lock the gaps in which other windows insert.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
]

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT'
}

function tlsOptions({ ssl_mode, ssl_root_cert }: MysqlAddress) {
  return {
    rejectUnauthorized: ssl_mode !== 'require',
    verifyIdentity: ssl_mode === 'verify-full',
    ...(ssl_root_cert && { ca: ssl_root_cert }),
  }
}
