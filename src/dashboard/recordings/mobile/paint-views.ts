import type { PageNode } from '../../../replay/page-nodes.ts'
import { attributesOf, tagOf, type NodesOf } from '../../../replay/page-tree.ts'
import { imagePixels } from './image-pixels.ts'
import { fixedIds } from './screen-document.ts'
import { fillRound, outline, paintMark, paintPlaceholder, strokeRound } from './paint-marks.ts'
import { placeItems, textItem, type Item, type Mark } from './place-items.ts'
import { fontOf, inherited, lookOf, stringOf, type Box, type Inherited, type Look } from './view-look.ts'

/** A picture of a screen as a data URL, and the words that it shows. */
export type Picture = { src: string; words: string }

/** Pixels of the picture for each pixel of the screen, so that a text stays sharp on a dense display. */
const sharpness = 2
/** Largest number of pixels of a picture, of an image inside it, and of all decoded images kept. */
const pixelsMax = 16_000_000
/** Characters of the alternative text. */
const wordsLengthMax = 2_000
/** Sizes (px) of the marks that do not fill their view. */
const markSizes: ReadonlyMap<string, { width: number; height: number }> = new Map([
  ['checkbox', { width: 18, height: 18 }],
  ['radio', { width: 18, height: 18 }],
  ['toggle', { width: 40, height: 24 }],
  ['signal', { width: 18, height: 11 }],
  ['battery', { width: 18, height: 11 }],
])

/** Paints the views of a screen of this size (px) as `screen.css` shows them. */
export async function paintViews(page: NodesOf, width: number, height: number): Promise<Picture> {
  const scale = Math.min(sharpness, Math.sqrt(pixelsMax / (width * height)))
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale))
  const context = canvas.getContext('2d')
  const screen = page.nodes.get(fixedIds.screen)
  if (!context || !screen) throw new Error('There is no canvas or no screen.')
  context.scale(scale, scale)
  const painter = new Painter(page, context, { width, height })
  try {
    await painter.paintChildren(screen, inherited, 1)
  } finally {
    painter.close()
  }
  return { src: await dataUrl(await canvas.convertToBlob()), words: painter.words }
}

class Painter {
  readonly #page: NodesOf
  readonly #context: OffscreenCanvasRenderingContext2D
  readonly #size: { width: number; height: number }
  readonly #colors = new Map<string, boolean>()
  readonly #bitmaps = new Map<string, ImageBitmap>()
  #pixels = 0
  words = ''

  constructor(
    page: NodesOf,
    context: OffscreenCanvasRenderingContext2D,
    size: { width: number; height: number },
  ) {
    this.#page = page
    this.#context = context
    this.#size = size
  }

  async paintChildren(node: PageNode, from: Inherited, opacity: number): Promise<void> {
    for (const child of this.#page.nodes.childrenOf(node))
      if (tagOf(child) === 'div') await this.#paintView(child, from, opacity)
  }

  async #paintView(view: PageNode, from: Inherited, opacity: number): Promise<void> {
    const look = lookOf(attributesOf(view), from, this.#size.width, this.#isColor)
    const content = this.#page.nodes.get(view.first)
    const alpha = opacity * look.opacity
    if (this.#isOnScreen(look.box)) {
      this.#context.globalAlpha = alpha
      await this.#paintBackground(look)
      if (content) await this.#paintContent(content, look, alpha)
    }
    if (content) await this.paintChildren(content, look.inherited, alpha)
  }

  #isOnScreen({ x, y, width, height }: Box): boolean {
    return x < this.#size.width && y < this.#size.height && x + width > 0 && y + height > 0
  }

  async #paintBackground({ box, radius, border, background, image, isPlaceholder }: Look): Promise<void> {
    const context = this.#context
    if (background !== null) fillRound(context, background, box, radius)
    if (isPlaceholder || image) {
      context.save()
      outline(context, box, radius)
      context.clip()
      if (isPlaceholder) paintPlaceholder(context, box)
      if (image) await this.#paintImage(image.src, inside(box, border?.width ?? 0), image.size)
      context.restore()
    }
    if (border) {
      const { width, color } = border
      strokeRound(context, color, inside(box, width / 2), Math.max(0, radius - width / 2), width)
    }
  }

  async #paintContent(content: PageNode, look: Look, alpha: number): Promise<void> {
    const context = this.#context
    const { box, radius, border, padding } = look
    const inner = inside(box, border?.width ?? 0)
    const area = {
      x: inner.x + padding.left,
      y: inner.y + padding.top,
      width: Math.max(0, inner.width - padding.left - padding.right),
      height: Math.max(0, inner.height - padding.top - padding.bottom),
    }
    const items = this.#itemsOf(content, look, area)
    if (items.length === 0) return
    context.save()
    outline(context, inner, Math.max(0, radius - (border?.width ?? 0)))
    context.clip()
    for (const { item, place } of placeItems(items, area, look)) {
      context.globalAlpha = alpha
      if (item.kind === 'image') await this.#paintImage(item.src, place, 'fill')
      else if (item.kind === 'mark') paintMark(context, item, place, look.inherited.color)
      else this.#paintText(item, place, look)
    }
    context.restore()
  }

  /** Returns what a view contains beside other views. */
  #itemsOf(content: PageNode, look: Look, area: Box): Item[] {
    const items: (Item | string)[] = []
    for (const node of this.#page.nodes.childrenOf(content)) {
      const tag = tagOf(node)
      const attributes = attributesOf(node)
      const text = (this.#page.nodes.get(node.first) ?? node).own['textContent']
      if (tag === 'div') break
      if (tag === 'img') items.push({ kind: 'image', src: stringOf(attributes['src']), ...sizeOf(area) })
      else if (typeof text !== 'string') items.push(markOf(attributes, look, area))
      else if (text.trim() !== '') items.push(text)
    }
    const taken = items.reduce((sum, item) => sum + (typeof item === 'string' ? 0 : item.width + look.gap), 0)
    this.#context.font = fontOf(look.inherited)
    return items.map((item) => {
      if (typeof item !== 'string') return item
      this.#addWords(item)
      return textItem(this.#context, item, area.width - taken, look)
    })
  }

  #paintText({ lines }: Extract<Item, { kind: 'text' }>, place: Box, { inherited }: Look): void {
    const context = this.#context
    context.fillStyle = inherited.color
    context.font = fontOf(inherited)
    context.textAlign = inherited.isCentered ? 'center' : 'start'
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText('')
    const [ascent, descent] = [Math.round(fontBoundingBoxAscent), Math.round(fontBoundingBoxDescent)]
    const lineHeight = place.height / lines.length
    const x = inherited.isCentered ? place.x + place.width / 2 : place.x
    for (const [index, line] of lines.entries()) {
      const top = place.y + index * lineHeight
      if (top > this.#size.height) break
      context.fillText(line, x, top + Math.floor((lineHeight - ascent - descent) / 2) + ascent)
    }
  }

  async #paintImage(src: string, { x, y, width, height }: Box, size: string): Promise<void> {
    const bitmap = this.#bitmaps.get(src) ?? (await bitmapOf(src))
    if (!bitmap) return
    this.#keep(src, bitmap)
    const [across, down] = [width / bitmap.width, height / bitmap.height]
    const scale = size === 'cover' ? Math.max(across, down) : size === 'contain' ? Math.min(across, down) : 1
    const [shownWidth, shownHeight] =
      size === 'fill' ? [width, height] : [bitmap.width * scale, bitmap.height * scale]
    this.#context.imageSmoothingQuality = 'medium'
    const [left, top] = [x + (width - shownWidth) / 2, y + (height - shownHeight) / 2]
    this.#context.drawImage(bitmap, left, top, shownWidth, shownHeight)
  }

  /** Keeps decoded images, because a list often shows one many times. */
  #keep(src: string, bitmap: ImageBitmap): void {
    if (this.#bitmaps.has(src)) return
    this.#pixels += bitmap.width * bitmap.height
    if (this.#pixels > pixelsMax) {
      this.close()
      this.#pixels = bitmap.width * bitmap.height
    }
    this.#bitmaps.set(src, bitmap)
  }

  /** Frees the memory of the decoded images. */
  close(): void {
    for (const bitmap of this.#bitmaps.values()) bitmap.close()
    this.#bitmaps.clear()
  }

  readonly #isColor = (color: string): boolean => {
    const known = this.#colors.get(color)
    if (known !== undefined) return known
    const context = this.#context
    // A canvas ignores invalid colors.
    const isColor = ['#000001', '#000002'].some((other) => {
      context.fillStyle = other
      context.fillStyle = color
      return context.fillStyle !== other
    })
    this.#colors.set(color, isColor)
    return isColor
  }

  #addWords(text: string): void {
    if (this.words.length < wordsLengthMax)
      this.words = [this.words, text].join(' ').trim().slice(0, wordsLengthMax)
  }
}

/** Returns the box inside an edge of this width. */
function inside({ x, y, width, height }: Box, edge: number): Box {
  return {
    x: x + edge,
    y: y + edge,
    width: Math.max(0, width - 2 * edge),
    height: Math.max(0, height - 2 * edge),
  }
}

function sizeOf({ width, height }: Box) {
  return { width, height }
}

function markOf(attributes: Readonly<Record<string, unknown>>, look: Look, area: Box): Mark {
  const names = stringOf(attributes['class']).split(' ')
  const style = stringOf(attributes['style'])
  const name = look.progress ?? names[0] ?? ''
  const [, share = '0'] = /--share: (\d+)%/.exec(style) ?? []
  const [, color = null] = /--color: ([^;]+)/.exec(style) ?? []
  const size = markSizes.get(name) ?? sizeOf(area)
  const height = name === 'bar' ? Math.min(area.height, 6) : size.height
  return {
    kind: 'mark',
    name,
    isOn: names.includes('on'),
    share: Number(share) / 100,
    color,
    opacity: look.markOpacity,
    width: size.width,
    height,
  }
}

/** Returns an image at a data URL; null if it cannot be decoded, or if its size is unknown or too large. */
async function bitmapOf(src: string): Promise<ImageBitmap | null> {
  try {
    const bytes = Uint8Array.from(atob(src.slice(src.indexOf(',') + 1)), (character) =>
      character.charCodeAt(0),
    )
    if (!(imagePixels(bytes) <= pixelsMax)) return null
    return await createImageBitmap(new Blob([bytes]))
  } catch {
    // The browser shows nothing either.
    return null
  }
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((done, fail) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => done(stringOf(reader.result)))
    reader.addEventListener('error', () =>
      fail(new Error('The picture cannot be read.', { cause: reader.error })),
    )
    reader.readAsDataURL(blob)
  })
}
