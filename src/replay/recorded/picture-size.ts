/** Returns how many pixels a PNG or WebP picture has, without decoding it; infinite for others. Fails if it is cut off. */
export function pixelsIn(bytes: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(bytes.buffer)
  const start = String.fromCharCode(...bytes.subarray(0, 16))
  if (/^\x89PNG\r\n[^]{6}IHDR/.test(start)) return view.getUint32(16) * view.getUint32(20)
  const bits = (from: number, length: number) =>
    (view.getUint32(from >> 3, true) >>> (from & 7)) & (2 ** length - 1)
  if (/^RIFF[^]{4}WEBPVP8 /.test(start)) return bits(208, 14) * bits(224, 14)
  if (/^RIFF[^]{4}WEBPVP8L/.test(start)) return (bits(168, 14) + 1) * (bits(182, 14) + 1)
  return /^RIFF[^]{4}WEBPVP8X/.test(start) ? (bits(192, 24) + 1) * (bits(216, 24) + 1) : Infinity
}
