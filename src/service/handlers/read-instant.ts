import { parseInstant } from '../../contract/instant.ts'

/** Parses a datetime that the contract has validated; returns null and undefined unchanged. */
export function readInstant<Absent extends null | undefined>(text: string | Absent): Date | Absent {
  if (typeof text !== 'string') return text
  const parsed = parseInstant(text)
  if (!parsed) throw new Error(`the contract accepted an invalid datetime: ${text}`)
  return new Date(parsed.time)
}
