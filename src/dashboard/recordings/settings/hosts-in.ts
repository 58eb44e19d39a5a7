/** Returns the distinct hosts in a text, separated by lines, spaces or commas; a URL stands for its host. */
export function hostsIn(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '')
  return [...new Set(words.map((word) => (URL.parse(word)?.hostname || word).toLowerCase()))]
}
