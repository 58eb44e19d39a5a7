/** The type `text` in PostgreSQL. */
const textOid = 25

/**
 * Returns texts as a parameter of type `text[]` in binary form. PostgreSQL and its client take a third of the time that they take
 * for an array, whose elements one quotes and the other parses.
 */
export function textArray(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const array = Buffer.allocUnsafe(20 + lengths.reduce((sum, length) => sum + 4 + length, 0))
  let end = 0
  // Dimensions, no nulls, type of the elements, their number, index of the first.
  for (const number of [1, 0, textOid, texts.length, 1]) end = array.writeInt32BE(number, end)
  for (const [index, text] of texts.entries()) {
    end = array.writeInt32BE(lengths[index] ?? 0, end)
    end += array.write(text, end)
  }
  return array
}
