/** Number of first bytes that determine a file's type. */
export const typeBytes = 4096
export const stylesheetType = 'text/css; charset=utf-8'

/** First bytes of each type, as Latin-1. */
const signatures: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBPVP8'],
  ['image/avif', 4, 'ftypavif'],
  ['image/avif', 4, 'ftypavis'],
  ['image/bmp', 0, 'BM'],
  ['image/x-icon', 0, '\0\0\x01\0'],
  ['font/woff', 0, 'wOFF'],
  ['font/woff2', 0, 'wOF2'],
  ['font/ttf', 0, '\0\x01\0\0'],
  ['font/ttf', 0, 'true'],
  ['font/otf', 0, 'OTTO'],
]

const xmlStart = /^(?:<\?xml[^>]*>|<!--[^]*?-->|<!doctype\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>|\s+)/i

/**
 * Returns the media type of a file that a browser can show without running anything, by its first bytes; null for any other
 * file. Any text without markup can be a style sheet.
 */
export function assetType(bytes: Buffer, isStylesheet: boolean): string | null {
  const start = bytes.subarray(0, typeBytes)
  const text = start.toString('utf8').replace(/^\ufeff/, '')
  if (isStylesheet) return isPlainText(text) && !/^\s*[<{[]/.test(text) ? stylesheetType : null
  const latin = start.toString('latin1')
  const [type] = signatures.find(([, offset, signature]) => latin.startsWith(signature, offset)) ?? []
  if (type !== undefined) return type
  return isPlainText(text) && isSvg(text) ? 'image/svg+xml' : null
}

function isPlainText(text: string): boolean {
  return !/(?![\t\n\f\r])\p{Cc}/u.test(text)
}

function isSvg(text: string): boolean {
  let rest = text
  for (let match = xmlStart.exec(rest); match; match = xmlStart.exec(rest)) rest = rest.slice(match[0].length)
  return /^<svg[\s>/]/i.test(rest)
}
