import { useEffect, useMemo, useState } from 'react'

type Load<Data> = (signal: AbortSignal) => Promise<Data>
type Request<Data> = { load: Load<Data> }
type Loaded<Data> = { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => void }

/**
 * Loads data when the component is mounted, and again on `refetch`. `load` must be the same function on every render, until
 * it loads something else.
 */
export function useLoaded<Data>(load: Load<Data>): Loaded<Data> {
  const [asked, setAsked] = useState<Request<Data>>({ load })
  const request = useMemo(() => (asked.load === load ? asked : { load }), [asked, load])
  const [settled, setSettled] = useState<{
    request: Request<Data>
    data: Data | undefined
    error: Error | null
  }>()
  useEffect(() => {
    const stop = new AbortController()
    request.load(stop.signal).then(
      (data) => setSettled({ request, data, error: null }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        const problem = error instanceof Error ? error : new Error(String(error))
        setSettled((before) => ({ request, data: before?.data, error: problem }))
      },
    )
    return () => stop.abort()
  }, [request])
  return {
    data: settled?.data,
    error: settled?.error ?? null,
    isFetching: settled?.request !== request,
    refetch: () => setAsked({ load }),
  }
}
