import type { CSSProperties } from 'react'
import { consoleArgument } from '../../../replay/recorded/rrweb.ts'
import type { ConsoleLine, Mark, MarkKind } from '../player/player-messages.ts'

/** A part of a console line: text, or an object or list that can be expanded. */
export type ConsolePart = { text: string; style?: ConsoleStyle } | { value: object }

type ConsoleStyle = Pick<
  CSSProperties,
  'color' | 'backgroundColor' | 'fontWeight' | 'fontStyle' | 'textDecoration'
>

/** Returns a line as the browser's console shows it: `%c`, `%s`, `%d` and the like are applied. */
export function consoleParts({ parts }: ConsoleLine): ConsolePart[] {
  const args = parts.map(argumentPart)
  const [first, ...rest] = args
  if (!first || !('text' in first) || !/%[csdifoO]/.test(first.text)) return spaced(args)
  const formatted: ConsolePart[] = []
  let style: ConsoleStyle = {}
  for (const piece of first.text.split(/(%[csdifoO%])/)) {
    const isPlaceholder = /^%[csdifoO]$/.test(piece) && rest.length > 0
    const given = isPlaceholder ? rest.shift() : { text: piece === '%%' ? '%' : piece }
    if (piece === '%c' && isPlaceholder && given) style = 'text' in given ? readStyle(given.text) : {}
    else if (given && 'value' in given) formatted.push(given)
    else if (given && given.text !== '') formatted.push({ text: given.text, style })
  }
  return rest.length > 0 ? [...formatted, { text: ' ' }, ...spaced(rest)] : formatted
}

/** Returns a line as plain text, with objects as JSON. */
export function consoleText(line: ConsoleLine): string {
  return consoleParts(line)
    .map((part) => ('value' in part ? JSON.stringify(part.value) : part.text))
    .join('')
}

/** Separates a text into its message and the stack trace after it. */
export function splitStack(text: string): { message: string; stack: string[] } {
  const lines = text.replace(/\nEnd of stack for Error object\s*$/, '').split('\n')
  const first = lines.findIndex((line, index) => index > 0 && isFrame(line))
  if (first === -1) return { message: lines.join('\n'), stack: [] }
  const stack = lines.slice(first).filter((line) => line.trim() !== '')
  return { message: lines.slice(0, first).join('\n'), stack }
}

/** A frame as Chrome (`at f (url:1:2)`), or as Firefox and Safari (`f@url:1:2`) write it. */
function isFrame(line: string): boolean {
  return /^\s*at \S/.test(line) || /@\S*:\d+(?::\d+)?$/.test(line)
}

function argumentPart(argument: string): ConsolePart {
  if (!/^\s*[[{]/.test(argument)) return { text: consoleArgument(argument) }
  try {
    return { value: JSON.parse(argument) as object }
  } catch {
    // The recorder cut the text off.
    return { text: argument }
  }
}

function spaced(parts: readonly ConsolePart[]): ConsolePart[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [{ text: ' ' }, part]))
}

const color = /^(?:[a-z]{3,30}|#[\da-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/i
/** Values that load nothing and cover nothing else. */
const safeStyles = new Map<string, [keyof ConsoleStyle, RegExp]>([
  ['color', ['color', color]],
  ['background', ['backgroundColor', color]],
  ['background-color', ['backgroundColor', color]],
  ['font-weight', ['fontWeight', /^(?:normal|bold|bolder|lighter|[1-9]00)$/i]],
  ['font-style', ['fontStyle', /^(?:normal|italic|oblique)$/i]],
  ['text-decoration', ['textDecoration', /^(?:none|underline|overline|line-through)$/i]],
])

/** Reads the safe declarations of the CSS after `%c`. */
function readStyle(css: string): ConsoleStyle {
  const style: ConsoleStyle = {}
  for (const declaration of css.split(';')) {
    const [name = '', value = ''] = declaration.split(':').map((text) => text.trim())
    const safe = safeStyles.get(name.toLowerCase())
    if (safe?.[1].test(value)) style[safe[0]] = value
  }
  return style
}

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
