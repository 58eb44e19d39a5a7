const names = new Set(['token', '$token', 'api_key'])
const tokenLengthMax = 200

/**
 * Finds a request's project token in its JSON or the beginning of it, without parsing the rest. Invalid JSON has no defined
 * result.
 * @returns null when the beginning does not show which token counts.
 */
export function findToken(text: string): string | null {
  const itemDepth = text.startsWith('[') ? 2 : 1
  /** Keys of the open objects, null for lists. Keys below properties stay empty, since no token there counts. */
  const path: (string | null)[] = []
  let depth = 0
  let expectsKey = false
  let tokenInProperties: string | null = null
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22: {
        const end = endOfString(text, index)
        if (end === -1) return null
        const start = index + 1
        index = end
        if (depth > itemDepth + 1) break
        const value = text.slice(start, end)
        if (expectsKey) {
          path[depth - 1] = value
          expectsKey = false
          break
        }
        const found = value.length > 0 && value.length <= tokenLengthMax && names.has(path[depth - 1] ?? '')
        if (found && value.includes('\\')) return null
        if (found && depth === itemDepth) return value
        const isProperty = depth === itemDepth + 1 && path[itemDepth - 1] === 'properties'
        if (found && isProperty && path[depth - 1] === 'token') tokenInProperties ??= value
        break
      }
      case 0x7b: // {
        path[depth] = ''
        depth += 1
        expectsKey = true
        break
      case 0x5b: // [
        path[depth] = null
        depth += 1
        break
      case 0x2c: // ,
        expectsKey = path[depth - 1] !== null
        break
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1
        expectsKey = false
        // An event's own token, which takes precedence, would have been found by now.
        if (depth === itemDepth - 1 && tokenInProperties !== null) return tokenInProperties
        break
      default:
    }
  }
  return null
}

/** Returns the index of the quote that closes the string which starts at `start`; -1 if the text ends before it. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return -1
}
