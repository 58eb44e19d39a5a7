import { quoteString } from '../engines/clickhouse/statement.ts'

/** Replacements that reduce a message to its pattern, applied in order: an RE2 expression and its replacement. */
const replacements: readonly (readonly [expression: string, replacement: string])[] = [
  // Browsers add this prefix to uncaught exceptions; the exception's own message lacks it.
  ['^\\s*Uncaught (?:\\(in promise\\) )?', ''],
  ['(?:https?|wss?|blob:https?|file)://[^/\\s"\'<>]*', '<host>'],
  ['(<host>[^\\s?#"\'<>]*)[?#][^\\s"\'<>)]*', '\\1'],
  ['[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+', '<email>'],
  ['"[^"]*"|`[^`]*`|“[^”]*”', '<value>'],
  // An apostrophe inside a word does not start a quotation.
  ["(^|[^\\w])'[^']*'", '\\1<value>'],
  [
    '(?i)\\b(?:localhost|(?:[a-z0-9-]+\\.)+(?:com|net|org|io|dev|app|example|test|local|internal|cloud|shop|co|eu|de|uk))(?::\\d+)?\\b',
    '<host>',
  ],
  [
    '\\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\\b|\\b[0-9a-fA-F]{16,}\\b',
    '#',
  ],
  // Any word with a digit: numbers, ids, hashes, sizes, versions.
  ['[\\w-]*\\d[\\w-]*(?:[.,:]\\d[\\w-]*)*', '#'],
  ['\\s+', ' '],
]

const patternCharactersMax = 300

/**
 * Returns the SQL of a message's pattern, which groups similar messages: the first line, with numbers, ids, hashes,
 * hosts, e-mail addresses and quoted values replaced.
 * @param message an SQL expression.
 */
export function messagePattern(message: string): string {
  const firstLine = `substring(splitByChar('\\n', trimLeft(${message}))[1], 1, 1000)`
  const replaced = replacements.reduce(
    (sql, [expression, replacement]) =>
      `replaceRegexpAll(${sql}, ${quoteString(expression)}, ${quoteString(replacement)})`,
    firstLine,
  )
  return `substringUTF8(trimBoth(${replaced}), 1, ${patternCharactersMax})`
}
