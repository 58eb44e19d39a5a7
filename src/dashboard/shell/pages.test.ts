import { expect, test } from 'vitest'
import { sidebarRouteAt, type allPages, type RoutePath } from './pages.ts'

type Listed = ReturnType<typeof allPages>[number]['to']

// Fails to compile if the registry lacks a route.
const unlisted: Exclude<RoutePath, Listed>[] = []
unlisted satisfies never[]

test.each([
  ['/', '/'],
  ['/repair', '/problems'],
  ['/problems', '/problems'],
  ['/exports', '/exports'],
  ['/exports/4711/logs', '/exports'],
  ['/runs/4711', '/exports'],
  ['/recordings/4711', '/recordings'],
  ['/recordings/errors', '/recordings/errors'],
  ['/recordings/errors-of-mine', '/recordings'],
  ['/settings/keys', '/settings/keys'],
  ['/settings', undefined],
])('%s belongs to %s in the sidebar', (pathname, to) => {
  expect(sidebarRouteAt(pathname)).toBe(to)
})
