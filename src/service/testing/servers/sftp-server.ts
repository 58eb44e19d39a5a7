import { createHash } from 'node:crypto'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import ssh2 from 'ssh2'
import { scriptOf } from '../../../../.ci/debian-package.ts'
import { freePort } from '../../engines/loopback.ts'
import { startProgram } from './test-program.ts'

export type SftpTestServer = Awaited<ReturnType<typeof startSftpServer>>

const nobody = 65_534
const isRoot = process.getuid?.() === 0
const installed = '/usr/sbin/sshd'
const unpacked = join(dirname(scriptOf('sshd')), 'root/usr')

/** Why no OpenSSH server can be started here; null if one can. */
export const sftpUnavailable =
  existsSync(installed) || existsSync(unpacked)
    ? null
    : 'there is no OpenSSH server: run node .ci/install-servers.ts'

/**
 * Starts Debian's OpenSSH server on loopback, with keys and a folder of its own. Root starts it as `nobody`, as which the only
 * user signs in.
 * @param refused requests of SFTP that it does not support
 */
export async function startSftpServer({ refused = [] }: { refused?: readonly string[] } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'spool-sftp-'))
  const files = join(root, 'files')
  await mkdir(files)
  const keys = generateKeys()
  const port = await freePort()
  const written = {
    'key-ed25519': keys.ed25519.private,
    'key-rsa': keys.rsa.private,
    authorized: `${keys.user.public}\n${keys.protectedUser.public}\n`,
    config: configOf(root, port, refused),
  }
  for (const [file, content] of Object.entries(written))
    await writeFile(join(root, file), content, { mode: 0o600 })
  const { path, env } = await programFor(root)
  if (isRoot) await giveToNobody([root, files, ...Object.keys(written).map((file) => join(root, file))])
  const server = await startProgram({
    path,
    options: ['-D', '-e', '-f', join(root, 'config')],
    readyLine: 'Server listening',
    spawned: { ...(isRoot && { uid: nobody, gid: nobody }), env: { ...process.env, ...env } },
  })
  const fingerprints = {
    ed25519: fingerprintOf(keys.ed25519.public),
    rsa: fingerprintOf(keys.rsa.public),
  }
  return {
    /** The folder in which a user begins. */
    files,
    config: {
      host: '127.0.0.1',
      port,
      user: isRoot ? 'nobody' : userInfo().username,
      host_key_fingerprint: fingerprints.ed25519,
    },
    fingerprints,
    fingerprintOf,
    privateKey: keys.user.private,
    publicKey: keys.user.public,
    /** Needs the passphrase `a passphrase`. */
    protectedKey: keys.protectedUser.private,
    /** Returns what the server has printed. */
    printed: () => server.lines.join('\n'),
    limitFiles: server.limitFiles,
    async stop() {
      await server.stop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Returns pairs of keys: two of the server, and two of its user. */
function generateKeys() {
  const locked = { passphrase: 'a passphrase', cipher: 'aes256-cbc', rounds: 1 }
  return {
    ed25519: generateKey(),
    rsa: ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }),
    user: generateKey(),
    protectedUser: generateKey(locked),
  }
}

/** Returns a key pair of ED25519; of some that the library makes, it cannot read the private key itself. */
export function generateKey(locked?: { passphrase: string; cipher: string; rounds: number }) {
  for (;;) {
    const pair = locked
      ? ssh2.utils.generateKeyPairSync('ed25519', locked)
      : ssh2.utils.generateKeyPairSync('ed25519')
    if (!(ssh2.utils.parseKey(pair.private, locked?.passphrase) instanceof Error)) return pair
  }
}

/** Returns the configuration of a server whose files are in `root`. */
function configOf(root: string, port: number, refused: readonly string[]): string {
  const only = refused.length > 0 ? ` -P ${refused.join(',')}` : ''
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${root}/key-ed25519`,
    `HostKey ${root}/key-rsa`,
    `AuthorizedKeysFile ${root}/authorized`,
    'StrictModes no',
    'UsePAM yes',
    'PidFile none',
    'MaxStartups 100',
    'Subsystem sftp internal-sftp',
    `ForceCommand internal-sftp -d ${root}/files${only}`,
  ].join('\n')
}

/** Makes `nobody` the owner of paths, the first of which contains the others and has to be reached. */
async function giveToNobody(paths: readonly string[]): Promise<void> {
  const parent = dirname(paths[0] ?? '')
  const { mode } = await stat(parent)
  if ((mode & 1) === 0) await chmod(parent, 0o711)
  for (const path of paths) await chown(path, nobody, nobody)
}

/** Copies an unpacked server to a folder that `nobody` can read. */
async function programFor(root: string) {
  if (existsSync(installed)) return { path: installed, env: {} }
  for (const folder of ['sbin', 'lib'])
    await cp(join(unpacked, folder), join(root, folder), { recursive: true })
  const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((folder) => join(root, 'lib', folder))
  return { path: join(root, 'sbin/sshd'), env: { LD_LIBRARY_PATH: libraries.join(':') } }
}

function fingerprintOf(publicKey: string): string {
  const [, key = ''] = publicKey.split(' ')
  return `SHA256:${createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '')}`
}
