import { clockTime } from '../../format/clock.ts'
import type { Gap } from './player-messages.ts'

/** Returns a sentence that says what a recording lacks during a gap. */
export function gapInWords({ kind, window, from, to }: Gap): string {
  const length = duration(to - from)
  switch (kind) {
    case 'picture':
      return 'The recording shows no page: it contains only console messages, requests or addresses.'
    case 'beginning':
      return `The first ${length} is missing.`
    case 'window':
      return `The first ${length} of window ${window} is missing.`
    case 'page':
      return `The page that opened at ${clockTime(from)} is missing until ${clockTime(to)}.`
    case 'changes':
      return `Changes of the page are missing: it may have looked different until ${clockTime(to)}.`
    case 'paused':
      return `The site paused the recording for ${length}.`
    case 'data':
      return `${length} of data is missing: it was deleted or damaged.`
    case 'silence':
      return `Nothing was recorded for ${length}, although the visitor was active.`
  }
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
