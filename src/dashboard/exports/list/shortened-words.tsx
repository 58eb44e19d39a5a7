/** Shows words, on a phone only those up to `last`, so that the header keeps its height; a screen reader reads all. */
export function ShortenedWords({ words, last }: { words: string; last: string }) {
  const end = words.indexOf(last) + last.length
  return (
    <span className="whitespace-pre">
      {words.slice(0, end)}
      <span className="max-sm:sr-only">{words.slice(end)}</span>
    </span>
  )
}
