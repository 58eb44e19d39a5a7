import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import ssh2 from 'ssh2'
import { scriptOf } from '../../../../.ci/debian-package.ts'
import { freePort } from '../../engines/loopback.ts'

export type SftpTestServer = Awaited<ReturnType<typeof startSftpServer>>

const nobody = 65_534
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
  const keys = {
    ed25519: ssh2.utils.generateKeyPairSync('ed25519'),
    rsa: ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }),
  }
  const user = ssh2.utils.generateKeyPairSync('ed25519')
  const protectedUser = ssh2.utils.generateKeyPairSync('ed25519', {
    passphrase: 'a passphrase',
    cipher: 'aes256-cbc',
    rounds: 1,
  })
  const port = await freePort()
  const name = process.getuid?.() === 0 ? 'nobody' : userInfo().username
  const paths = {
    'key-ed25519': keys.ed25519.private,
    'key-rsa': keys.rsa.private,
    authorized: `${user.public}\n${protectedUser.public}\n`,
    config: [
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
      `ForceCommand internal-sftp -d ${files}${refused.length > 0 ? ` -P ${refused.join(',')}` : ''}`,
    ].join('\n'),
  }
  for (const [file, content] of Object.entries(paths))
    await writeFile(join(root, file), content, { mode: 0o600 })
  const program = await programFor(root)
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    // `nobody` has to reach the folder.
    const parent = dirname(root)
    const { mode } = await stat(parent)
    if ((mode & 1) === 0) await chmod(parent, 0o711)
    for (const path of [root, files, ...Object.keys(paths).map((file) => join(root, file))])
      await chown(path, nobody, nobody)
  }
  const child = spawn(program.path, ['-D', '-e', '-f', join(root, 'config')], {
    ...(isRoot && { uid: nobody, gid: nobody }),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...program.env },
  })
  const lines = createInterface({ input: child.stderr })
  const listening = Promise.withResolvers<void>()
  let printed = ''
  lines.on('line', (line) => {
    printed += `${line}\n`
    if (line.includes('Server listening')) listening.resolve()
  })
  child.on('error', listening.reject)
  const exited = once(child, 'close').then(() => listening.reject(new Error(printed)))
  await listening.promise
  return {
    /** The folder in which a user begins. */
    files,
    config: {
      host: '127.0.0.1',
      port,
      user: name,
      host_key_fingerprint: fingerprintOf(keys.ed25519.public),
    },
    fingerprints: { ed25519: fingerprintOf(keys.ed25519.public), rsa: fingerprintOf(keys.rsa.public) },
    fingerprintOf,
    privateKey: user.private,
    publicKey: user.public,
    /** Needs the passphrase `a passphrase`. */
    protectedKey: protectedUser.private,
    /** What the server has printed. */
    printed: () => printed,
    async stop() {
      child.kill()
      await exited.catch(() => undefined)
      await rm(root, { recursive: true, force: true })
    },
  }
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
