/** Returns the hosts in a text, without repeats: one per line or separated by spaces or commas; of a URL, its host. */
export function hostsIn(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  return [...new Set(words.map((word) => (URL.parse(word)?.hostname || word).toLowerCase()))]
}
