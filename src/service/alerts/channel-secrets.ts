import { z } from 'zod'
import type { SecretBox } from '../engines/secret-box.ts'
import type { AlertChannelRow } from '../store/alerts/alert-channels.ts'

/** Characters of a secret by which it is recognised; a shorter part of a URL may be any word. */
const partMin = 8

const ChannelSecrets = z.object({ url: z.string(), signingSecret: z.string().nullable() })
export type ChannelSecrets = z.infer<typeof ChannelSecrets>

export function sealChannelSecrets(box: SecretBox, secrets: ChannelSecrets): Buffer {
  return box.seal(JSON.stringify(secrets))
}

/** Returns the URL and the signing secret of a channel; null for e-mail. @throws when they were sealed with another key. */
export function openChannelSecrets(
  box: SecretBox,
  { secrets }: Pick<AlertChannelRow, 'secrets'>,
): ChannelSecrets | null {
  return secrets === null ? null : ChannelSecrets.parse(JSON.parse(box.open(secrets)))
}

/** Returns the texts of a channel's URL and its signing secret that must not be recorded. */
export function secretTexts({ url, signingSecret }: ChannelSecrets): string[] {
  const { pathname, search } = new URL(url)
  const query = search.slice(1)
  const parts = [...pathname.split('/'), ...query.split(/[&=]/)].filter(({ length }) => length >= partMin)
  const texts = [pathname + search, pathname, query, signingSecret ?? '', ...parts]
  return texts.flatMap((text) => [text, decoded(text)])
}

/** Replaces secrets, also as JSON with `\/` for slashes, and what is left of a long one that was cut. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, secret.replaceAll('/', '\\/')])
  return [...new Set(forms)]
    .filter(({ length }) => length > 1)
    .sort((one, other) => other.length - one.length)
    .reduce(removeSecret, text)
}

function removeSecret(text: string, secret: string): string {
  const start = secret.slice(0, partMin)
  let clean = ''
  let from = 0
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, from)) {
    let end = at + start.length
    while (end < text.length && text[end] === secret[end - at]) end += 1
    clean += `${text.slice(from, at)}***`
    from = end
  }
  return clean + text.slice(from)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
