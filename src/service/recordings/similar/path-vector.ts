/** Dimensions of a vector. */
const dimensions = 128

/** Weighs a step by how distinctive it is: errors and custom events are rarer than pages. */
export function stepWeight(step: string): number {
  if (step.startsWith('page ')) return 1
  return step.startsWith('event ') || step.startsWith('error ') ? 2.5 : 1.5
}

/** Returns a path's steps and transitions as a vector of length 1, near those of similar paths; empty without steps. */
export function pathVector(steps: readonly string[]): number[] {
  if (steps.length === 0) return []
  const weights = new Map<string, number>()
  const add = (feature: string, weight: number) => weights.set(feature, (weights.get(feature) ?? 0) + weight)
  for (const [index, step] of steps.entries()) {
    add(step, stepWeight(step))
    const previous = steps[index - 1]
    if (previous !== undefined) add(`${previous} → ${step}`, (stepWeight(previous) + stepWeight(step)) / 2)
  }
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const [feature, weight] of weights) {
    const hash = hashOf(feature)
    const index = hash % dimensions
    // The square root dampens repeated steps; signs let hash collisions cancel out.
    vector[index] = (vector[index] ?? 0) + (hash & 0x8000_0000 ? -1 : 1) * Math.sqrt(weight)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? [] : vector.map((value) => value / length)
}

/** FNV-1a with a final mix over all bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
