import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '..')
const Engines = z.object({ engines: z.object({ node: z.string().optional() }).optional() })
const Lock = z.object({ packages: z.record(z.string(), Engines) })

/** Major and minor version of the oldest Node with which `npm ci` must work. */
const oldestNode = [20, 19]

/** Returns whether a version range like `^20.19.0 || >=22.12.0` includes the version. */
function includes(range: string, [major = 0, minor = 0]: readonly number[]): boolean {
  return range.split('||').some((part) => {
    const [, sign, first, second] = /^\s*(>=|\^|~)?\s*(\d+)(?:\.(\d+))?/.exec(part) ?? []
    if (first === undefined) return true
    const isNewEnough = major > Number(first) || (major === Number(first) && minor >= Number(second ?? 0))
    return isNewEnough && (sign === '>=' || major === Number(first))
  })
}

test.each([
  ['>=20', true],
  ['>= 18.0.0', true],
  ['^20.19.0 || >=22.12.0', true],
  ['18 || 20 || >=22', true],
  ['*', true],
  ['>=22', false],
  ['>=20.20', false],
  ['^22.12.0 || ^24.0.0 || >=26.0.0', false],
])('Node 20.19 in %s: %s', (range, expected) => {
  expect(includes(range, oldestNode)).toBe(expected)
})

test('npm ci prints no engine warning with any Node that the project supports', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))
  const refused = Object.entries(packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !includes(engines.node, oldestNode))
    .map(([path, { engines }]) => `${path}: ${engines?.node}`)
  // The packages run on Node 24, which `npm ci` installs: remove these packages' "engines" from package-lock.json.
  expect(refused).toEqual([])
})
