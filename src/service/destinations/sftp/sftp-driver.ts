import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { SftpConfig } from '../../../contract/destinations/sftp.ts'
import { urlOfHost } from '../../../contract/integrations/server.ts'
import { fileChecksum } from '../checksum.ts'
import { layoutOf, type DestinationDriver, type Io, type Steps, type Trial } from '../destination-driver.ts'
import { lasting, passing, unreachable } from '../explain-error.ts'
import type { ObjectReader } from '../file-store.ts'
import { reachSteps } from '../reach-steps.ts'
import { openUploads } from '../uploads/open-uploads.ts'
import { readByEngine, withDownloaded } from '../uploads/read-upload.ts'
import type { CountBytes } from '../uploads/received-bytes.ts'
import { openServerFiles } from './sftp-files.ts'
import { codeOf, ignoreMissing, stat } from './sftp-operations.ts'
import { connectSftp, type SftpServer, type SftpSession } from './sftp-session.ts'

/** The complete config. */
const CompleteConfig = z.object({
  ...SftpConfig.shape,
  host: z.string(),
  port: z.int().default(22),
  user: z.string(),
  host_key_fingerprint: z.string(),
  password: z.string().nullable().optional(),
  private_key: z.string().nullable().optional(),
  private_key_passphrase: z.string().nullable().optional(),
})

export const sftpDriver: DestinationDriver = {
  storeKey: (text) => `sftp://${text('host').toLowerCase()}`,
  open(given) {
    const config = CompleteConfig.parse(given)
    const { path, host, port, password, private_key, private_key_passphrase } = config
    // Keys do not begin with a slash; without one, paths are relative to the user's start folder.
    const place = (key: string) => (path.startsWith('/') ? `/${key}` : key)
    const secrets = [password, private_key, private_key_passphrase].map((secret) => secret ?? '')
    return {
      holds: 'files',
      ...layoutOf(config),
      prefix: path,
      url: () => `${urlOfHost(host, port)}/`,
      explained: { rules, secrets, endpoint: `sftp://${new URL(urlOfHost(host, port)).host}` },
      steps: (trial) => trialSteps(config, place, trial),
      openStore: (io, attempt, writing) =>
        openUploads(io, attempt, writing, async () => {
          const session = await connectSftp(config, io.hosts.lookup, writing.upload.signal)
          return openServerFiles(session, place, attempt, writing.upload)
        }),
      isRefusal: (error) =>
        codeOf(error) !== undefined ||
        (error instanceof Error && 'level' in error && error.level === 'client-authentication'),
      openReader: async (io) => readServer(config, place, io),
    }
  },
}

function trialSteps(server: SftpServer, place: (key: string) => string, trial: Trial): Steps {
  let session: SftpSession | null = null
  return {
    ...reachSteps(trial, urlOfHost(server.host, server.port), server),
    async Credentials() {
      session = await connectSftp(server, trial.hosts.lookup, trial.signal)
      trial.atEnd(session.close)
      return `The host key is the expected one, and the server accepts the user ${server.user}.`
    },
    async Folder() {
      const path = place(trial.key).replace(/\/?[^/]*$/, '') || '.'
      const found = session && (await stat(session, path).catch(ignoreMissing))
      return found ? `The folder ${path} exists.` : `The folder ${path} will be made.`
    },
  }
}

/** Opens a reader of the files of a server whose host is pinned; it connects when it is used. */
function readServer(server: SftpServer, place: (key: string) => string, io: Io): ObjectReader {
  const closed = new AbortController()
  let connecting: Promise<SftpSession> | null = null
  const connect = (signal: AbortSignal) =>
    (connecting ??= connectSftp(server, io.hosts.lookup, AbortSignal.any([signal, closed.signal])))
  const sizeOf = async (session: SftpSession, key: string) =>
    (await stat(session, place(key)).catch(ignoreMissing))?.size ?? null
  const fileOf = ({ sftp, call }: SftpSession, key: string, bytes: number) => ({
    bytes,
    async download(local: string, count: CountBytes) {
      // The library would ask for the size of an empty file again.
      if (bytes === 0) return await writeFile(local, '', { mode: 0o600 })
      const failed = Promise.withResolvers<never>()
      const moving = call<void>((done, moved) => {
        const step = (_total: number, received: number) => {
          moved()
          // The library would read beyond the end again and again.
          if (received === 0) failed.reject(new Error('The file became shorter while it was read.'))
          count(received).catch(failed.reject)
        }
        // Reads in parallel, unlike a stream.
        sftp.fastGet(place(key), local, { step, fileSize: bytes }, (error) => done(error, undefined))
      })
      await Promise.race([moving, failed.promise])
    },
  })
  return {
    async find({ key, bytes }, signal) {
      const session = await connect(signal)
      const size = await sizeOf(session, key)
      if (size === null) return null
      const sha256 =
        size === bytes ? await withDownloaded(io, fileOf(session, key, size), fileChecksum) : null
      return { bytes: size, checksum: sha256 ?? '', sha256 }
    },
    async read(key, read) {
      const session = await connect(closed.signal)
      const bytes = (await sizeOf(session, key)) ?? 0
      return await readByEngine(io, fileOf(session, key, bytes), read)
    },
    close() {
      closed.abort()
      void connecting?.then(({ close }) => close()).catch(() => undefined)
    },
  }
}

/** Meanings of an SSH server's errors, in order of precedence. */
const rules = [
  lasting(
    /client-authentication|All configured authentication methods failed/,
    'The server {endpoint} does not accept the user and the password or key: check them in the connection, and that the server allows this way to sign in.',
  ),
  lasting(
    /passphrase|integrity check failed/i,
    'The private key cannot be read: enter its passphrase in the connection.',
  ),
  lasting(
    /Cannot parse privateKey|Unsupported key format/,
    'The private key cannot be read: enter it whole, in the format of OpenSSH or PEM, in the connection.',
  ),
  lasting(
    /Handshake failed|no matching/i,
    'The server {endpoint} and the service have no method of encryption in common: update the server.',
  ),
  lasting(
    /Permission denied|\b3 Permission/i,
    "The user may not write to the folder: give the user write access, or change the destination's path.",
  ),
  lasting(
    /subsystem|Unable to start/i,
    'The server {endpoint} does not offer SFTP to the user: enable the subsystem "sftp" there.',
  ),
  lasting(
    /Unsupported|not support|OP_UNSUPPORTED/i,
    'The server {endpoint} lacks an operation that an export needs: make folders, write, rename, list and remove.',
  ),
  passing(/No such file/i, 'A file or folder was missing: another client may have removed it.'),
  passing(/quota/i, 'The disk of {endpoint} is full: free some space, or raise the quota of the user.'),
  passing(
    /\bFailure\b/,
    'The server {endpoint} could not complete the write, most often because its disk or the quota of the user is full, or because a folder has the name of the file: check both.',
  ),
  passing(
    /Timed out while waiting for handshake|Protocol|Expected SSH|identification|Invalid identification/i,
    '{endpoint} did not respond as an SSH server does: check the host and the port in the connection.',
  ),
  ...unreachable('the connection', 'the host and the port in the connection, and that the server is running'),
]
