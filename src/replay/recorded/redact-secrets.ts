/** Text in place of a secret. */
export const redacted = '[redacted]'

/** Parts of a name without punctuation that make its value a secret. */
const secretParts =
  /passw|passphrase|passcode|secret|token|authorization|cookie|credential|apikey|accesskey|privatekey|signature|sessionid|csrf|xsrf|jwt/
/** Words that make a value a secret only as a whole word of its name: `auth` does, `author` does not. */
const secretWords = new Set(['auth', 'pass', 'pwd', 'pin', 'otp', 'cvv', 'cvc', 'sid', 'sig', 'session'])

/** Skips most names and texts: every name of a secret contains one of these, in upper or lower case. */
const secretHint =
  /pass|secret|token|auth|cookie|credential|key|session|csrf|xsrf|jwt|pwd|pin|otp|cv[vc]|sid|sig/i

/** Levels of values within values (JSON in a form, a URL in a query) that are searched; deeper ones are replaced. */
const textDepthMax = 4
/** Levels of nested lists and objects that are searched; deeper ones are replaced. */
const valueDepthMax = 200

/** Whether a header, key, field or parameter of this name contains a secret: `Set-Cookie`, `accessToken`, `user[pwd]`. */
export function isSecretName(name: string): boolean {
  if (!secretHint.test(name)) return false
  if (secretParts.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))) return true
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.split(/[^a-z]+/).some((word) => secretWords.has(word))
}

/**
 * Returns a JSON value without secrets: the values of secret keys in objects, `{name, value}` and `[name, value]` pairs,
 * and the secrets in its texts (see `redactText`). Redacting the result changes nothing.
 */
export function redactSecrets(value: unknown): unknown {
  return redactValue(value, 0, 0)
}

function redactValue(value: unknown, depth: number, textDepth: number): unknown {
  if (typeof value === 'string') return redactText(value, textDepth)
  if (typeof value !== 'object' || value === null) return value
  if (depth > valueDepthMax) return redacted
  if (Array.isArray(value)) {
    const [name] = value
    if (value.length === 2 && typeof name === 'string' && isSecretName(name)) return [name, redacted]
    return value.map((item) => redactValue(item, depth + 1, textDepth))
  }
  const { name, key } = value as Record<string, unknown>
  const isPair = [name, key].some((given) => typeof given === 'string' && isSecretName(given))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isSecret = (isPair && key === 'value') || isSecretName(key)
      return [key, isSecret && item !== null ? redacted : redactValue(item, depth + 1, textDepth)]
    }),
  )
}

/**
 * Returns a text without secrets, whether the text is JSON (even if cut off), a URL, a form (even multipart), or contains pairs
 * like `token=…`, `password: …`. Uncertain values are replaced. JSON can lose its white space.
 */
export function redactText(text: string, depth = 0): string {
  // A name can contain escapes.
  if (!secretHint.test(text) && !/[%\\@]/.test(text)) return text
  if (depth > textDepthMax) return redacted
  return redactJson(text, depth) ?? redactMultipart(text, depth) ?? redactPairs(text, depth)
}

function redactJson(text: string, depth: number): string | null {
  if (!/^\s*["[{]/.test(text)) return null
  try {
    return JSON.stringify(redactValue(JSON.parse(text), 0, depth + 1))
  } catch {
    // The text is cut off or only resembles JSON.
    return null
  }
}

function redactMultipart(text: string, depth: number): string | null {
  const boundary = /^--[^\r\n]+/.exec(text)?.[0]
  if (boundary === undefined || !text.includes('name=')) return null
  const redactPart = (part: string) => {
    const gap = /\r?\n\r?\n/.exec(part)
    if (!gap) return redactPairs(part, depth)
    const start = gap.index + gap[0].length
    const name = /[; ]name="?([^";\r\n]*)/i.exec(part.slice(0, gap.index))?.[1] ?? ''
    const content = isSecretName(decoded(name)) ? `${redacted}\r\n` : redactText(part.slice(start), depth + 1)
    return part.slice(0, start) + content
  }
  return text.split(boundary).map(redactPart).join(boundary)
}

function redactPairs(text: string, depth: number): string {
  const plain = redactLabelled(text.replaceAll(userInfo, `$1${redacted}@`))
  return plain.replaceAll(assignment, (_, name: string, value: string) => {
    if (isSecretName(decoded(name))) return `${name}=${redacted}`
    const [, parameter = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(value) ?? []
    return `${name}=${redactParameter(parameter, depth)}${redactText(fragment, depth + 1)}`
  })
}

function redactParameter(text: string, depth: number): string {
  const content = decoded(text)
  const clean = redactText(content, depth + 1)
  if (clean === content) return text
  return text === content ? clean : encodeURIComponent(clean)
}

/** `user:password@` in a URL. */
const userInfo = /(\w:\/\/)[^\s/?#"'<>]*@/g
/** A name and its value after `=`, as in queries and forms; the value ends at `&` or at the end of the line. */
const assignment = /(?<![^&?#;,\s])([^&?#;,=\s]+)=([^&\r\n]*)/g
/** A name before a colon, as in JSON, headers and GraphQL. */
const label = /(?<![\w$.[\]-])([\w$.[\]-]+)\\*["']?\s*:\s*/g
/** A quoted text, a literal such as a number, or the rest of the line; a text or list that is cut off extends to the end. */
const labelledValue =
  /\[redacted\]|"[^"\\]*(?:\\[^][^"\\]*)*"|'[^'\\]*(?:\\[^][^'\\]*)*'|(?:-?[\d.]+|true|false|null)(?=[\s,}\]]|$)|["'[{][^]*|[^\r\n]*/y

function redactLabelled(text: string): string {
  let result = ''
  let copiedUntil = 0
  label.lastIndex = 0
  for (let match = label.exec(text); match; match = label.exec(text)) {
    if (!isSecretName(match[1] ?? '')) continue
    labelledValue.lastIndex = label.lastIndex
    const [value = ''] = labelledValue.exec(text) ?? []
    result += text.slice(copiedUntil, label.lastIndex) + (value.startsWith('"') ? `"${redacted}"` : redacted)
    copiedUntil = label.lastIndex + value.length
    label.lastIndex = copiedUntil
  }
  return result + text.slice(copiedUntil)
}

/** Decodes a form's field; text that is not encoded correctly stays as it is. */
function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
