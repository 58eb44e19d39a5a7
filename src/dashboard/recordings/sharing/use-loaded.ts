import { useEffect, useState } from 'react'

type State<Data> = { data: Data | undefined; error: Error | null; isFetching: boolean }

/**
 * Loads data when the component is mounted, and again on `refetch`. `load` must be the same function on every render, until
 * it loads something else.
 */
export function useLoaded<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
): State<Data> & { refetch: () => void } {
  const [state, setState] = useState<State<Data>>({ data: undefined, error: null, isFetching: true })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setState((before) => ({ ...before, isFetching: true }))
    load(stop.signal).then(
      (data) => setState({ data, error: null, isFetching: false }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        const problem = error instanceof Error ? error : new Error(String(error))
        setState((before) => ({ ...before, error: problem, isFetching: false }))
      },
    )
    return () => stop.abort()
  }, [load, attempt])
  return { ...state, refetch: () => setAttempt((before) => before + 1) }
}
