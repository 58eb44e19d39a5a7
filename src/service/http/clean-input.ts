import { invalidInput } from '../problems/api-error.ts'

const depthMax = 50

type Path = (string | number)[]

/**
 * Makes input safe to store: lone surrogates become U+FFFD, and a `__proto__` key is dropped.
 * @throws ApiError 400 for a null character, which PostgreSQL rejects, and for nesting deeper than `depthMax`.
 */
export function cleanInput(value: unknown, path: Path = []): unknown {
  if (typeof value === 'string') return cleanText(value, path)
  if (typeof value !== 'object' || value === null) return value
  if (path.length >= depthMax) throw invalidInput('This value is nested too deeply.', path.slice(0, 3))
  if (Array.isArray(value)) return value.map((item, index) => cleanInput(item, [...path, index]))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, item]) => [cleanText(key, path), cleanInput(item, [...path, key.slice(0, 100)])]),
  )
}

function cleanText(text: string, path: Path): string {
  if (text.includes('\0')) throw invalidInput('Null characters are not allowed.', path)
  return text.toWellFormed()
}
