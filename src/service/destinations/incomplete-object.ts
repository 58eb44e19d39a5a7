import { ExportError } from '../problems/export-error.ts'

/** The error of an object of which the store kept fewer bytes than were sent. */
export function incomplete(key: string, found: number, sent: number, cause?: unknown): ExportError {
  return new ExportError(
    `The store kept ${found.toLocaleString('en')} of the ${sent.toLocaleString('en')} bytes that were sent for ${key}: check the store for errors and free space.`,
    false,
    { cause },
  )
}
