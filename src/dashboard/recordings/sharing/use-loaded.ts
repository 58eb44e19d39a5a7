import { useEffect, useState } from 'react'

type Load<Data> = (signal: AbortSignal) => Promise<Data>
type Settled<Data> = { load: Load<Data>; attempt: number; data: Data | undefined; error: Error | null }

/**
 * Loads data when the component is mounted, and again on `refetch`. `load` must be the same function on every render, until
 * it loads something else.
 */
export function useLoaded<Data>(load: Load<Data>) {
  const [attempt, setAttempt] = useState(0)
  const [settled, setSettled] = useState<Settled<Data>>()
  useEffect(() => {
    const stop = new AbortController()
    load(stop.signal).then(
      (data) => setSettled({ load, attempt, data, error: null }),
      (reason: unknown) => {
        if (stop.signal.aborted) return
        const error = reason instanceof Error ? reason : new Error(String(reason))
        setSettled((before) => ({ load, attempt, data: before?.data, error }))
      },
    )
    return () => stop.abort()
  }, [load, attempt])
  return {
    data: settled?.data,
    error: settled?.error ?? null,
    isFetching: settled?.load !== load || settled.attempt !== attempt,
    refetch: () => setAttempt(attempt + 1),
  }
}
