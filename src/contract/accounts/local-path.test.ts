import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localPath } from './local-path.ts'

test('a path of this service stays as it is', () => {
  for (const path of ['/', '/exports?state=failing#top', '/a/%2f%2fb', '/a?next=//host', '/%5chost'])
    expect(localPath(path)).toBe(path)
})

test('nothing that a browser resolves to another host passes', () => {
  const parts = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '\t',
    '\n',
    '%2f',
    '%5c',
    'evil.example',
    '@',
    ':',
    'https:',
    '?',
    '#',
  )
  const property = fc.property(fc.array(parts, { maxLength: 8 }), (chosen) => {
    const path = localPath(`/${chosen.join('')}`)
    if (path === undefined) return
    expect(new URL(path, 'https://own.example').origin).toBe('https://own.example')
    expect(path).not.toMatch(/^\/[/\\]/)
  })
  fc.assert(property, { numRuns: 2000 })
  for (const other of ['//evil.example', '/\\evil.example', 'https://evil.example', 'evil', '', null, ['/a']])
    expect(localPath(other)).toBeUndefined()
})
