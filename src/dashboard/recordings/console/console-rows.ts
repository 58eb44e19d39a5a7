import type { ConsoleLine, Mark, MarkKind } from '../player/player-messages.ts'

export type ConsoleRow = Mark & { key: string; line: ConsoleLine }

export const levelFilters = ['all', 'errors', 'warnings', 'logs'] as const
export type LevelFilter = (typeof levelFilters)[number]

const levels: Partial<Record<LevelFilter, MarkKind>> = { errors: 'error', warnings: 'warn', logs: 'log' }

/** Returns the console lines among the marks. */
export function consoleRows(marks: readonly Mark[]): ConsoleRow[] {
  return marks.flatMap((mark, index) => (mark.line ? [{ ...mark, line: mark.line, key: `${index}` }] : []))
}

/** Returns the lines of a level that contain the text in their message or stack trace. */
export function selectLines(rows: readonly ConsoleRow[], filter: LevelFilter, search: string): ConsoleRow[] {
  const wanted = search.trim().toLowerCase()
  const ofLevel = filter === 'all' ? rows : rows.filter(({ kind }) => kind === levels[filter])
  return ofLevel.filter(({ text, line }) =>
    [text, ...line.parts, ...line.trace].some((part) => part.toLowerCase().includes(wanted)),
  )
}
