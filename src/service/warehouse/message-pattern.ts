import { quoteString } from '../engines/statement.ts'

/** What folds a message to its pattern, one after the other: an RE2 expression and what replaces it. */
const folds: readonly (readonly [expression: string, replacement: string])[] = [
  // How browsers announce what nobody caught; the exception itself comes without it.
  ['^\\s*Uncaught (?:\\(in promise\\) )?', ''],
  ['(?:https?|wss?|blob:https?|file)://[^/\\s"\'<>]*', '<host>'],
  ['(<host>[^\\s?#"\'<>]*)[?#][^\\s"\'<>)]*', '\\1'],
  ['[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+', '<email>'],
  ['"[^"]*"|`[^`]*`|“[^”]*”', '<value>'],
  // An apostrophe within a word quotes nothing.
  ["(^|[^\\w])'[^']*'", '\\1<value>'],
  [
    '(?i)\\b(?:localhost|(?:[a-z0-9-]+\\.)+(?:com|net|org|io|dev|app|example|test|local|internal|cloud|shop|co|eu|de|uk))(?::\\d+)?\\b',
    '<host>',
  ],
  [
    '\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b|\\b[0-9a-fA-F]{16,}\\b',
    '#',
  ],
  // Whatever holds a digit: numbers, ids, hashes, sizes, versions.
  ['[\\w-]*\\d[\\w-]*(?:[.,:]\\d[\\w-]*)*', '#'],
  ['\\s+', ' '],
]

const lengthMax = 300

/**
 * The SQL of what a message has in common with others like it: its first line, with numbers, ids, hashes, hosts, e-mail
 * addresses and quoted values folded.
 * @param message an SQL expression.
 */
export function messagePattern(message: string): string {
  const firstLine = `substring(splitByChar('\\n', trimLeft(${message}))[1], 1, 1000)`
  const folded = folds.reduce(
    (sql, [expression, replacement]) =>
      `replaceRegexpAll(${sql}, ${quoteString(expression)}, ${quoteString(replacement)})`,
    firstLine,
  )
  return `substringUTF8(trimBoth(${folded}), 1, ${lengthMax})`
}
