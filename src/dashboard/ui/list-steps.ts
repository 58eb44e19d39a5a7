/** Returns the index to which a key moves in a list of this length; null if it moves nowhere. */
export function movedTo(key: string, at: number, length: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: (at + 1) % length,
    ArrowUp: (at - 1 + length) % length,
    PageDown: Math.min(at + 8, length - 1),
    PageUp: Math.max(at - 8, 0),
  }
  return length === 0 ? null : (targets[key] ?? null)
}
