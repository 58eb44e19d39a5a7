import { connect as connectPlain, isIP, type LookupFunction } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AuditEntry } from '../../contract/audit/audit-entry.ts'
import type { AuditReceiver } from '../../contract/audit/audit-settings.ts'
import type { PrivateDestinations } from '../config.ts'
import type { Hosts } from '../engines/hosts.ts'

type Receiver = Pick<Extract<AuditReceiver, { type: 'syslog' }>, 'host' | 'port' | 'tls'>
type Guard = { hosts: Hosts; privateAddresses: PrivateDestinations; signal: AbortSignal }

/** Facility "log audit" (13) and severity "notice" (5). */
const priority = 13 * 8 + 5

/**
 * Sends entries to a syslog receiver over TCP or TLS (RFC 5424, with the length before each message as in RFC 6587). Resolves
 * when the receiver has closed the connection without an error: the protocol has no other acknowledgement.
 */
export async function sendSyslog(
  { host, port, tls }: Receiver,
  entries: readonly AuditEntry[],
  { hosts, privateAddresses, signal }: Guard,
): Promise<void> {
  const release = await hosts.pin(`tcp://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, privateAddresses)
  try {
    await write(connectionTo({ host, port, tls }, hosts.lookup), entries.map(framed).join(''), signal)
  } finally {
    release()
  }
}

function connectionTo({ host, port, tls }: Receiver, lookup: LookupFunction) {
  if (!tls) return connectPlain({ host, port, lookup })
  return connectTls({ host, port, lookup, ...(isIP(host) === 0 && { servername: host }) })
}

function write(socket: ReturnType<typeof connectionTo>, text: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => socket.destroy(new Error('The receiver did not close the connection in time.'))
  signal.addEventListener('abort', stop, { once: true })
  socket
    .on('error', reject)
    .on('close', (hadError) => {
      signal.removeEventListener('abort', stop)
      if (!hadError) resolve()
    })
    .resume()
    .end(text)
  return promise
}

/** Returns an entry as a syslog message: its action as the message's id, and JSON as the text. */
export function framed(entry: AuditEntry): string {
  const header = `<${priority}>1 ${entry.created_at} - spool - ${entry.action.slice(0, 32)} -`
  const message = `${header} ${JSON.stringify(entry)}`
  return `${Buffer.byteLength(message)} ${message}`
}
