import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'

/** Why no certificate can be made here; null if one can. */
export const certificateUnavailable = spawnSync('openssl', ['version']).error ? 'there is no openssl' : null

/** Makes a certificate of hosts, which are names or IP addresses, signed with its own key; returns the paths of both in this folder, and the certificate. */
export async function testCertificate(folder: string, host: string, ...others: readonly string[]) {
  const [key, cert] = [join(folder, `${host}-key.pem`), join(folder, `${host}.pem`)]
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const named = [
    '-subj',
    `/CN=${host}`,
    '-addext',
    `subjectAltName=${[host, ...others].map((name) => `${isIP(name) ? 'IP' : 'DNS'}:${name}`).join(',')}`,
  ]
  execFileSync('openssl', ['req', '-x509', ...made, ...named, '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  return { key, cert, text: await readFile(cert, 'utf8') }
}
