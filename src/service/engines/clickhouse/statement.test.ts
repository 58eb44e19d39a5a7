import { describe, expect, test } from 'vitest'
import { embeddedStatement, parameterNames, parameterText, quoteString, withSettings } from './statement.ts'

describe('a statement', () => {
  test('has its settings at the end, or at the marker', () => {
    expect(withSettings('SELECT 1', { a: 1, b: true, c: "it's" })).toBe(
      `SELECT 1\nSETTINGS a = 1, b = 1, c = 'it\\'s'`,
    )
    expect(withSettings('INSERT INTO t /*settings*/ SELECT 1', { a: '$&' })).toBe(
      `INSERT INTO t SETTINGS a = '$&' SELECT 1`,
    )
    expect(withSettings('INSERT INTO t /*settings*/ SELECT 1', {})).toBe('INSERT INTO t  SELECT 1')
    expect(withSettings('SELECT 1', {})).toBe('SELECT 1')
  })

  test('has no settings inside a string or a name chosen by a user', () => {
    const chosen = `'/*settings*/' AS "/*settings*/", '\\'/*settings*/' AS \`/*settings*/\``
    expect(withSettings(`SELECT ${chosen}`, { a: 1 })).toBe(`SELECT ${chosen}\nSETTINGS a = 1`)
    expect(withSettings(`INSERT INTO t BY ${chosen} /*settings*/ SELECT ${chosen}`, { a: 1 })).toBe(
      `INSERT INTO t BY ${chosen} SETTINGS a = 1 SELECT ${chosen}`,
    )
  })

  test('rejects a setting or parameter whose name is not an identifier', () => {
    expect(() => withSettings('SELECT 1', { 'a = 1, b': 1 })).toThrow('not a valid setting name')
    expect(() => embeddedStatement('SELECT 1', { params: { 'a = 1; SET b': 1 } })).toThrow(
      'not a valid query parameter name',
    )
  })

  test('contains its parameters, mark and settings in its text', () => {
    const options = { params: { id: 1, name: "a'b\\c" }, settings: { max_threads: 1 }, mark: 'run-1' }
    expect(embeddedStatement('SELECT {id: Int64}, {name:String}', options)).toBe(
      `SELECT CAST('1', 'Int64'), 'a\\'b\\\\c'\nSETTINGS max_threads = 1, log_comment = 'run-1'`,
    )
  })

  test('names its parameters, ignoring strings, quoted names and comments', () => {
    const sql = `SELECT {a:Int64}, { b : String }, '{c:String} \\' {d:String}', "{e:X}", \`{f:X}\` -- {g:X}
      /* {h:X}
      {i:X} */ , {j: Array(String)}`
    expect([...parameterNames(sql)]).toEqual(['a', 'b', 'j'])
  })
})

test('a string literal cannot be ended by a quote or backslash in its text', () => {
  expect(quoteString(`\\' OR 1`)).toBe(`'\\\\\\' OR 1'`)
})

test('a parameter is written in the form that ClickHouse reads', () => {
  expect(parameterText('a\tb\nc\\N')).toBe('a\\tb\\nc\\\\N')
  expect(parameterText(null)).toBe('\\N')
  expect(parameterText(['a', "b'c", null, 2, true])).toBe(`['a','b\\'c',NULL,2,true]`)
  expect(parameterText(12n)).toBe('12')
  expect(parameterText(new Date('2026-01-02T03:04:05.678Z'))).toBe('1767323045.678')
  expect(() => parameterText({})).toThrow('cannot be object')
})
