import { quoteString } from '../../engines/clickhouse/statement.ts'

/** Nesting up to which objects are compared member by member; what lies deeper is compared as a set of its tokens. */
const depthMax = 6

const token = quoteString(String.raw`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[a-z]+|[\[\]{}:,]`)

/**
 * Returns an expression for JSON text in a form that does not depend on who wrote it: keys are sorted, of equal keys the last
 * counts, white space and escapes are uniform, and numbers are exact (`1.50` is `15e-1`, `100` is `1e2`).
 */
export function canonicalJson(text: string): string {
  // Numbers become strings, because the engine would round them; the first letter tells them from strings.
  const marked = `arrayStringConcat(arrayMap(t -> multiIf(startsWith(t, '"'), concat('"s', substring(t, 2)),
    match(t, '^[-0-9]'), concat('"n', ${canonicalNumber('t')}, '"'), t), extractAll(${text}, ${token})))`
  return canonicalValue(`JSONExtractRaw(concat('[', ${marked}, ']'), 1)`, 1)
}

function canonicalValue(value: string, depth: number): string {
  if (depth > depthMax) return `arrayStringConcat(arraySort(extractAll(${value}, ${token})), ' ')`
  const [v, p, member] = [`v${depth}`, `p${depth}`, `m${depth}`]
  const isObject = `startsWith(${v}, '{')`
  const members = `arraySort((${p}, i) -> (${p}.1, i), JSONExtractKeysAndValuesRaw(${v}) AS ${member}, arrayEnumerate(${member}))`
  return ''.concat(
    `arrayMap(${v} -> if(NOT ${isObject} AND NOT startsWith(${v}, '['), ${v}, concat(substring(${v}, 1, 1), `,
    `arrayStringConcat(arrayMap(${p} -> concat(${p}.1, ':', ${canonicalValue(`${p}.2`, depth + 1)}), `,
    `if(${isObject}, ${lastOfEqualKeys(members, p)}, arrayMap(${p} -> ('', ${p}), JSONExtractArrayRaw(${v})))), ','), substring(${v}, -1))), [${value}])[1]`,
  )
}

/** Keeps the last of the sorted members with the same key, and writes the key as JSON. */
function lastOfEqualKeys(members: string, p: string): string {
  // No key contains this byte, which is not UTF-8.
  const next = `arrayResize(arrayPopFront(arrayMap(${p} -> ${p}.1, ${members})), length(${members}), '\\xFF')`
  return `arrayMap(${p} -> (toJSONString(${p}.1), ${p}.2), arrayFilter((${p}, n) -> ${p}.1 != n, ${members}, ${next}))`
}

function canonicalNumber(t: string): string {
  const body = `lower(trimLeft(${t}, '-'))`
  const mantissa = `splitByChar('e', ${body})[1]`
  const exponent = `toInt32OrZero(trimLeft(splitByChar('e', ${body})[2], '+'))`
  const [whole, fraction] = [`splitByChar('.', ${mantissa})[1]`, `splitByChar('.', ${mantissa})[2]`]
  const digits = `trimLeft(concat(${whole}, ${fraction}), '0')`
  const stripped = `trimRight(${digits}, '0')`
  const power = `(${exponent} - toInt32(length(${fraction})) + toInt32(length(${digits})) - toInt32(length(${stripped})))`
  const scientific = `concat(if(startsWith(${t}, '-'), '-', ''), ${stripped}, if(${power} = 0, '', concat('e', toString(${power}))))`
  return `if(match(${t}, '^-?[1-9]([0-9]*[1-9])?$'), ${t}, if(${stripped} = '', '0', ${scientific}))`
}
