import { errorInWords } from '../../../contract/run-error.ts'

/** Shows a run's error in plain words with advice; the engine's message is collapsed below. */
export function RunError({ error }: { error: string }) {
  const { headline, advice, raw } = errorInWords(error)
  return (
    <div className="min-w-0 wrap-anywhere whitespace-normal">
      <span className="font-medium">{headline}</span> {advice && <span className="text-ink-2">{advice}</span>}
      {raw && (
        <details>
          <summary className="text-xs text-ink-3">Full error</summary>
          <pre className="max-h-60 overflow-auto whitespace-pre-wrap">{raw}</pre>
        </details>
      )}
    </div>
  )
}

/** Shows a run's error in one line of a table. */
export function RunErrorLine({ error }: { error: string }) {
  const { headline, advice } = errorInWords(error)
  return (
    <span title={`${headline} ${advice}`.trim()}>
      <span className="font-medium">{headline}</span> <span className="text-ink-3">{advice}</span>
    </span>
  )
}
