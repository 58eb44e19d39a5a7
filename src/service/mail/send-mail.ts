import type { Config } from '../config.ts'
import { hostOf, type Hosts } from '../engines/hosts.ts'
import { requestMsMax, type SentRequest } from '../http/send-request.ts'

type MailServices = { hosts: Hosts; config: Config; smtp: NonNullable<Config['smtp']>; signal: AbortSignal }
export type Mail = { id: string; to: readonly string[]; subject: string; text: string; html?: string }

/**
 * Sends an e-mail through the configured server, at the checked addresses of its host only.
 * @throws RefusedHost, or the server's error.
 */
export async function sendMail(
  mail: Mail,
  { hosts, config, smtp, signal }: MailServices,
): Promise<SentRequest> {
  const { createTransport } = await import('nodemailer')
  const { username, password, port, protocol } = new URL(smtp.url)
  const host = hostOf(smtp.url)
  const secure = protocol === 'smtps:'
  const release = await hosts.pin(smtp.url, config.privateDestinations)
  try {
    const [address] = await hosts.addressesOf(host)
    const transport = createTransport({
      host: address?.address ?? host,
      port: Number(port) || (secure ? 465 : 587),
      secure,
      tls: { servername: host },
      ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: requestMsMax,
      greetingTimeout: requestMsMax,
      socketTimeout: requestMsMax,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const { promise, reject } = Promise.withResolvers<never>()
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    try {
      const sending = transport.sendMail({
        from: smtp.from,
        // As objects: a comma in a text would begin another address.
        to: mail.to.map((to) => ({ name: '', address: to })),
        subject: mail.subject,
        text: mail.text,
        ...(mail.html !== undefined && { html: mail.html }),
        messageId: `<${mail.id}@spool>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      const { response } = await Promise.race([sending, promise])
      return { status: Number.parseInt(response, 10) || 250, body: response }
    } finally {
      signal.removeEventListener('abort', stop)
      transport.close()
    }
  } finally {
    release()
  }
}
