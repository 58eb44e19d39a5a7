import { isObject } from '../../../replay/recorded/rrweb.ts'
import type { Wireframe } from '../../../replay/screen.ts'

/** Longest length drawn, in pixels. */
const lengthMax = 20_000
const color = /^(?:#[\da-f]{3,8}|[a-z]{3,30}|(?:rgb|hsl)a?\([\d\s.,%/]{1,60}\))$/i
const fontName = /^[\w .-]{1,60}$/
const genericFonts = new Set(['serif', 'sans-serif', 'monospace', 'cursive', 'system-ui'])
const places: ReadonlyMap<unknown, string> = new Map([
  ['top', 'flex-start'],
  ['left', 'flex-start'],
  ['center', 'center'],
  ['bottom', 'flex-end'],
  ['right', 'flex-end'],
])
const sizes: ReadonlySet<unknown> = new Set(['contain', 'cover', 'auto'])
const defaultFontSize = 14

/** Returns the CSS declarations of a wireframe's place and look. Invalid values are left out. */
export function styleOf(wireframe: Wireframe): string {
  const style = isObject(wireframe['style']) ? wireframe['style'] : {}
  const border = pixels(style['borderWidth'])
  const declarations: Record<string, string | null> = {
    color: colorOf(style['color']),
    'background-color': colorOf(style['backgroundColor']),
    ...backgroundOf(style),
    border: border && border > 0 ? `${border}px solid ${colorOf(style['borderColor']) ?? ''}` : null,
    'border-radius': length(style['borderRadius']),
    'font-size': length(style['fontSize']),
    'font-family': fontsOf(style['fontFamily']),
    'align-items': places.get(style['verticalAlign']) ?? null,
    'justify-content': places.get(style['horizontalAlign']) ?? null,
    'padding-top': length(style['paddingTop']),
    'padding-right': length(style['paddingRight']),
    'padding-bottom': length(style['paddingBottom']),
    'padding-left': length(style['paddingLeft']),
    'white-space': hasManyLines(wireframe, style) ? 'pre-wrap' : null,
  }
  const valid = Object.entries(declarations).filter(([, value]) => value !== null)
  return [placeOf(wireframe), ...valid.map(([name, value]) => `${name}: ${value}`)].join('; ')
}

/** Returns a length in pixels, such as 16, "16" or "16px", within the bounds of a screen; null for anything else. */
export function pixels(value: unknown): number | null {
  const number =
    typeof value === 'string' ? Number.parseFloat(/^-?[\d.]{1,9}(?=(?:px)?$)/.exec(value)?.[0] ?? '') : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return null
  return Math.min(Math.max(-lengthMax, number), lengthMax)
}

export function colorOf(value: unknown): string | null {
  return typeof value === 'string' && color.test(value) ? value : null
}

/** Returns a data URL of an image that a recorder sent as base64, with or without its type; null for anything else. */
export function imageOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const prefix = /^data:image\/(?:png|jpe?g|webp|gif);base64,/i.exec(value)?.[0] ?? ''
  const base64 = value.slice(prefix.length)
  return base64 === '' || /[^\w+/=\s]|_/.test(base64)
    ? null
    : `${prefix || 'data:image/png;base64,'}${base64}`
}

/** Returns the CSS declarations of a wireframe's place on the screen. */
export function placeOf({ x, y, width, height }: Wireframe): string {
  const across = width === '100vw' ? '100vw' : `${Math.max(0, pixels(width) ?? 0)}px`
  const down = `${Math.max(0, pixels(height) ?? 0)}px`
  return `left: ${pixels(x) ?? 0}px; top: ${pixels(y) ?? 0}px; width: ${across}; height: ${down}`
}

function backgroundOf({ backgroundImage, backgroundSize }: Wireframe): Record<string, string> {
  const image = imageOf(backgroundImage)
  if (image === null) return {}
  const size = sizes.has(backgroundSize) ? String(backgroundSize) : 'auto'
  return { 'background-image': `url("${image.replaceAll(/\s/g, '')}")`, 'background-size': size }
}

/** Whether a text wraps is not recorded, and the viewer's fonts differ from the phone's. */
function hasManyLines({ height }: Wireframe, { fontSize }: Wireframe): boolean {
  return (pixels(height) ?? 0) > 2.4 * (pixels(fontSize) ?? defaultFontSize)
}

function fontsOf(value: unknown): string | null {
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : []
  const fonts = names
    .filter((name) => fontName.test(name))
    .map((name) => (genericFonts.has(name) ? name : `"${name}"`))
  return fonts.length > 0 ? [...fonts, 'system-ui', 'sans-serif'].join(', ') : null
}

function length(value: unknown): string | null {
  const number = pixels(value)
  return number === null ? null : `${Math.max(0, number)}px`
}
