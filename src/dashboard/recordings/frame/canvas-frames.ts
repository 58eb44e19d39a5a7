import type { Replayer } from '@rrweb/replay'
import { IncrementalSource, objectsIn, sourceOf } from '../../../replay/recorded/rrweb.ts'
import { frameOf } from '../reader/canvas-pictures.ts'
import { attributesOf, type ReplayPart } from './replay-part.ts'

/**
 * Shows the recorded frames of canvases. Without scripts, a document renders a canvas as an inline element, so it is
 * replaced by an SVG image of its size that contains the frame.
 */
export function createCanvasFrames(): ReplayPart {
  /** The last frame of each canvas as a data URL. */
  const frames = new Map<unknown, string>()
  const shown = new WeakMap<HTMLCanvasElement, string>()
  const changed = new Set<unknown>()

  // A seek applies all earlier events in one task; only the last frame matters.
  const change = (id: unknown, replayer: Replayer) => {
    if (changed.size === 0)
      queueMicrotask(() => {
        for (const each of changed) void show(each, replayer)
        changed.clear()
      })
    changed.add(id)
  }
  const show = async (id: unknown, replayer: Replayer) => {
    const canvas = replayer.getMirror().getNode(Number(id))
    if (!isCanvas(canvas)) return
    // Before the first frame, the picture that the recorder took with the document.
    const picture = frames.get(id) ?? attributesOf(canvas, replayer)['rr_dataURL']
    const svg = svgOf(canvas, typeof picture === 'string' ? picture : undefined)
    const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    const before = shown.get(canvas)
    shown.set(canvas, url)
    // Keeps the canvas's size while its image loads.
    const image = canvas.ownerDocument.createElement('img')
    image.src = url
    await image.decode()
    if (shown.get(canvas) === url) canvas.style.setProperty('content', `url("${url}")`, 'important')
    if (before !== undefined) URL.revokeObjectURL(before)
  }

  return {
    onBuild(node, id, replayer) {
      if (!isCanvas(node)) return
      frames.delete(id)
      const blank = encodeURIComponent(svgOf(node))
      node.style.setProperty('content', `url("data:image/svg+xml,${blank}")`, 'important')
      change(id, replayer)
    },
    onEvent(event, replayer) {
      const { data } = event
      const source = sourceOf(event)
      if (source === IncrementalSource.CanvasMutation) {
        const frame = frameOf(event)
        if (frame === null) return
        frames.set(data['id'], frame)
        change(data['id'], replayer)
      }
      // A change of the style or the size removes the image or makes it too small.
      if (source === IncrementalSource.Mutation)
        for (const { id } of objectsIn(data['attributes']))
          if (isCanvas(replayer.getMirror().getNode(Number(id)))) change(id, replayer)
    },
  }
}

/** Returns an SVG of the canvas's size. A frame can be smaller or larger than its canvas. */
function svgOf({ width, height, ownerDocument }: HTMLCanvasElement, picture?: string): string {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = ownerDocument.createElementNS(namespace, 'svg')
  const image = ownerDocument.createElementNS(namespace, 'image')
  for (const element of [svg, image]) {
    element.setAttribute('width', String(width))
    element.setAttribute('height', String(height))
  }
  image.setAttribute('preserveAspectRatio', 'none')
  image.setAttribute('href', picture ?? '')
  if (picture !== undefined) svg.append(image)
  return new XMLSerializer().serializeToString(svg)
}

/** Frames have their own constructors, so `instanceof` does not recognise their elements. */
function isCanvas(node: Node | null): node is HTMLCanvasElement {
  return node?.nodeName === 'CANVAS'
}
