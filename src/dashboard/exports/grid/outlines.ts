type Box = { x: number; y: number; width: number; height: number }

type Gap = { x: number; y: number }

/** Frames around boxes: neighbours that follow each other, with just the gap between them, share one; so do whole lines. */
export function outlines(boxes: Iterable<Box>, gap: Gap): Box[] {
  return joined(joined(boxes, gap), gap)
}

function joined(boxes: Iterable<Box>, gap: Gap): Box[] {
  const frames: Box[] = []
  for (const box of boxes) {
    const last = frames.at(-1)
    if (last && last.y === box.y && last.height === box.height && box.x === last.x + last.width + gap.x)
      last.width += gap.x + box.width
    else if (last && last.x === box.x && last.width === box.width && box.y === last.y + last.height + gap.y)
      last.height += gap.y + box.height
    else frames.push({ ...box })
  }
  return frames
}
