/** Recorded events as lines of text, in order of time. Threads hand them over without a copy. */
export type ItemLines = {
  /** UTF-8, joined by newlines. */
  text: Uint8Array<ArrayBuffer>
  /** Time of each line, in milliseconds since the epoch. */
  times: Float64Array<ArrayBuffer>
}

type Line = { timestamp: number; text: string }

/** Joins the lines of an item. @param size bytes of the lines, each with its newline. */
export function joinLines(lines: readonly Line[], size: number): ItemLines {
  const sorted = lines.toSorted((one, other) => one.timestamp - other.timestamp)
  // Not from Node's pool, which cannot be handed to another thread.
  const text = Buffer.allocUnsafeSlow(size)
  let end = 0
  for (const line of sorted) {
    end += text.write(line.text, end)
    text[end] = 0x0a
    end += 1
  }
  const times = Float64Array.from(sorted, ({ timestamp }) => timestamp)
  return { text: text.subarray(0, Math.max(0, end - 1)), times }
}

/** Returns the lines as separate texts. */
export function splitLines({ text, times }: ItemLines): Line[] {
  const texts = Buffer.from(text.buffer, text.byteOffset, text.length).toString('utf8').split('\n')
  return Array.from(times, (timestamp, index) => ({ timestamp, text: texts[index] ?? '' }))
}

/** Returns the text of several items' lines, in order of time. */
export function mergeLines(items: readonly ItemLines[]): Uint8Array {
  const isInOrder = items.every(({ times }, index) => {
    const before = items[index - 1]?.times.at(-1) ?? -Infinity
    return before <= (times[0] ?? Infinity)
  })
  if (isInOrder)
    return Buffer.concat(items.flatMap(({ text }, index) => (index > 0 ? [newline, text] : [text])))
  const size = items.reduce((sum, { text }) => sum + text.length + 1, 0)
  return joinLines(items.flatMap(splitLines), size).text
}

const newline = Buffer.from('\n')
