import { clockTime } from '../../format/clock.ts'
import type { Gap, GapKind } from './player-messages.ts'

/** Returns a sentence that says what a recording lacks during a gap. */
export function gapInWords({ kind, window, from, to }: Gap): string {
  const length = duration(to - from)
  const sentences: Record<GapKind, string> = {
    picture: 'The recording shows no page: it contains only console messages, requests or addresses.',
    beginning: `The first ${length} is missing.`,
    window: `The first ${length} of window ${window} is missing.`,
    page: `The page that opened at ${clockTime(from)} is missing until ${clockTime(to)}.`,
    changes: `Changes of the page are missing: it may have looked different until ${clockTime(to)}.`,
    paused: `The site paused the recording for ${length}.`,
    data: `${length} of data is missing: it was deleted or damaged.`,
    silence: `Nothing was recorded for ${length}, although the visitor was active.`,
  }
  return sentences[kind]
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
