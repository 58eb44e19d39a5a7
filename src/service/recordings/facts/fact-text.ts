import type { MomentKind } from '../../../contract/recordings/recording-summary.ts'
import { spelledCount, listed, durationText, timesText } from './english.ts'
import type { Fact } from './fact-log.ts'

/** Kinds of facts that are problems. */
export const problemKinds: ReadonlySet<MomentKind> = new Set([
  'rage_click',
  'dead_click',
  'console_error',
  'exception',
  'failed_request',
  'long_wait',
  'abandoned_form',
])

/** `times` and `length` as words. */
type Described = Fact & { times: string; length: string }

const texts: Record<MomentKind, (fact: Described) => string> = {
  start: () => 'The recording starts',
  end: () => 'The recording ends',
  page: ({ about }) => `Opened ${about}`,
  click: ({ about, times }) => `Clicked ${about}${times}`,
  typed: ({ about }) => `Filled in ${about}`,
  submitted: ({ about, fields }) => `Submitted ${listed(fields)} with ${about}`,
  event: ({ about, times }) => `The site recorded ${about}${times}`,
  rage_click: ({ about, count, length }) => `Clicked ${about} ${spelledCount(count, 'time')} in ${length}`,
  dead_click: ({ about, times }) => `Nothing happened after clicking ${about}${times}`,
  console_error: ({ about, times }) => `The console logged an error${times}: ${about}`,
  exception: ({ about, times }) => `The page ran into an error${times}: ${about}`,
  failed_request: ({ about, after, times }) =>
    `${about}${times}${after === null ? '' : ` after clicking ${after}`}`,
  long_wait: ({ after, length }) =>
    after === null
      ? `The page showed nothing for ${length}`
      : `Nothing changed for ${length} after clicking ${after}`,
  idle: ({ length }) => `No activity for ${length}`,
  abandoned_form: ({ fields }) =>
    `${listed(fields)} ${fields.length === 1 ? 'was' : 'were'} filled in but never submitted`,
}

/** Describes a fact as a sentence without a full stop. */
export function factText(fact: Fact): string {
  const { kind, at, until, count } = fact
  return texts[kind]({ ...fact, length: durationText(until - at), times: timesText(count) })
}
