import { z } from 'zod'
import type { DestinationConfig, TextOf, ValueRule } from '../destinations/destination-kind.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { plainName, PlainText } from '../plain-text.ts'

/** The name that a user gives a connection. */
export const ConnectionName = plainName(200)

/** A port; PostHog's clients also send it as text. */
export function portField(usual: number) {
  const port = z.int().min(1).max(65_535)
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value),
    port.default(usual),
  )
}

export const tlsModes = ['require', 'verify-ca', 'verify-full'] as const

/** How a database's certificate is checked: not at all, by its authority, or also by its host name. */
export const tlsFields = {
  ssl_mode: z.enum(tlsModes).default('require'),
  ssl_root_cert: z.string().nullable().optional(),
}

/** Requires the root certificate for the modes that check one. */
export function requireRootCertificate(context: {
  value: { ssl_mode: string; ssl_root_cert?: string | null | undefined }
  issues: z.core.$ZodRawIssue[]
}): void {
  const { ssl_mode, ssl_root_cert } = context.value
  if (ssl_mode === 'require' || ssl_root_cert) return
  context.issues.push({ code: 'custom', path: ['ssl_root_cert'], input: undefined })
}

/** Fields of a server to which a user signs in. */
export function serverFields(usualPort: number) {
  return {
    name: ConnectionName.optional(),
    host: PlainText.min(1),
    port: portField(usualPort),
    user: PlainText.min(1),
  }
}

export const serverLengths = { host: 253, user: 255, password: 2000, ssl_root_cert: 100_000 }

export function serverRules(text: TextOf): ValueRule[] {
  return [
    ['host', 'error', hostError(text('host'))],
    ['ssl_root_cert', 'error', certificateError(text('ssl_root_cert'))],
  ]
}

/** Returns why a text is not a host, or null. */
function hostError(host: string): string | null {
  const isName = /^(?=.*[a-z0-9])[a-z0-9._-]+$/i.test(host)
  const isAddress = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(host)
  return (isName || isAddress) && URL.canParse(urlOfHost(host, 1))
    ? null
    : 'Enter only a host name or an IP address, like db.example.com; the port has its own field.'
}

function certificateError(certificate: string): string | null {
  return /^\s*-----BEGIN CERTIFICATE-----\s[\s\S]+-----END CERTIFICATE-----\s*$/.test(certificate)
    ? null
    : 'Enter a certificate in PEM format, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.'
}

/** Returns `host:port`; an IPv6 address in brackets. */
export function serverAddress({ host, port }: DestinationConfig): string {
  const name = String(host).toLowerCase()
  return `${name.includes(':') ? `[${name}]` : name}:${String(port)}`
}

/** Returns a URL of a host, which may be an IPv6 address. */
export function urlOfHost(host: string, port: number): string {
  return `https://${serverAddress({ host, port })}`
}

/** Returns `user@host`. */
export function serverName(text: TextOf): string {
  return `${text('user')}@${text('host')}`
}

/** Returns what kinds of connections to a server with a user and a password have in common. */
export function serverKind(usualPort: number) {
  return {
    secrets: ['password'],
    lengthsMax: serverLengths,
    rules: (_, text) => serverRules(text),
    ownName: serverName,
    addressOf: (config) => serverAddress({ port: usualPort, ...config }),
    urlOf: (text) => urlOfHost(text('host'), usualPort),
  } satisfies Omit<IntegrationKind, 'config'>
}

/** Returns the schema of a connection to a database whose certificate is checked by `tlsFields`. */
export function databaseConnection(usualPort: number) {
  return z
    .strictObject({ ...serverFields(usualPort), password: z.string().min(1), ...tlsFields })
    .check(requireRootCertificate)
}
