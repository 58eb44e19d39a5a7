import type { ChannelSecrets } from './channel-secrets.ts'

/** Characters of a secret by which it is recognised; a shorter part of a URL may be any word. */
const partMin = 8

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
