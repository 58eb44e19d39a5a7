import type { SessionRecording } from '../../../contract/recordings/session-recording.ts'
import { stripBits as bits, stripLength } from '../../../contract/recordings/recording-facts.ts'
import { percent } from '../../format/amount.ts'
import { clockTime } from '../../format/clock.ts'

/** Returns the cells of a recording's strip, each a set of `stripBits`; until its facts are known, only its activity. */
export function stripCells({
  facts,
  activity,
}: Pick<SessionRecording, 'facts' | 'activity'>): readonly number[] {
  if (facts) return facts.strip
  return Array.from({ length: stripLength }, (_, index) => {
    const share = activity[Math.floor((index * activity.length) / stripLength)] ?? 0
    return share > 0 ? bits.active : 0
  })
}

const words: readonly (readonly [bit: number, word: string])[] = [
  [bits.page, 'page change'],
  [bits.click, 'click'],
  [bits.rage, 'rage click'],
  [bits.error, 'error'],
  [bits.request, 'failed request'],
]

/** Describes one cell: `1:20 to 1:25: page change, click`. */
export function cellInWords(cells: readonly number[], index: number, durationMs: number): string {
  const cell = cells[index] ?? 0
  const at = (place: number) => clockTime((durationMs * place) / cells.length)
  const found = words.filter(([bit]) => (cell & bit) !== 0).map(([, word]) => word)
  return `${at(index)} to ${at(index + 1)}: ${found.join(', ') || (cell === 0 ? 'idle' : 'active')}`
}

/** Describes a strip: `Over 2:04: page change at 0:00 and 0:40, error at 1:20; idle for 25 %`. */
export function stripInWords(cells: readonly number[], durationMs: number): string {
  const times = words.flatMap(([bit, word]) => {
    const at = cells.flatMap((cell, index) =>
      (cell & bit) === 0 ? [] : clockTime((durationMs * index) / cells.length),
    )
    return at.length === 0 ? [] : `${word} at ${listed([...new Set(at)])}`
  })
  const idle = cells.filter((cell) => cell === 0).length / cells.length
  const what = times.join(', ') || (idle === 1 ? 'no activity' : 'activity')
  return `Over ${clockTime(durationMs)}: ${what}${idle > 0 && idle < 1 ? `; idle for ${percent(idle)}` : ''}`
}

/** Times listed one by one; more are counted. */
const listedMax = 4

function listed(times: readonly string[]): string {
  const shown = times.slice(0, listedMax)
  const more = times.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more times`
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown.join()
}
