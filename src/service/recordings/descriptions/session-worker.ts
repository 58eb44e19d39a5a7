import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../engines/lower-priority.ts'
import type { ReadBlock } from './page-maker.ts'
import { SessionReader, type ReadSession, type Session, type SessionEnd } from './session-reader.ts'

/** A session, then its blocks in order, then its end. */
export type SessionInput =
  | { session: Session }
  | { lines: Uint8Array; block: ReadBlock; next: number }
  | { end: SessionEnd }
/** The time until which the session is read, or the result. */
export type SessionOutput = number | ReadSession

lowerPriority()

let reader: SessionReader | null = null

parentPort?.on('message', (input: SessionInput) => parentPort?.postMessage(answer(input), []))

function answer(input: SessionInput): SessionOutput {
  if ('session' in input) {
    reader = new SessionReader(input.session)
    return input.session.start
  }
  if (!reader) throw new Error('a session must be given before its blocks')
  if ('lines' in input) return reader.addBlock(input)
  const read = reader.end(input.end)
  reader = null
  return read
}
