import { counted } from '../../words/amount.ts'
import { gapInWords } from './gap-words.ts'
import type { Outline } from './player-messages.ts'

/** Something that a recording lacks, in a sentence; `at` is where it is missing, in milliseconds since the start. */
export type Lack = { text: string; at?: number }

type Losses = {
  outline: Outline
  /** Number of stored events that the player cannot read. */
  unreadable: number
  /** Number of invalid events that capture dropped; null if unknown. */
  droppedEvents: number | null
}

/** Returns what a recording lacks, as far as it has been read: each kind of loss adds its own lines. */
export function lacksOf({ outline, unreadable, droppedEvents }: Losses): Lack[] {
  return [
    ...outline.gaps.map((gap) => ({ text: gapInWords(gap), at: gap.from })),
    ...lostEvents(droppedEvents ?? 0, 'arrived damaged and could not be stored'),
    ...lostEvents(unreadable, 'could not be read'),
  ]
}

function lostEvents(number: number, fate: string): Lack[] {
  return number === 0 ? [] : [{ text: `${counted(number, 'event')} ${fate}.` }]
}

/** Says what recordings never contain. */
export function neverRecorded({ isMasked }: Outline): string {
  const limits =
    'Recorders cannot see closed shadow roots, Web Animations, custom highlights and the frames of videos.'
  return isMasked ? `Text that the visitor entered is masked. ${limits}` : limits
}
