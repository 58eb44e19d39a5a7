import { clockTime } from '../../words/clock.ts'
import type { Gap } from './player-messages.ts'

/** Says in one sentence what a recording lacks during a gap. */
export function gapInWords({ kind, window, from, to }: Gap): string {
  const length = duration(to - from)
  switch (kind) {
    case 'picture':
      return 'The recording holds no picture of a page: only messages of the console, requests or addresses.'
    case 'beginning':
      return `The recording lacks its first ${length}.`
    case 'window':
      return `Window ${window} lacks its first ${length}.`
    case 'page':
      return `The page that opened at ${clockTime(from)} is missing until ${clockTime(to)}.`
    case 'changes':
      return `Changes are missing: until ${clockTime(to)}, the page may have looked different.`
    case 'paused':
      return `The site paused the recording for ${length}.`
    case 'data':
      return `Data of ${length} is missing: it was deleted or damaged.`
    case 'silence':
      return `The recording has a hole of ${length}: the visitor was active, but nothing was recorded.`
  }
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
