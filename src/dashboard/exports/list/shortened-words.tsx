/** Shows `words`; on a phone only up to `last`, which is one of them, so that a header stays one line. A screen reader reads all. */
export function ShortenedWords({ words, last }: { words: string; last: string }) {
  const end = words.indexOf(last) + last.length
  return (
    <span className="whitespace-pre">
      {words.slice(0, end)}
      <span className="max-sm:sr-only">{words.slice(end)}</span>
    </span>
  )
}
