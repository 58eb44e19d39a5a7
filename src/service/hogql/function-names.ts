import { functionRules } from './functions.ts'

/** Other names by which people know a function, in lower case. */
const otherNames: Readonly<Record<string, string>> = {
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

/** The name under which the list of functions has it; the given name when it has not. Upper and lower case are the same. */
export function functionName(given: string): string {
  if (functionRules.has(given)) return given
  const lower = given.toLowerCase()
  return byLowerCase.get(lower) ?? (Object.hasOwn(otherNames, lower) ? (otherNames[lower] ?? given) : given)
}

const changing =
  /^(now|now64|nowInBlock|today|yesterday|current_?(date|time|timestamp)|utc_?timestamp|rand\w*|generate\w*|uuid|random\w*|serverUUID)$/i
const aggregates =
  /^(count|countDistinct|sum|avg|min|max|any|anyLast|uniq\w*|quantile\w*|median\w*|group(Array|Uniq|Concat|Bit)\w*|arg(Min|Max)|std\w*|var(Pop|Samp|iance)\w*|covar\w*|corr\w*|topK\w*|first_value|last_value|simpleLinearRegression|skew\w*|kurt\w*|windowFunnel|retention|sequence\w*|array_agg|string_agg)(If|Distinct|Merge|State)*$/i

/** Why this function is not in the list, where there is something to say about it. */
export function missingFunction(given: string): string {
  if (changing.test(given)) {
    return `${given}() gives something else each time, and a run that is tried again must write the same file`
  }
  if (aggregates.test(given))
    return `${given}() is an aggregate, and an export has one row for each row it reads`
  if (/^arrayJoin$/i.test(given))
    return 'arrayJoin() makes several rows of one, and an export has one for each'
  return `Unsupported function call '${given}(...)'`
}
