import { errorInWords } from '../../../contract/runs/run-error.ts'

/** Shows a run's error in plain words with advice; the engine's message is collapsed below. */
export function RunError({ error }: { error: string }) {
  const { headline, advice } = errorInWords(error)
  return (
    <div className="min-w-0 wrap-anywhere whitespace-normal">
      <span className="font-medium">{headline}</span> {advice && <span className="text-ink-2">{advice}</span>}
      <FullError error={error} />
    </div>
  )
}

/** The engine's message, collapsed; nothing if the error has none. */
export function FullError({ error }: { error: string }) {
  const { raw } = errorInWords(error)
  return (
    raw && (
      <details>
        <summary className="text-xs text-ink-3">Full error</summary>
        <pre className="max-h-60 overflow-auto whitespace-pre-wrap">{raw}</pre>
      </details>
    )
  )
}

/** Shows a run's error in a table, without the engine's message. */
export function RunErrorLine({ error }: { error: string }) {
  const { headline, advice } = errorInWords(error)
  return (
    <span className="wrap-anywhere">
      <span className="font-medium">{headline}</span> <span className="text-ink-3">{advice}</span>
    </span>
  )
}
