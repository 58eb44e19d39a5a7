import type { Arrangement, Place } from './arrangement.ts'

type Point = { x: number; y: number }
export type Box = Point & { width: number; height: number }
export type Label = Point & { text: string; align: 'start' | 'middle' }

/** The layout of an arrangement, in CSS pixels from its upper left corner. */
export type Geometry = {
  width: number
  height: number
  /** Size of one window, without the gap around it. */
  cell: { width: number; height: number }
  /** Space between adjacent windows. */
  gap: Point
  labels: readonly Label[]
  /** Returns the upper left corner of a place. */
  cornerOf: (place: Place) => Point
  /** Returns the place nearest to a point; it may hold no window. */
  placeAt: (point: Point) => Place
}

/** Fits an arrangement into a width; the height follows from the contents. */
export function measure(arrangement: Arrangement, width: number): Geometry {
  return arrangement.flow === 'rows' ? measureRows(arrangement, width) : measureColumns(arrangement, width)
}

const labelHeight = 18

function measureRows({ blocks, lines }: Arrangement, width: number): Geometry {
  const left = 74
  const pitchX = clamp(Math.floor((width - left) / lines.length), 9, lines.length === 7 ? 180 : 56)
  // Fewer rows are taller, so that grid and legend are about as tall as the panel beside them.
  const pitchY = clamp(Math.floor(216 / blocks.length), 18, 28)
  const named = namedLines(lines, pitchX >= 20 ? 1 : 3)
  const top = labelHeight
  return {
    width: left + lines.length * pitchX,
    height: top + blocks.length * pitchY,
    cell: { width: pitchX - 2, height: pitchY - 2 },
    gap: { x: 2, y: 2 },
    labels: [
      ...named.map(([text, line]) => labelAt(text, left + (line + 0.5) * pitchX - 1, top / 2, 'middle')),
      ...blocks.map((text, block) => labelAt(text, 0, top + (block + 0.5) * pitchY)),
    ],
    cornerOf: ({ block, line }) => ({ x: left + line * pitchX, y: top + block * pitchY }),
    placeAt: ({ x, y }) => ({
      block: clamp(Math.floor((y - top) / pitchY), 0, blocks.length - 1),
      line: clamp(Math.floor((x - left) / pitchX), 0, lines.length - 1),
      slot: 0,
    }),
  }
}

/** Lays blocks out side by side, in as many bands as they need. */
function measureColumns({ blocks, lines, slots }: Arrangement, width: number): Geometry {
  const isWeek = lines.length === 7
  const left = isWeek ? 36 : 26
  const gap = slots > 1 ? 8 : 0
  const room = width - left
  const pitchX = clamp(Math.floor((room / blocks.length - gap) / slots), slots > 6 ? 7 : 11, isWeek ? 28 : 22)
  const blockWidth = slots * pitchX + gap
  const bands = Math.ceil(blocks.length / Math.max(1, Math.floor(room / blockWidth)))
  const perBand = Math.ceil(blocks.length / bands)
  const pitchY = isWeek ? clamp(pitchX, 14, 24) : bands === 1 ? 14 : 10
  const bandHeight = labelHeight + lines.length * pitchY + 8
  const named = namedLines(lines, isWeek ? (pitchY < 18 ? 2 : 1) : 3 * Math.ceil(13 / pitchY))
  const space = pitchX > 8 ? 2 : 1
  const cornerOf = ({ block, line, slot }: Place): Point => ({
    x: left + (block % perBand) * blockWidth + slot * pitchX,
    y: Math.floor(block / perBand) * bandHeight + labelHeight + line * pitchY,
  })
  return {
    width: left + perBand * blockWidth - gap,
    height: bands * bandHeight - 8,
    cell: { width: pitchX - space, height: pitchY - 2 },
    gap: { x: space, y: 2 },
    labels: [
      ...blockLabels(blocks, { left, blockWidth, bandHeight, perBand }),
      ...Array.from({ length: bands }, (_, band) =>
        named.map(([text, line]) =>
          labelAt(text, 0, band * bandHeight + labelHeight + (line + 0.5) * pitchY - 1),
        ),
      ).flat(),
    ],
    cornerOf,
    placeAt: ({ x, y }) => {
      const band = clamp(Math.floor(y / bandHeight), 0, bands - 1)
      const across = clamp(Math.floor((x - left) / blockWidth), 0, perBand - 1)
      return {
        block: clamp(band * perBand + across, 0, blocks.length - 1),
        line: clamp(Math.floor((y - band * bandHeight - labelHeight) / pitchY), 0, lines.length - 1),
        slot: clamp(Math.floor((x - left - across * blockWidth) / pitchX), 0, slots - 1),
      }
    },
  }
}

/** Returns every `every`th line with its label; of a repeated hour, only the first unless all lines have one. */
function namedLines(lines: readonly string[], every: number) {
  return lines
    .map((text, line) => [text, line] as const)
    .filter(([text, line]) => {
      const isFirst = every === 1 || lines[line - 1] !== text
      return isFirst && (Number.isNaN(Number(text)) ? line : Number(text)) % every === 0
    })
}

function labelAt(text: string, x: number, y: number, align: Label['align'] = 'start'): Label {
  return { text, x, y, align }
}

type Bands = { left: number; blockWidth: number; bandHeight: number; perBand: number }

/** Returns the block labels that fit beside each other. */
function blockLabels(blocks: readonly string[], { left, blockWidth, bandHeight, perBand }: Bands): Label[] {
  const labels: Label[] = []
  for (const [block, text] of blocks.entries()) {
    const x = left + (block % perBand) * blockWidth
    const y = Math.floor(block / perBand) * bandHeight + labelHeight / 2
    const last = labels.at(-1)
    // The approximate width of a label and the space after it.
    const fits = !last || last.y !== y || x - last.x >= last.text.length * 6.5 + 8
    if (text !== '' && fits) labels.push(labelAt(text, x, y))
  }
  return labels
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max))
}
