import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { destinationTypes } from './destination-types.ts'

const literal = `['"](?:${destinationTypes.join('|')})['"]`
/** In code and in SQL. */
const comparison = new RegExp(
  `(?:[!=]==?|case|WHEN|destination_type (?:=|<>|IN \\())\\s*${literal}|${literal}\\s*[!=]==?`,
)

test.each(["type === 'File'", "'S3' !== type", "case 'S3':", "destination_type = 'S3'", "WHEN 'File' THEN"])(
  '%s is a comparison',
  (code) => {
    expect(code).toMatch(comparison)
  },
)

test('no code compares the type of a destination, so that a new type needs only a file and a line in each table', () => {
  const files = globSync('src/**/*.{ts,tsx,sql}').filter((file) => !/\.test\.|\/testing\//.test(file))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => comparison.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
