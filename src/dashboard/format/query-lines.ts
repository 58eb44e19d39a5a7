/**
 * Splits a query into lines as people write it: one per column, then FROM, then WHERE. The service stores a query as one
 * line; a query that already has several lines keeps them.
 */
export function queryLines(query: string): string[] {
  const whole = query.trim()
  const [, select, rest] = /^(SELECT)\s+(.+)$/is.exec(whole) ?? []
  if (whole.includes('\n') || !select || !rest) return whole.split('\n')
  const [columns = '', ...clauses] = splitBefore(rest, /^\s(?:FROM|WHERE)\s/i)
  const items = splitBefore(columns, /^,/).map((item) => item.replace(/^,/, '').trim())
  if (items.length === 1) return [`${select} ${items[0]}`, ...clauses.map((clause) => clause.trim())]
  const listed = items.map((item, index) => `  ${item}${index < items.length - 1 ? ',' : ''}`)
  return [select, ...listed, ...clauses.map((clause) => clause.trim())]
}

/** A string literal or quoted name, including escaped characters. */
const quoted = /^(?:'(?:[^'\\]|\\.|'')*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")/s

/** Splits before each match outside quotes and brackets. */
function splitBefore(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const literal = quoted.exec(rest)?.[0]
    if (depth === 0 && at > from && separator.test(rest)) {
      parts.push(text.slice(from, at))
      from = at
    }
    if ('([{'.includes(text.charAt(at))) depth += 1
    if (')]}'.includes(text.charAt(at))) depth -= 1
    at += literal?.length ?? 1
  }
  return [...parts, text.slice(from)]
}
