import {
  EventType,
  IncrementalSource,
  isObject,
  nodesIn,
  objectsIn,
  sourceOf,
  type ReplayEvent,
  type WindowEvent,
} from '../../../replay/recorded/rrweb.ts'

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

/** Returns the number of canvases of which a recording contains no picture, or only blank ones. */
export async function unrecordedCanvases(
  events: readonly WindowEvent[],
  isBlank: (picture: string) => Promise<boolean> = isBlankPicture,
): Promise<number> {
  const canvases = new Map<string, (string | null)[]>()
  for (const { window, event } of events) {
    const { type, data } = event
    if (sourceOf(event) === IncrementalSource.CanvasMutation)
      canvases.get(`${window} ${String(data['id'])}`)?.push(frameOf(event))
    const roots = type === EventType.FullSnapshot ? [data] : objectsIn(data['adds'])
    for (const { tagName, id, attributes } of roots.flatMap(({ node }) => [...nodesIn(node)])) {
      if (tagName !== 'canvas') continue
      const key = `${window} ${String(id)}`
      const { rr_dataURL: picture } = isObject(attributes) ? attributes : {}
      const pictures = canvases.get(key) ?? []
      if (typeof picture === 'string') pictures.push(picture)
      canvases.set(key, pictures)
    }
  }
  let count = 0
  for (const pictures of canvases.values()) {
    let isEmpty = true
    for (const picture of pictures)
      isEmpty &&= picture !== null && (await isBlank(picture).catch(() => false))
    if (isEmpty) count += 1
  }
  return count
}

/** Width and height (px) to which pictures are reduced, so that a malicious one does not exhaust the memory. */
const size = 256

/** Whether a picture is transparent or black, as a recorder sees a WebGL canvas that is not drawn at that moment. */
async function isBlankPicture(url: string): Promise<boolean> {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (character) => character.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes]), { resizeWidth: size, resizeHeight: size })
  const context = new OffscreenCanvas(size, size).getContext('2d')
  context?.drawImage(bitmap, 0, 0)
  const pixels = context?.getImageData(0, 0, size, size).data ?? []
  return pixels.every((value, index) => value === (index % 4 === 3 ? pixels[3] : 0))
}
