import { createHash, timingSafeEqual } from 'node:crypto'
import { connect, type LookupFunction, type Socket } from 'node:net'
import type { ConnectConfig, ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2'
import { ExportError } from '../../problems/export-error.ts'

/** A server, and how the service signs in. */
export type SftpServer = {
  host: string
  port: number
  user: string
  /** `SHA256:` and the hash of the host key in Base64. */
  host_key_fingerprint: string
  password?: string | null | undefined
  private_key?: string | null | undefined
  private_key_passphrase?: string | null | undefined
}

export type SftpSession = Awaited<ReturnType<typeof openSession>>

/** Time (ms) for connecting, and for signing in. */
const connectMsMax = 5000
const signInMsMax = 10_000
/** Time (ms) without a response after which a request has failed: more than the watch of a run allows, which reports it better. */
const idleMsMax = 20_000
/** Time (ms) between signs of life while the engine writes the next file. */
const keepAliveMs = 15_000

/** Kinds of host keys, of which a server may have several; the fingerprint says which is meant. */
const hostKeys: readonly ServerHostKeyAlgorithm[][] = [
  ['ssh-ed25519'],
  ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
  ['rsa-sha2-512', 'rsa-sha2-256'],
]

/**
 * Connects to one of the addresses that `lookup` returns, and signs in once the server has proved that it has the host key of
 * the fingerprint. @throws ExportError if it has another one.
 */
export async function connectSftp(server: SftpServer, lookup: LookupFunction, signal: AbortSignal) {
  const found: string[] = []
  for (const serverHostKey of hostKeys)
    try {
      return await openSession(server, serverHostKey, await openSocket(server, lookup, signal), signal)
    } catch (error) {
      if (error instanceof OtherHostKey) found.push(error.message)
      else if (!/no matching host key/.test(String(error))) throw error
    }
  const keys = found.length === 0 ? 'a host key of an unknown kind' : `the host key ${found.join(' or ')}`
  throw new ExportError(
    `${server.host} has ${keys}, not ${server.host_key_fingerprint}: ask the server's administrator which fingerprint is right, since another server may have answered, and enter that one in the connection.`,
    true,
  )
}

/** The message is the fingerprint that was found. */
class OtherHostKey extends Error {}

/** Opens a connection to a server. */
async function openSocket(
  { host, port }: Pick<SftpServer, 'host' | 'port'>,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Requests are small and wait for their responses.
  const socket = connect({ host, port, lookup, noDelay: true })
  const abort = () => socket.destroy(new Error('The connection was no longer needed.'))
  signal.addEventListener('abort', abort)
  socket.setTimeout(connectMsMax, () => socket.destroy(new Error('connect ETIMEDOUT')))
  socket.once('connect', resolve).on('error', reject)
  await promise.finally(() => signal.removeEventListener('abort', abort))
  return socket.setTimeout(0)
}

async function openSession(
  server: SftpServer,
  serverHostKey: ServerHostKeyAlgorithm[],
  sock: Socket,
  signal: AbortSignal,
) {
  // Loaded on demand, because the library is large.
  const { Client } = await import('ssh2')
  const client = new Client()
  let isOpenSsh = false
  // The server's first line names its software.
  sock.once('data', (bytes: Buffer) => (isOpenSsh = bytes.toString('latin1').startsWith('SSH-2.0-OpenSSH_')))
  const lost = Promise.withResolvers<never>()
  const aborted = Promise.withResolvers<never>()
  for (const { promise } of [lost, aborted]) promise.catch(() => undefined)
  const end = (error: Error) => {
    lost.reject(error)
    client.destroy()
    sock.destroy()
  }
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const close = () => {
    signal.removeEventListener('abort', abort)
    end(new Error('The connection was closed by the service.'))
  }
  client
    .on('error', end)
    .on('close', () => end(new Error('ECONNRESET: the server closed the connection')))
    .on('keyboard-interactive', (_name, _text, _language, prompts, answer) =>
      // Many servers ask for the password in this way only.
      answer(prompts.map(() => server.password ?? '')),
    )

  /** Waits for a request, which fails when the attempt ends, unless it is made `atEnd`, and when `limitMs` pass without a call of `moved`. */
  const call = async <T>(start: Start<T>, { limitMs = idleMsMax, atEnd = false } = {}): Promise<T> => {
    const answer = Promise.withResolvers<T>()
    const timer = setTimeout(
      () => end(new Error(`ETIMEDOUT: the server has not responded for ${limitMs / 1000} seconds`)),
      limitMs,
    )
    try {
      start(
        (error, value) => (error ? answer.reject(error) : answer.resolve(value)),
        () => timer.refresh(),
      )
      const ends = atEnd ? [lost.promise] : [lost.promise, aborted.promise]
      return await Promise.race([...ends, answer.promise])
    } catch (error) {
      // The library's error for requests on a lost connection, whose own error says more.
      if (/No response from server/.test(String(error))) return await lost.promise
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  try {
    signal.throwIfAborted()
    await call<void>((done) => {
      client.once('ready', () => done(null, undefined))
      client.connect({
        ...signInOf(server),
        sock,
        algorithms: { serverHostKey },
        readyTimeout: signInMsMax,
        keepaliveInterval: keepAliveMs,
        hostVerifier(key: Buffer) {
          const found = fingerprintOf(key)
          const isExpected = equal(found, server.host_key_fingerprint.trim().replace(/=+$/, ''))
          if (!isExpected) lost.reject(new OtherHostKey(found))
          return isExpected
        },
      })
    })
    const sftp = await call<SFTPWrapper>((done) => client.sftp(done))
    return { sftp, call, close, isOpenSsh }
  } catch (error) {
    close()
    throw error
  }
}

type Start<T> = (done: (error: Error | null | undefined, value: T) => void, moved: () => void) => void

function signInOf({ user, password, private_key, private_key_passphrase }: SftpServer): ConnectConfig {
  return {
    username: user,
    ...(password && { password, tryKeyboard: true }),
    ...(private_key && { privateKey: private_key }),
    ...(private_key && private_key_passphrase && { passphrase: private_key_passphrase }),
  }
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
