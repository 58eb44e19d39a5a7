import { lineHeight, type Box, type Look } from './view-look.ts'

/** What a view shows beside other views; sizes are in pixels. */
export type Item = { width: number; height: number } & (
  | { kind: 'text'; lines: string[] }
  | { kind: 'image'; src: string }
  | { kind: 'mark'; name: string; isOn: boolean; share: number; color: string | null; opacity: number }
)

type Measure = { measureText: (text: string) => { width: number } }

export type Mark = Extract<Item, { kind: 'mark' }>

/** Returns a text in lines that fit into a width (px) if the view lets them wrap; `context` has the view's font. */
export function textItem(context: Measure, text: string, width: number, look: Look): Item {
  const { whiteSpace, inherited } = look
  const measure = (line: string) => context.measureText(line).width
  const paragraphs = whiteSpace === 'normal' ? [text.trim().replaceAll(/\s+/g, ' ')] : text.split('\n')
  const lines =
    whiteSpace === 'pre'
      ? paragraphs
      : paragraphs.flatMap((paragraph) => wrapped(paragraph, width, measure, inherited.breaksWords))
  return {
    kind: 'text',
    lines,
    width: lines.reduce((widest, line) => Math.max(widest, measure(line)), 0),
    height: lines.length * lineHeight * inherited.fontSize,
  }
}

/** Where a line can break: after spaces and hyphens, and beside ideographs. */
const breaks =
  /(?<=[\s\u2010-\u2014-])(?!\s)|(?<=[\u2e80-\u9fff\uac00-\ud7af])(?!\s)|(?=[\u2e80-\u9fff\uac00-\ud7af])/u

/** Adds up the widths of a line's parts: measuring each longer line takes a time that grows with its square. */
function wrapped(
  paragraph: string,
  width: number,
  measure: (line: string) => number,
  breaksWords: boolean,
): string[] {
  const lines: string[] = []
  let [line, taken] = ['', 0]
  for (const part of paragraph.split(breaks)) {
    const seen = measure(part.trimEnd())
    if (line !== '' && taken + seen > width) {
      lines.push(line.trimEnd())
      ;[line, taken] = ['', 0]
    }
    if (breaksWords && line === '' && seen > width) {
      const pieces = brokenWord(part, width, measure)
      line = pieces.pop() ?? ''
      for (const piece of pieces) lines.push(piece)
      taken = measure(line)
    } else {
      line += part
      taken += measure(part)
    }
  }
  return [...lines, line.trimEnd()]
}

function brokenWord(word: string, width: number, measure: (line: string) => number): string[] {
  const lines: string[] = []
  let [line, taken] = ['', 0]
  for (const character of word) {
    const added = measure(character)
    if (line !== '' && taken + added > width) {
      lines.push(line)
      ;[line, taken] = ['', 0]
    }
    line += character
    taken += added
  }
  return [...lines, line]
}

/** Places items in a row as a flex container with the view's look does. */
export function placeItems(
  items: readonly Item[],
  area: Box,
  { justify, align, gap }: Look,
): { item: Item; place: Box }[] {
  const free = area.width - items.reduce((sum, { width }) => sum + width, gap * (items.length - 1))
  const { start, between } = spaces(justify, free, items.length)
  let x = area.x + start
  return items.map((item) => {
    const { width, height } = item
    const below = area.height - height
    const y = area.y + (align === 'center' ? below / 2 : align === 'flex-end' ? below : 0)
    const place = { x, y, width, height }
    x += width + gap + between
    return { item, place }
  })
}

function spaces(justify: string, free: number, count: number): { start: number; between: number } {
  switch (justify) {
    case 'center':
      return { start: free / 2, between: 0 }
    case 'end':
    case 'flex-end':
      return { start: free, between: 0 }
    case 'space-between':
      return { start: 0, between: count > 1 ? Math.max(0, free / (count - 1)) : 0 }
    case 'space-around':
      return { start: Math.max(0, free / count / 2), between: Math.max(0, free / count) }
    default:
      return { start: 0, between: 0 }
  }
}
