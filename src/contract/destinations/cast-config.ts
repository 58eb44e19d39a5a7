/** Returns `true` or `false` for their names in text, which PostHog's clients send; any other value as it is. */
export function castBoolean(value: unknown): unknown {
  if (value === 'true' || value === 'True') return true
  return value === 'false' || value === 'False' ? false : value
}
