import type { ConsoleLevel } from '../../../replay/recorded/rrweb.ts'
import type { ConsoleLine, Mark } from '../player/player-messages.ts'

/** A line in the list; `at` is in milliseconds since the recording's start. */
export type ConsoleRow = { key: string; at: number; level: ConsoleLevel; text: string; line: ConsoleLine }

export const levelFilters = ['all', 'errors', 'warnings', 'logs'] as const
export type LevelFilter = (typeof levelFilters)[number]

const levels: Record<Exclude<LevelFilter, 'all'>, ConsoleLevel> = {
  errors: 'error',
  warnings: 'warn',
  logs: 'log',
}

/** Returns the console lines among the marks. */
export function consoleRows(marks: readonly Mark[]): ConsoleRow[] {
  return marks.flatMap(({ kind, at, text, line }, index) =>
    line && (kind === 'log' || kind === 'warn' || kind === 'error')
      ? [{ key: `${index}`, at, level: kind, text, line }]
      : [],
  )
}

/** Returns the lines of a level that contain the text in their message or stack trace. */
export function selectLines(rows: readonly ConsoleRow[], filter: LevelFilter, search: string): ConsoleRow[] {
  const wanted = search.trim().toLowerCase()
  const ofLevel = filter === 'all' ? rows : rows.filter(({ level }) => level === levels[filter])
  return ofLevel.filter(({ text, line }) =>
    [text, ...line.parts, ...line.trace].some((part) => part.toLowerCase().includes(wanted)),
  )
}
