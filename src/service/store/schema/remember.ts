/** Stores a value as the newest entry of a map; drops the oldest above `entriesMax`. */
export function remember<Key, Value>(
  entries: Map<Key, Value>,
  key: Key,
  value: Value,
  entriesMax: number,
): void {
  entries.delete(key)
  entries.set(key, value)
  const [oldest] = entries.keys()
  if (oldest !== undefined && entries.size > entriesMax) entries.delete(oldest)
}
