import { parseInstant } from '../../../contract/instant.ts'

/** The moment of a text that the contract has checked; null and undefined stay what they are. */
export function readInstant<Absent extends null | undefined>(text: string | Absent): Date | Absent {
  if (typeof text !== 'string') return text
  const parsed = parseInstant(text)
  if (!parsed) throw new Error(`the contract let a wrong datetime through: ${text}`)
  return new Date(parsed.time)
}
