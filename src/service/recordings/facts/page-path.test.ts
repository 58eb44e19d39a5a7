import { expect, test } from 'vitest'
import { pagePath } from './page-path.ts'

test.each([
  ['https://shop.example/reset/k3-Zp9_wQ-r7Tn2x', '/reset/…'],
  ['https://shop.example/auth/eyJhbGciOiJ9.eyJzdWIiOjF9.c2lnbg', '/auth/…'],
  ['https://shop.example/call/+49-171-2345678', '/call/…'],
  ['https://shop.example/shop/arc-floor-lamp-2024', '/shop/arc-floor-lamp-2024'],
  ['https://shop.example/docs/GettingStartedWithVersion', '/docs/GettingStartedWithVersion'],
])('of %s, shows %s', (href, path) => {
  expect(pagePath(href)).toBe(path)
})
