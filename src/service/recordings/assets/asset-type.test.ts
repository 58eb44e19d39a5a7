import { expect, test } from 'vitest'
import { assetType } from './asset-type.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

test.each([
  ['\x89PNG\r\n\x1a\nrest', 'image/png'],
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
  ['\0\0\0\x1cftypavif', 'image/avif'],
  ['BM\x10\0', 'image/bmp'],
  ['\0\0\x01\0\x01\0', 'image/x-icon'],
  ['wOFF\0\x01', 'font/woff'],
  ['wOF2\0\x01', 'font/woff2'],
  ['\0\x01\0\0\0', 'font/ttf'],
  ['OTTO\0', 'font/otf'],
  [svg, 'image/svg+xml'],
  [
    `\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a lamp --><!DOCTYPE svg PUBLIC "x" "y">\n${svg}`,
    'image/svg+xml',
  ],
  ['<!doctype html><svg></svg>', null],
  ['<html><svg></svg></html>', null],
  ['<svgx>', null],
  ['body { color: red }', null],
  ['{"type":"image/png"}', null],
  ['%PDF-1.7', null],
  ['', null],
])('a file that starts with %j is %s', (start, type) => {
  expect(assetType(Buffer.from(start, 'latin1'), false)).toBe(type)
})

test.each([
  ['@import "a.css";', true],
  ['\xef\xbb\xbf/* shop */ body{}', true],
  ['', true],
  ['  <!doctype html><title>Sign in</title>', false],
  ['{"error":"not found"}', false],
  ['\x89PNG\r\n\x1a\n\0', false],
])('a style sheet is text without markup: %j, %s', (start, isStylesheet) => {
  const type = assetType(Buffer.from(start, 'latin1'), true)
  expect(type).toBe(isStylesheet ? 'text/css; charset=utf-8' : null)
})
