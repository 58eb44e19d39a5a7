import type { Expression, FunctionRule } from './expression.ts'
import * as sql from './function-sql.ts'

const unlimited = Infinity
const ofTime = { times: [0] } as const
const timeOfTime = { times: [0], time: true } as const
// Shifting a time by a row's value could leave the supported range, which is an error in ClickHouse.
const shifted = { ...timeOfTime, constants: [1] } as const
const compared = { operands: 'compared', nullable: false } as const
const calculated = { operands: 'calculated' } as const
const fromNumber = { ...calculated, nullable: true, time: true } as const
const listed = { ...compared, constants: [1], check: listedConstants } as const
const pattern = { constants: [1], nullable: false } as const

/**
 * The allow-list of functions that a query can call: deterministic functions of a single row that no value can make fail.
 * They are printed by function-sql.ts, or called in ClickHouse by the same name.
 */
export const functionRules: ReadonlyMap<string, FunctionRule> = new Map([
  // comparisons and logic
  ...compare('equals less greater lessOrEquals greaterOrEquals', 0, compared),
  ...compare('notEquals', 1, compared),
  ...compare('in', 0, listed),
  ...compare('notIn', 1, listed),
  ...compare('like ilike match', 0, pattern),
  ...compare('notLike notILike', 1, pattern),
  ...group('and or xor', [2, unlimited]),
  ...group('not', [1, 1]),
  ...group('isNull isNotNull', [1, 1], { nullable: false }),
  ...group('if', [3, 3], { time: 'passes' }),
  ...group('multiIf', [3, unlimited], { time: 'passes' }),
  ...group('caseWithExpression', [4, unlimited], { time: 'passes' }),
  ...group('coalesce', [1, unlimited], { nullable: 'if all are', time: 'passes' }),
  ...group('ifNull', [2, 2], { nullable: 'if all are', time: 'passes' }),
  ...group('nullIf', [2, 2], { nullable: true, time: 'passes' }),
  ...group('least greatest', [2, unlimited], { operands: 'compared', time: 'passes' }),

  // numbers
  ...group('plus minus multiply divide', [2, 2], { ...calculated, time: 'passes' }),
  ...group('modulo', [2, 2], { ...calculated, nullable: true, print: sql.modulo }),
  ...group('pow atan2 hypot', [2, 2], calculated),
  ...group('negate abs sign sqrt cbrt exp exp2 exp10 log log2 log10 degrees radians', [1, 1], calculated),
  ...group('sin cos tan asin acos atan sinh cosh tanh isFinite isInfinite isNaN', [1, 1], calculated),
  ...group('round floor ceil trunc', [1, 2], calculated),
  ...group('bitNot bitCount', [1, 1]),
  ...group('bitAnd bitOr bitXor', [2, 2]),
  ...group('pi e', [0, 0]),

  // conversions
  ...group('toString toJSONString', [1, 1]),
  ...group('toInt', [1, 1], { nullable: true, print: sql.cast('Int64') }),
  ...group('toFloat', [1, 1], { nullable: true, print: sql.cast('Float64') }),
  ...group('toBool', [1, 1], { nullable: true, print: sql.cast('Bool') }),
  ...group('toUUID', [1, 1], { nullable: true, print: sql.cast('UUID') }),
  ...group('toDecimal', [2, 2], { constants: [1], nullable: true, print: sql.toDecimal }),

  // times
  ...group('toDateTime', [1, 2], { constants: [1], nullable: true, time: true, print: sql.toDateTime }),
  ...group('parseDateTime', [2, 3], {
    constants: [1, 2],
    nullable: true,
    time: true,
    print: sql.parseDateTime,
  }),
  ...group('toDate', [1, 1], timeOfTime),
  ...group('toUnixTimestamp', [1, 1], { ...ofTime, print: sql.toUnixClock('Second') }),
  ...group('toUnixTimestamp64Milli', [1, 1], { ...ofTime, print: sql.toUnixClock('Milli') }),
  ...group('fromUnixTimestamp', [1, 1], { ...fromNumber, print: sql.fromUnixClock('Second') }),
  ...group('fromUnixTimestamp64Milli', [1, 1], { ...fromNumber, print: sql.fromUnixClock('Milli') }),
  ...group('toYear toQuarter toMonth toDayOfYear toDayOfMonth toHour toMinute toSecond', [1, 1], ofTime),
  ...group('toISOYear toISOWeek toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss', [1, 1], ofTime),
  ...weeks('toWeek toDayOfWeek', ofTime),
  ...weeks('toStartOfWeek', timeOfTime),
  ...group('toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toStartOfDay', [1, 1], timeOfTime),
  ...group('toStartOfHour toStartOfMinute toStartOfSecond toStartOfFiveMinutes', [1, 1], timeOfTime),
  ...group('toStartOfTenMinutes toStartOfFifteenMinutes toMonday toLastDayOfMonth', [1, 1], timeOfTime),
  ...group('toStartOfInterval', [2, 3], { ...timeOfTime, constants: [2] }),
  ...group('dateTrunc', [2, 3], { constants: [0, 2], times: [1], time: true }),
  ...group('dateDiff age', [3, 4], { constants: [0, 3], times: [1, 2] }),
  ...group('toTimeZone', [2, 2], { ...timeOfTime, constants: [1] }),
  ...group('formatDateTime', [2, 3], { ...ofTime, constants: [1, 2] }),
  ...group('addYears addQuarters addMonths addWeeks addDays addHours addMinutes addSeconds', [2, 2], shifted),
  ...group('subtractYears subtractQuarters subtractMonths subtractWeeks subtractDays', [2, 2], shifted),
  ...group('subtractHours subtractMinutes subtractSeconds', [2, 2], shifted),
  ...group('toIntervalYear toIntervalQuarter toIntervalMonth toIntervalWeek', [1, 1], { constants: [0] }),
  ...group('toIntervalDay toIntervalHour toIntervalMinute toIntervalSecond', [1, 1], { constants: [0] }),

  // text
  ...group('concat', [1, unlimited], { nullable: false, print: sql.concat }),
  ...group('lower upper lowerUTF8 upperUTF8 initcap length lengthUTF8 reverse reverseUTF8 ascii', [1, 1]),
  ...group('empty notEmpty isValidUTF8 toValidUTF8', [1, 1]),
  ...group('trim trimLeft trimRight', [1, 2], { constants: [1] }),
  ...group('substring substringUTF8', [2, 3], { constants: [2] }),
  ...group('left right leftUTF8 rightUTF8', [2, 2], { constants: [1] }),
  ...group('startsWith endsWith', [2, 2]),
  ...group('substringIndex', [3, 3], { constants: [1, 2] }),
  ...group('position positionUTF8 positionCaseInsensitive positionCaseInsensitiveUTF8', [2, 3]),
  ...group('countSubstrings countSubstringsCaseInsensitive', [2, 2]),
  ...group('replaceOne replaceAll replaceRegexpOne replaceRegexpAll', [3, 3], { constants: [1, 2] }),
  ...group('extract extractAll countMatches', [2, 2], { constants: [1] }),
  ...group('splitByChar splitByString splitByRegexp', [2, 2], { constants: [0] }),
  ...group('splitByWhitespace splitByNonAlpha', [1, 1]),
  ...group('arrayStringConcat', [1, 2], { constants: [1] }),
  ...group('hex base64Encode tryBase64Decode encodeURLComponent decodeURLComponent', [1, 1]),
  ...group('protocol domain domainWithoutWWW topLevelDomain cutToFirstSignificantSubdomain', [1, 1]),
  ...group('path pathFull queryString fragment queryStringAndFragment cutQueryString cutFragment', [1, 1]),
  ...group('extractURLParameter cutURLParameter', [2, 2], { constants: [1] }),
  ...group('cutWWW extractURLParameters extractURLParameterNames isIPv4String isIPv6String', [1, 1]),

  // JSON
  ...group('isValidJSON', [1, 1]),
  ...group('JSONHas JSONLength JSONType JSONExtractString JSONExtractInt JSONExtractUInt', [1, unlimited]),
  ...group('JSONExtractFloat JSONExtractBool JSONExtractRaw JSONExtractArrayRaw JSONExtractKeys', [
    1,
    unlimited,
  ]),
  ...group('JSONExtract', [2, unlimited], { constants: [-1], check: knownJsonType, nullable: true }),

  // hashes
  ...group('cityHash64 sipHash64 farmHash64 xxHash32 xxHash64 murmurHash3_32 murmurHash3_64', [1, unlimited]),
  ...group('xxh3', [1, unlimited]),
  ...group('MD5 SHA1 SHA224 SHA256 SHA512 halfMD5', [1, 1]),

  // lists
  ...group('array', [0, unlimited]),
  ...group('tuple', [1, unlimited]),
  ...group('arrayElement has hasAny hasAll indexOf countEqual arrayPushBack arrayPushFront', [2, 2]),
  ...group('tupleElement', [2, 2], { constants: [1] }),
  ...group('arrayConcat', [1, unlimited]),
  ...group('arraySlice', [2, 3], { constants: [1, 2] }),
  ...group('arrayDistinct arraySort arrayReverseSort arrayReverse arrayUniq arrayCompact', [1, 1]),
  ...group('arrayFlatten arrayMin arrayMax arraySum arrayAvg arrayPopBack arrayPopFront', [1, 1]),
])

type Rest = Omit<FunctionRule, 'arity'>
type Entries = (readonly [string, FunctionRule])[]

function group(names: string, arity: readonly [number, number], rest: Rest = {}): Entries {
  return names.split(' ').map((name) => [name, { arity, ...rest }])
}

function compare(names: string, unknown: 0 | 1, rest: Rest): Entries {
  return names
    .split(' ')
    .map((name) => [name, { arity: [2, 2], ...rest, print: sql.comparison(name, unknown) }])
}

function weeks(names: string, rest: Rest): Entries {
  return names
    .split(' ')
    .map((name) => [name, { arity: [1, 2], constants: [1], ...rest, print: sql.withWeekMode(name) }])
}

function listedConstants([, list]: readonly Expression[]): string | null {
  const isList = list?.kind === 'call' && (list.name === 'tuple' || list.name === 'array')
  return isList && list.args.length > 0 ? null : 'IN expects a list of constants'
}

/** Types that JSONExtract may return; without this list, a query could use every type of ClickHouse. */
const jsonType = /^(?:Array\()?(?:Nullable\()?(?:String|Int64|UInt64|Float64|Bool)\){0,2}$/

function knownJsonType(args: readonly Expression[]): string | null {
  const type = args.at(-1)
  if (type?.kind === 'constant' && typeof type.value === 'string' && jsonType.test(type.value)) return null
  return 'JSONExtract can return String, Int64, UInt64, Float64 or Bool, also as Nullable(…) and Array(…)'
}
