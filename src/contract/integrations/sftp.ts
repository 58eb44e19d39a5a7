import { z } from 'zod'
import { PlainText } from '../plain-text.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { serverAddress, serverFields, serverLengths, serverName, serverRules, urlOfHost } from './server.ts'

const usualPort = 22

/** Signs in with a password, with a private key, or with both. */
export const SftpConnection = z
  .strictObject({
    ...serverFields(usualPort),
    host_key_fingerprint: PlainText.min(1),
    password: z.string().min(1).nullable().optional(),
    private_key: z.string().min(1).nullable().optional(),
    private_key_passphrase: z.string().min(1).nullable().optional(),
  })
  .check(({ value, issues }) => {
    if (!value.password && !value.private_key)
      issues.push({ code: 'custom', path: ['password'], input: undefined })
  })

export const sftp: IntegrationKind<typeof SftpConnection> = {
  config: SftpConnection,
  secrets: ['password', 'private_key', 'private_key_passphrase'],
  lengthsMax: {
    ...serverLengths,
    host_key_fingerprint: 200,
    private_key: 100_000,
    private_key_passphrase: 2000,
  },
  rules: (_, text) => [
    ...serverRules(text),
    ['host_key_fingerprint', 'error', fingerprintError(text('host_key_fingerprint'))],
    ['private_key', 'error', privateKeyError(text('private_key'))],
  ],
  ownName: serverName,
  addressOf: (config) => `${serverAddress(config)} ${String(config['host_key_fingerprint'])}`,
  urlOf: (text) => urlOfHost(text('host'), usualPort),
}

/** As OpenSSH prints it: 43 characters of base64, the padding is left out. */
function fingerprintError(fingerprint: string): string | null {
  return /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(fingerprint)
    ? null
    : 'Enter the SHA-256 fingerprint of the server’s host key, like SHA256:… as “ssh-keygen -lf” prints it.'
}

function privateKeyError(key: string): string | null {
  return /^\s*-----BEGIN [A-Z ]*PRIVATE KEY-----\s[\s\S]+-----END [A-Z ]*PRIVATE KEY-----\s*$/.test(key)
    ? null
    : 'Enter the whole private key, from -----BEGIN … PRIVATE KEY----- to -----END … PRIVATE KEY-----.'
}
