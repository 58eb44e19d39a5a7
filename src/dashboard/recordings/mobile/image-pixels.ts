import { pixelsIn } from '../../../replay/recorded/picture-size.ts'

/** Returns how many pixels an image has, without decoding it; infinite if it is no PNG, WebP, JPEG or GIF. Fails if it is cut off. */
export function imagePixels(bytes: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(bytes.buffer)
  if (/^GIF8[79]a/.test(String.fromCharCode(...bytes.subarray(0, 6)))) return gifPixels(view)
  return view.getUint16(0) === 0xffd8 ? jpegPixels(view) : pixelsIn(bytes)
}

/** Returns the pixels of the larger of a GIF's screen and its first frame, as a browser enlarges the screen to that frame. */
function gifPixels(view: DataView): number {
  const flags = view.getUint8(10)
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  // Extensions consist of blocks, each with its length; the last one is empty.
  for (; view.getUint8(at) === 0x21; at += 1)
    for (at += 2; view.getUint8(at) > 0;) at += 1 + view.getUint8(at)
  const side = (of: number) =>
    Math.max(
      view.getUint16(6 + of, true),
      view.getUint16(at + 1 + of, true) + view.getUint16(at + 5 + of, true),
    )
  return side(0) * side(2)
}

/** Returns the pixels that the frame header of a JPEG states, which follows other segments. */
function jpegPixels(view: DataView): number {
  for (let at = 2; ;) {
    while (view.getUint8(at) !== 0xff) at += 1
    while (view.getUint8(at) === 0xff) at += 1
    const marker = view.getUint8(at)
    at += 1
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return view.getUint16(at + 3) * view.getUint16(at + 5)
    // Stuffing, TEM and restart markers have no length.
    if (marker > 1 && !(marker >= 0xd0 && marker <= 0xd7)) at += view.getUint16(at)
  }
}
