import { counted } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'
import type { Gap, GapKind, LackingState } from './player-messages.ts'
import type { PlayerState } from './player.ts'

/** Number of reasons for which the badge has room. */
const reasonsShown = 5

/** A sentence about something that a recording lacks; `at` is when, in milliseconds since the start. */
export type Lack = { text: string; at?: number }

type Losses = Pick<PlayerState, 'outline' | 'unreadable' | 'missingReasons'> & {
  /** Number of invalid events that capture dropped; null if unknown. */
  droppedEvents: number | null
  /** As `missingAssets` returns them. */
  missing: string
}

const stateSentences: Record<LackingState, string> = {
  scheme: 'The visitor’s color scheme is unknown. Pages with a light and a dark theme play light.',
  contrast: 'The visitor’s contrast setting is unknown. Pages that depend on it play without one.',
  forcedColors:
    'The visitor’s browser replaced the colors of pages (forced colors), which the replay does not show.',
  popovers: 'Popovers are shown only where a click on their button opened them.',
  target: 'A mark of the part that the page’s address names is not shown.',
}

/** Returns what the part of a recording that has been read lacks. */
export function lossesOf({ outline, unreadable, droppedEvents, missing, missingReasons }: Losses): Lack[] {
  const { gaps, unrecordedCanvases: canvases, lackingStates, incompleteRules: rules } = outline
  const sentences = [
    droppedEvents && `${counted(droppedEvents, 'event')} arrived damaged and could not be stored.`,
    unreadable && `${counted(unreadable, 'event')} could not be read.`,
    missing && [`${missing} not available.`, ...reasonsOf(missingReasons)].join(' '),
    ...lackingStates.map((state) => stateSentences[state]),
    canvases &&
      `${counted(canvases, 'canvas', 'canvases')} ${canvases === 1 ? 'was' : 'were'} not recorded. The recording settings turn the recording of canvases on; a WebGL canvas created before the recorder started can stay blank.`,
    rules &&
      `${counted(rules, 'style rule')} ${rules === 1 ? 'lacks' : 'lack'} values, such as a padding: browsers do not report all parts of a CSS shorthand that uses a variable.`,
  ]
  return [
    ...gaps.map((gap) => ({ text: gapInWords(gap), at: gap.from })),
    ...sentences.flatMap((text) => (text ? [{ text }] : [])),
  ]
}

/** Returns how many images and other files are missing, such as "3 images"; "" while some are being fetched. */
export function missingAssets({
  missing: { image, font, stylesheet },
  pendingAssets,
}: Pick<PlayerState, 'missing' | 'pendingAssets'>): string {
  if (pendingAssets !== 0) return ''
  return [
    image && counted(image, 'image'),
    font && counted(font, 'font'),
    stylesheet && counted(stylesheet, 'style sheet'),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the most frequent reasons as sentences, each with the number of its files unless it is 1. */
function reasonsOf(reasons: PlayerState['missingReasons']): string[] {
  return reasons
    .slice(0, reasonsShown)
    .map(({ reason, count }) => (count === 1 ? reason : `${reason.replace(/\.$/, '')} (${count} files).`))
}

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
