const names = new Set(['token', '$token', 'api_key'])
const tokenLengthMax = 200

/**
 * Finds a request's project token in its JSON or the beginning of it, without parsing the rest. Invalid JSON has no defined
 * result.
 * @returns null when the beginning does not show which token counts.
 */
export function findToken(text: string): string | null {
  const isList = text.startsWith('[')
  const itemDepth = isList ? 2 : 1
  /** Keys of the open objects; null for lists. */
  const path: (string | null)[] = []
  let expectsKey = false
  let tokenInProperties: string | null = null
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]) {
      case '"': {
        const end = endOfString(text, index)
        if (end === -1) return null
        const value = text.slice(index + 1, end)
        index = end
        if (expectsKey) {
          path[path.length - 1] = value
          expectsKey = false
          break
        }
        const found = value.length > 0 && value.length <= tokenLengthMax && names.has(path.at(-1) ?? '')
        if (found && value.includes('\\')) return null
        if (found && path.length === itemDepth) return value
        const isProperty = path.length === itemDepth + 1 && path[itemDepth - 1] === 'properties'
        if (found && isProperty && path.at(-1) === 'token') tokenInProperties ??= value
        break
      }
      case '{':
        path.push('')
        expectsKey = true
        break
      case '[':
        path.push(null)
        break
      case ',':
        expectsKey = path.at(-1) !== null
        break
      case '}':
      case ']':
        path.pop()
        expectsKey = false
        // An event's own token, which takes precedence, would have been found by now.
        if (path.length === itemDepth - 1 && tokenInProperties !== null) return tokenInProperties
        break
      default:
    }
  }
  return null
}

/** Returns the index of the closing quote; -1 if the text ends before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return end
  }
  return -1
}
