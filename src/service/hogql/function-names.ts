import { functionRules } from './allowed-functions.ts'

/** Aliases of functions, in lower case. */
const aliases: Readonly<Record<string, string>> = {
  _casewithexpression: 'caseWithExpression',
  base64decode: 'tryBase64Decode',
  ceiling: 'ceil',
  char_length: 'lengthUTF8',
  character_length: 'lengthUTF8',
  date: 'toDate',
  date_add: 'plus',
  date_diff: 'dateDiff',
  date_sub: 'minus',
  date_trunc: 'dateTrunc',
  dateadd: 'plus',
  datesub: 'minus',
  day: 'toDayOfMonth',
  hour: 'toHour',
  lcase: 'lower',
  ln: 'log',
  ltrim: 'trimLeft',
  minute: 'toMinute',
  mod: 'modulo',
  month: 'toMonth',
  parsedatetime64besteffort: 'toDateTime',
  parsedatetimebesteffort: 'toDateTime',
  power: 'pow',
  quarter: 'toQuarter',
  regexp_replace: 'replaceRegexpAll',
  replace: 'replaceAll',
  rtrim: 'trimRight',
  second: 'toSecond',
  substr: 'substring',
  timestamp: 'toDateTime',
  truncate: 'trunc',
  ucase: 'upper',
  year: 'toYear',
}

const byLowerCase = new Map([...functionRules.keys()].map((name) => [name.toLowerCase(), name]))

/**
 * Returns a function's name in `functionRules`, ignoring case and resolving aliases; any other name is returned
 * unchanged.
 */
export function functionName(given: string): string {
  if (functionRules.has(given)) return given
  const lower = given.toLowerCase()
  return byLowerCase.get(lower) ?? (Object.hasOwn(aliases, lower) ? (aliases[lower] ?? given) : given)
}

const nonDeterministic =
  /^(now|now64|nowInBlock|today|yesterday|current_?(date|time|timestamp)|utc_?timestamp|rand\w*|generate\w*|uuid|random\w*|serverUUID)$/i
const aggregates =
  /^(count|countDistinct|sum|avg|min|max|any|anyLast|uniq\w*|quantile\w*|median\w*|group(Array|Uniq|Concat|Bit)\w*|arg(Min|Max)|std\w*|var(Pop|Samp|iance)\w*|covar\w*|corr\w*|topK\w*|first_value|last_value|simpleLinearRegression|skew\w*|kurt\w*|windowFunnel|retention|sequence\w*|array_agg|string_agg)(If|Distinct|Merge|State)*$/i

/** Returns the error for a function that is not supported, with the reason where there is a particular one. */
export function missingFunction(given: string): string {
  if (nonDeterministic.test(given)) {
    return `${given}() returns a different value each time, but a retried run must write the same file`
  }
  if (aggregates.test(given))
    return `${given}() is an aggregate, but an export writes one row for each row it reads`
  if (/^arrayJoin$/i.test(given))
    return 'arrayJoin() turns one row into several, but an export writes one row for each row it reads'
  return `Unsupported function call '${given}(...)'`
}
