/** A `#` for a variable part of a message; one that touches a word belongs to the message. */
const placeholder = /(?<![\w-])#(?![\w-])/g

/** Returns the pattern of similar errors with the sign that masked texts of recordings have, too: `Coupon … rejected`. */
export function shownPattern(pattern: string): string {
  return pattern.replaceAll(placeholder, '…')
}
