import type { MomentKind } from '../../../contract/recording-summary.ts'
import { spelledCount, listed, span, timesOver } from './english.ts'
import type { Fact } from './fact-log.ts'

/** Those that went wrong. */
export const problemKinds: ReadonlySet<MomentKind> = new Set([
  'rage_click',
  'dead_click',
  'console_error',
  'exception',
  'failed_request',
  'long_wait',
  'abandoned_form',
])

/** A fact as a sentence of its own, without a full stop. */
export function factText(fact: Fact): string {
  const { kind, about, after, count, fields } = fact
  const length = span(fact.until - fact.at)
  const many = timesOver(count)
  switch (kind) {
    case 'start':
      return 'The recording starts'
    case 'end':
      return 'The recording ends'
    case 'page':
      return `Opened ${about}`
    case 'click':
      return `Clicked ${about}${many}`
    case 'typed':
      return `Filled in ${about}`
    case 'submitted':
      return `Sent ${listed(fields)} with ${about}`
    case 'event':
      return `The site recorded ${about}${many}`
    case 'rage_click':
      return `Clicked ${about} ${spelledCount(count, 'time')} in ${length}`
    case 'dead_click':
      return `Nothing happened after clicking ${about}${many}`
    case 'console_error':
      return `The console showed an error${many}: ${about}`
    case 'exception':
      return `The page ran into an error${many}: ${about}`
    case 'failed_request':
      return `${about}${many}${after === null ? '' : ` after clicking ${after}`}`
    case 'long_wait':
      return after === null
        ? `The page showed nothing for ${length}`
        : `Nothing moved for ${length} after clicking ${after}`
    case 'idle':
      return `No activity for ${length}`
    case 'abandoned_form':
      return `${listed(fields)} ${fields.length === 1 ? 'was' : 'were'} filled in but never sent`
  }
}
