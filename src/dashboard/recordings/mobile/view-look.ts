/* The look of a view, by its classes, as in `screen.css`, and by its `style` attribute. */

/** In pixels of the screen. */
export type Box = { x: number; y: number; width: number; height: number }

/** What views inside a view inherit. */
export type Inherited = {
  color: string
  fontSize: number
  fontFamily: string
  isCentered: boolean
  breaksWords: boolean
}

export type Look = {
  box: Box
  inherited: Inherited
  opacity: number
  background: string | null
  image: { src: string; size: string } | null
  isPlaceholder: boolean
  border: { width: number; color: string } | null
  radius: number
  padding: { top: number; right: number; bottom: number; left: number }
  /** Values of CSS: places of the content along and across its row. */
  justify: string
  align: string
  gap: number
  /** Value of CSS: whether lines wrap. */
  whiteSpace: string
  /** Name of the mark that shows a progress, and the opacity of the mark. */
  progress: 'bar' | 'circular' | null
  markOpacity: number
}

export const colors = { paper: '#f3f4f0', ink: '#1b1c1f', line: '#b9bcc4', accent: '#4a67f0' } as const

/** What the outermost views inherit from the body. */
export const inherited: Inherited = {
  color: colors.ink,
  fontSize: 14,
  fontFamily: 'system-ui, sans-serif',
  isCentered: false,
  breaksWords: false,
}

/** Height of a line as a multiple of the font's size. */
export const lineHeight = 1.25

type Rule = Partial<Omit<Look, 'box' | 'inherited' | 'padding'>> & {
  padding?: Partial<Look['padding']>
  text?: Partial<Inherited>
}

/** The rules of `screen.css` by their class, in its order. */
const rules: [string, Rule][] = [
  ['off', { opacity: 0.5 }],
  [
    'placeholder',
    {
      isPlaceholder: true,
      align: 'center',
      justify: 'center',
      whiteSpace: 'normal',
      text: { color: '#4c4f57', isCentered: true, breaksWords: true },
    },
  ],
  ['button', { align: 'center', justify: 'center', radius: 4, background: '#e4e6ee' }],
  [
    'field',
    {
      align: 'center',
      padding: { left: 6, right: 6 },
      border: { width: 1, color: colors.line },
      radius: 4,
      background: 'white',
    },
  ],
  ['area', { align: 'start', padding: { top: 6, right: 6, bottom: 6, left: 6 }, whiteSpace: 'pre-wrap' }],
  ['choice', { align: 'center', gap: 8 }],
  ['spread', { justify: 'space-between' }],
  ['rating', { align: 'center', text: { color: '#9a6700', fontSize: 18 } }],
  ['progress', { align: 'center', progress: 'bar' }],
  ['circular', { progress: 'circular' }],
  ['endless', { markOpacity: 0.6 }],
  ['status-bar', { align: 'center', justify: 'end', gap: 6, padding: { left: 16, right: 16 } }],
  ['navigation-bar', { align: 'center', justify: 'space-around', text: { fontSize: 18 } }],
]
const noPadding = { top: 0, right: 0, bottom: 0, left: 0 }

/**
 * Returns the look of a view inside one with the look `from`; `screenWidth` is in pixels. As in CSS, a color that `isColor`
 * rejects has no effect.
 */
export function lookOf(
  attributes: Readonly<Record<string, unknown>>,
  from: Inherited,
  screenWidth: number,
  isColor: (color: string) => boolean,
): Look {
  const classes = new Set(stringOf(attributes['class']).split(' '))
  const style = declarationsOf(stringOf(attributes['style']))
  const color = (name: string) => {
    const value = style.get(name)
    return value !== undefined && isColor(value) ? value : undefined
  }
  const ofClasses = rules.filter(([name]) => classes.has(name)).map(([, rule]) => rule)
  const rule: Rule = Object.assign({}, ...ofClasses)
  const text = Object.assign({ ...from }, ...ofClasses.map((each) => each.text)) as Inherited
  text.color = color('color') ?? text.color
  text.fontSize = pixelsOf(style, 'font-size') ?? text.fontSize
  text.fontFamily = style.get('font-family') ?? text.fontFamily
  const padding: Look['padding'] = Object.assign({ ...noPadding }, ...ofClasses.map((each) => each.padding))
  for (const side of ['top', 'right', 'bottom', 'left'] as const)
    padding[side] = pixelsOf(style, `padding-${side}`) ?? padding[side]
  const border = borderOf(style.get('border'), text.color, isColor) ?? rule.border ?? null
  const edges = 2 * (border?.width ?? 0)
  const width = style.get('width') === '100vw' ? screenWidth : (pixelsOf(style, 'width') ?? 0)
  const [, src] = /^url\(["']?(data:[^"')]*)/.exec(style.get('background-image') ?? '') ?? []
  return {
    box: {
      x: pixelsOf(style, 'left') ?? 0,
      y: pixelsOf(style, 'top') ?? 0,
      width: Math.max(width, edges + padding.left + padding.right),
      height: Math.max(pixelsOf(style, 'height') ?? 0, edges + padding.top + padding.bottom),
    },
    inherited: text,
    opacity: rule.opacity ?? 1,
    background: color('background-color') ?? rule.background ?? null,
    image: src === undefined ? null : { src, size: style.get('background-size') ?? 'auto' },
    isPlaceholder: rule.isPlaceholder ?? false,
    border,
    radius: pixelsOf(style, 'border-radius') ?? rule.radius ?? 0,
    padding,
    justify: style.get('justify-content') ?? rule.justify ?? 'flex-start',
    align: style.get('align-items') ?? rule.align ?? 'flex-start',
    gap: rule.gap ?? 0,
    whiteSpace: style.get('white-space') ?? rule.whiteSpace ?? 'pre',
    progress: rule.progress ?? null,
    markOpacity: rule.markOpacity ?? 1,
  }
}

export function fontOf({ fontSize, fontFamily }: Inherited): string {
  return `${fontSize}px ${fontFamily}`
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the declarations that `styleOf` wrote. */
function declarationsOf(style: string): Map<string, string> {
  const declarations = new Map<string, string>()
  for (const declaration of style.split('; ')) {
    const colon = declaration.indexOf(': ')
    if (colon > 0) declarations.set(declaration.slice(0, colon), declaration.slice(colon + 2))
  }
  return declarations
}

function pixelsOf(style: ReadonlyMap<string, string>, name: string): number | undefined {
  const number = Number.parseFloat(style.get(name) ?? '')
  return Number.isNaN(number) ? undefined : number
}

/** Returns a border like `2px solid red`; without a color, the border has that of the text. */
function borderOf(
  value: string | undefined,
  textColor: string,
  isColor: (color: string) => boolean,
): Look['border'] {
  const [, width, color = ''] = /^([\d.]+)px solid *(.*)$/.exec(value ?? '') ?? []
  if (width === undefined || (color !== '' && !isColor(color))) return null
  return { width: Number(width), color: color === '' ? textColor : color }
}
