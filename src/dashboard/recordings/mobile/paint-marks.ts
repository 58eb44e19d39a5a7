import type { Mark } from './place-items.ts'
import { colors, type Box } from './view-look.ts'

type Context = OffscreenCanvasRenderingContext2D

const unchecked = '#6d717c'

/** Paints what `screen.css` draws for an `i`; `textColor` is the color of the view's text. */
export function paintMark(context: Context, mark: Mark, place: Box, textColor: string): void {
  context.globalAlpha *= mark.opacity
  painters.get(mark.name)?.(context, mark, place, textColor)
}

const painters: ReadonlyMap<string, typeof paintMark> = new Map([
  ['checkbox', paintCheckbox],
  ['radio', paintRadio],
  ['toggle', paintToggle],
  ['bar', paintBar],
  ['circular', paintRing],
  ['signal', paintSignal],
  ['battery', paintBattery],
])

/** Fills a box with diagonal stripes; the caller clips. */
export function paintPlaceholder(context: Context, { x, y, width, height }: Box): void {
  const length = (width + height) / Math.SQRT2
  context.save()
  context.fillStyle = colors.paper
  context.fillRect(x, y, width, height)
  context.fillStyle = '#e4e5e0'
  context.translate(x + width / 2, y + height / 2)
  context.rotate(Math.PI / 4)
  for (let at = -length / 2; at < length / 2; at += 12) context.fillRect(at, -length, 6, 2 * length)
  context.restore()
}

function paintCheckbox(context: Context, { isOn }: Mark, { x, y }: Box): void {
  strokeRound(context, isOn ? colors.accent : unchecked, { x: x + 1, y: y + 1, width: 16, height: 16 }, 2, 2)
  if (!isOn) return
  fillRound(context, colors.accent, { x: x + 1, y: y + 1, width: 16, height: 16 }, 2)
  context.fillStyle = 'white'
  context.font = 'bold 13px system-ui'
  context.textAlign = 'center'
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = context.measureText('')
  context.fillText('✓', x + 9, y + 9 + (up - down) / 2)
}

function paintRadio(context: Context, { isOn }: Mark, { x, y }: Box): void {
  if (isOn) {
    fillRound(context, 'white', { x: x + 2, y: y + 2, width: 14, height: 14 }, 7)
    fillRound(context, colors.accent, { x: x + 5, y: y + 5, width: 8, height: 8 }, 4)
  }
  strokeRound(context, isOn ? colors.accent : unchecked, { x: x + 1, y: y + 1, width: 16, height: 16 }, 8, 2)
}

function paintToggle(context: Context, { isOn }: Mark, { x, y }: Box): void {
  fillRound(context, isOn ? colors.accent : colors.line, { x, y, width: 40, height: 24 }, 12)
  fillRound(context, 'white', { x: x + (isOn ? 19 : 3), y: y + 3, width: 18, height: 18 }, 9)
}

function paintBar(context: Context, { share, color }: Mark, { x, y, width, height }: Box): void {
  context.save()
  outline(context, { x, y, width, height }, 3)
  context.clip()
  context.fillStyle = colors.line
  context.fillRect(x, y, width, height)
  context.fillStyle = colors.accent
  // A canvas ignores invalid colors.
  if (color !== null) context.fillStyle = color
  context.fillRect(x, y, width * share, height)
  context.restore()
}

function paintRing(context: Context, { share, color }: Mark, { x, y, width, height }: Box): void {
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  const ring = (fill: string, to: number) => {
    context.fillStyle = colors.accent
    context.fillStyle = fill
    context.save()
    context.beginPath()
    context.ellipse(middleX, middleY, width / 2, height / 2, 0, 0, 2 * Math.PI)
    context.ellipse(middleX, middleY, (0.79 * width) / 2, (0.79 * height) / 2, 0, 0, 2 * Math.PI)
    context.clip('evenodd')
    context.beginPath()
    context.moveTo(middleX, middleY)
    context.arc(middleX, middleY, width + height, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * to)
    context.fill()
    context.restore()
  }
  ring(colors.line, 1)
  ring(color ?? colors.accent, share)
}

function paintSignal(context: Context, _mark: Mark, { x, y, width, height }: Box, color: string): void {
  context.save()
  context.beginPath()
  context.moveTo(x, y + 0.7 * height)
  context.lineTo(x + width, y)
  context.lineTo(x + width, y + height)
  context.lineTo(x, y + height)
  context.clip()
  context.fillStyle = color
  for (let left = 0; left < width; left += 5) context.fillRect(x + left, y, 3, height)
  context.restore()
}

function paintBattery(context: Context, _mark: Mark, { x, y, width, height }: Box, color: string): void {
  strokeRound(context, color, { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 }, 2.5, 1)
  fillRound(context, color, { x: x + 2, y: y + 2, width: width - 4, height: height - 4 }, 1)
}

/** Makes a box with rounded corners the current path. */
export function outline(context: Context, { x, y, width, height }: Box, radius: number): void {
  context.beginPath()
  context.roundRect(x, y, width, height, Math.min(radius, width / 2, height / 2))
}

export function fillRound(context: Context, color: string, box: Box, radius: number): void {
  context.fillStyle = color
  outline(context, box, radius)
  context.fill()
}

export function strokeRound(
  context: Context,
  color: string,
  box: Box,
  radius: number,
  lineWidth: number,
): void {
  context.strokeStyle = color
  context.lineWidth = lineWidth
  outline(context, box, radius)
  context.stroke()
}
