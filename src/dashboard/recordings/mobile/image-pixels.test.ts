import { expect, test } from 'vitest'
import { imagePixels } from './image-pixels.ts'

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/** The starts of images of 300 × 20 px. */
const starts = {
  JPEG: 'ffd8 ffe0 0006 4a464946 ffff ffc4 0004 ffc0 ffc2 0011 08 0014 012c 03',
  GIF: '474946383961 2c01 1400 00 0000 2c 0000 0000 2c01 1400',
  'GIF with colors and extensions': `474946383961 2c01 1400 80 0000 ${'00'.repeat(6)} 21f9 04 00000000 00 21fe 01 21 02 2c2c 00 2c 0000 0000 0100 0100`,
  'GIF whose frame is larger than its screen': '474946383761 0100 0100 00 0000 2c 0a00 0400 2201 1000',
  PNG: '89504e470d0a1a0a 0000000d 49484452 0000012c 00000014',
}

test.each(Object.entries(starts))('reads the size of an image: %s', (_, start) => {
  expect(imagePixels(bytesOf(start))).toBe(6_000)
  expect(() => imagePixels(bytesOf(start).slice(0, -2))).toThrow(RangeError)
})

test('knows no size of other images', () => {
  expect(imagePixels(bytesOf('424d 0000 0000 0000 0000 0000'))).toBe(Infinity)
})
