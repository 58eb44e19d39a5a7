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

/** Describes a fact as a sentence without a full stop. */
export function factText(fact: Fact): string {
  const { kind, about, after, count, fields } = fact
  const length = durationText(fact.until - fact.at)
  const times = timesText(count)
  switch (kind) {
    case 'start':
      return 'The recording starts'
    case 'end':
      return 'The recording ends'
    case 'page':
      return `Opened ${about}`
    case 'click':
      return `Clicked ${about}${times}`
    case 'typed':
      return `Filled in ${about}`
    case 'submitted':
      return `Submitted ${listed(fields)} with ${about}`
    case 'event':
      return `The site recorded ${about}${times}`
    case 'rage_click':
      return `Clicked ${about} ${spelledCount(count, 'time')} in ${length}`
    case 'dead_click':
      return `Nothing happened after clicking ${about}${times}`
    case 'console_error':
      return `The console logged an error${times}: ${about}`
    case 'exception':
      return `The page ran into an error${times}: ${about}`
    case 'failed_request':
      return `${about}${times}${after === null ? '' : ` after clicking ${after}`}`
    case 'long_wait':
      return after === null
        ? `The page showed nothing for ${length}`
        : `Nothing changed for ${length} after clicking ${after}`
    case 'idle':
      return `No activity for ${length}`
    case 'abandoned_form':
      return `${listed(fields)} ${fields.length === 1 ? 'was' : 'were'} filled in but never submitted`
  }
}
