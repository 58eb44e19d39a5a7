import { invalidInput } from '../problems/api-error.ts'

const maximumDepth = 50

type Path = (string | number)[]

/**
 * Input as the store can keep it: lone surrogates become U+FFFD, a `__proto__` key is dropped.
 * @throws ApiError 400 for a null character, which PostgreSQL refuses, and for nesting without end.
 */
export function cleanInput(value: unknown, path: Path = []): unknown {
  if (typeof value === 'string') return cleanText(value, path)
  if (typeof value !== 'object' || value === null) return value
  if (path.length >= maximumDepth) throw invalidInput('This value is nested too deeply.', path.slice(0, 3))
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
