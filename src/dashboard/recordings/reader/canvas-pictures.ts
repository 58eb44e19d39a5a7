import {
  addedNodes,
  IncrementalSource,
  isObject,
  objectsIn,
  sourceOf,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'
import { pixelsIn } from '../../../replay/recorded/picture-size.ts'

/** Returns the picture of a canvas from an event that draws the whole canvas, as a data URL; null for other events. */
export function frameOf({ data }: ReplayEvent): string | null {
  const drawn = objectsIn(data['commands']).findLast(({ property }) => property === 'drawImage')
  const [bitmap] = objectsIn(drawn?.['args'])
  const [blob] = objectsIn(bitmap?.['args'])
  const [buffer] = objectsIn(blob?.['data'])
  const base64 = buffer?.['base64']
  const type = blob?.['type']
  if (typeof base64 !== 'string' || typeof type !== 'string' || !/^image\/(png|jpeg|webp)$/.test(type))
    return null
  return `data:${type};base64,${base64}`
}

/** Largest numbers of pictures that are looked at. */
const picturesMax = { ofCanvas: 10, ofAll: 100 }

/** Returns the number of canvases without a picture that is not blank; adds those that have one to `drawn`, the known ones. */
export async function unrecordedCanvases(
  events: readonly WindowEvent[],
  drawn: Set<string>,
  isBlank: (picture: string) => Promise<boolean> = isBlankPicture,
): Promise<number> {
  const canvases = new Map<string, (string | null)[]>()
  for (const { window, event } of events) {
    const { data } = event
    if (sourceOf(event) === IncrementalSource.CanvasMutation && typeof data['id'] === 'number')
      canvases.get(`${window} ${data['id']}`)?.push(frameOf(event))
    for (const { tagName, id, attributes } of addedNodes(event)) {
      if (tagName !== 'canvas' || typeof id !== 'number') continue
      const key = `${window} ${id}`
      const { rr_dataURL: picture } = isObject(attributes) ? attributes : {}
      const pictures = canvases.get(key) ?? []
      if (typeof picture === 'string') pictures.push(picture)
      canvases.set(key, pictures)
    }
  }
  let count = 0
  let looks = 0
  for (const [key, pictures] of canvases) {
    const step = Math.ceil(pictures.length / picturesMax.ofCanvas)
    let isEmpty = !drawn.has(key) && !pictures.includes(null)
    for (let index = 0; isEmpty && index < pictures.length; index += step)
      isEmpty = looks++ < picturesMax.ofAll && (await isBlank(pictures[index] ?? '').catch(() => false))
    if (isEmpty) count += 1
    else if (looks <= picturesMax.ofAll) drawn.add(key)
  }
  return count
}

/** Largest number of pixels that is decoded: the whole picture is in the memory before it is reduced. */
const pixelsMax = 16_000_000
/** Width and height (px) to which pictures are reduced, to compare fewer pixels. */
const size = 256

/** Whether a picture is transparent or black, as a recorder sees a WebGL canvas that is not drawn at that moment. */
async function isBlankPicture(url: string): Promise<boolean> {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  if (!(pixelsIn(bytes) <= pixelsMax)) return false
  const bitmap = await createImageBitmap(new Blob([bytes]), { resizeWidth: size, resizeHeight: size })
  const context = new OffscreenCanvas(size, size).getContext('2d')
  context?.drawImage(bitmap, 0, 0)
  bitmap.close()
  const pixels = context?.getImageData(0, 0, size, size).data ?? []
  return pixels.every((value, index) => value === (index % 4 === 3 ? pixels[3] : 0))
}
