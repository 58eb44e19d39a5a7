import { expect, test } from 'vitest'
import { pixelsIn } from './picture-size.ts'

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

/** The starts of pictures of a canvas of 300 × 20 px, as Chrome encodes them. */
const starts = {
  PNG: 'iVBORw0KGgoAAAANSUhEUgAAASwAAAAUCAYAAAA3IwAB',
  'WebP with more than a picture': 'UklGRlgCAABXRUJQVlA4WAoAAAAwAAAAKwEAEwAASUNDUMgB',
  'lossy WebP': 'UklGRmAAAABXRUJQVlA4IFQAAADwBACdASosARQAPu12t1Yp',
  'lossless WebP': 'UklGRiwAAABXRUJQVlA4TB8AAAAvK8EEEA8wCnM8CgMY8BCT',
}

test.each(Object.entries(starts))('reads the size of a picture: %s', (_, start) => {
  expect(pixelsIn(bytesOf(start))).toBe(6_000)
})

test('knows no size of other pictures', () => {
  expect(pixelsIn(bytesOf(btoa('GIF89a, and its data')))).toBe(Infinity)
})

test('fails for a picture that is cut off', () => {
  for (const start of Object.values(starts))
    expect(() => pixelsIn(bytesOf(start.slice(0, 28)))).toThrow(RangeError)
})
