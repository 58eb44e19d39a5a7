import { functionRules } from './allowed-functions.ts'

/** Aliases of functions, in lower case. */
const aliases = byName({
  caseWithExpression: '_casewithexpression',
  ceil: 'ceiling',
  dateDiff: 'date_diff',
  dateTrunc: 'date_trunc',
  lengthUTF8: 'char_length character_length',
  log: 'ln',
  lower: 'lcase',
  minus: 'date_sub datesub',
  modulo: 'mod',
  plus: 'date_add dateadd',
  pow: 'power',
  replaceAll: 'replace',
  replaceRegexpAll: 'regexp_replace',
  substring: 'substr',
  toDate: 'date',
  toDateTime: 'timestamp parsedatetimebesteffort parsedatetime64besteffort',
  toDayOfMonth: 'day',
  toHour: 'hour',
  toMinute: 'minute',
  toMonth: 'month',
  toQuarter: 'quarter',
  toSecond: 'second',
  toYear: 'year',
  trimLeft: 'ltrim',
  trimRight: 'rtrim',
  trunc: 'truncate',
  tryBase64Decode: 'base64decode',
  upper: 'ucase',
})

/** Returns the function of each of these names, which are given by function. */
export function byName(names: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])),
  )
}

const byLowerCase = new Map([...functionRules.keys()].map((name) => [name.toLowerCase(), name]))

/**
 * Returns a function's name in `functionRules`, ignoring case and resolving aliases; any other name is returned
 * unchanged.
 */
export function functionName(given: string): string {
  if (functionRules.has(given)) return given
  const lower = given.toLowerCase()
  return byLowerCase.get(lower) ?? aliases.get(lower) ?? given
}

const nonDeterministic =
  /^(now|now64|nowInBlock|today|yesterday|current_?(date|time|timestamp)|utc_?timestamp|rand\w*|generate\w*|uuid|random\w*|serverUUID)$/i
const aggregates =
  /^(count|countDistinct|sum|avg|min|max|any|anyLast|uniq\w*|quantile\w*|median\w*|group(Array|Uniq|Concat|Bit)\w*|arg(Min|Max)|std\w*|var(Pop|Samp|iance)\w*|covar\w*|corr\w*|topK\w*|first_value|last_value|simpleLinearRegression|skew\w*|kurt\w*|windowFunnel|retention|sequence\w*|array_agg|string_agg)(If|Distinct|Merge|State)*$/i

/** Returns the error for a function that is not supported, with the reason where there is a particular one. */
export function missingFunction(given: string): string {
  if (nonDeterministic.test(given))
    return `${given}() returns a different value each time, but a retried run must write the same file`
  if (aggregates.test(given))
    return `${given}() is an aggregate, but an export writes one row for each row it reads`
  if (/^arrayJoin$/i.test(given))
    return 'arrayJoin() turns one row into several, but an export writes one row for each row it reads'
  return `Unsupported function call '${given}(...)'`
}
