/** Characters of a secret by which it is recognised; a shorter part of a URL may be any word. */
export const partMin = 8

/** Replaces secrets, also as JSON with `\/` for slashes and with escapes, and what is left of a long one that was cut. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [
    secret,
    secret.replaceAll('/', '\\/'),
    JSON.stringify(secret).slice(1, -1),
  ])
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
