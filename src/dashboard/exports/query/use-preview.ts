import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useAccount } from '../../account.ts'
import { ApiProblem } from '../../api/problem.ts'
import { previewQuery, type Preview, type PreviewInput } from '../../queries/exports/preview.ts'
import { namesIn, type ExportValues } from '../values/export-values.ts'

/** Returns a preview of the exported rows, updated after a pause in typing; rendering it does not delay the form. */
export function usePreview() {
  const { projectId } = useAccount()
  const { control } = useFormContext<ExportValues>()
  const [model, interval, query, config] = useDeferredValue(
    useWatch({ control, name: ['model', 'interval', 'hogql_query', 'destination.config'] }),
  )
  const events = {
    include_events: named(config.include_events),
    exclude_events: named(config.exclude_events),
  }
  const input: PreviewInput = {
    model,
    interval,
    hogql_query: query.trim() === '' ? null : query,
    ...(model === 'events' ? events : {}),
  }
  const { data, error, isFetching, refetch } = useQuery(previewQuery(projectId, input))
  const [last, setLast] = useState<Preview>()
  if (data && data !== last) setLast(data)
  const problem = error instanceof ApiProblem && error.attr === 'hogql_query' ? error : null
  return {
    /** The newest preview; undefined before the first. */
    shown: data ?? last,
    /** The form has changed since the preview was requested. */
    isOutdated: data === undefined,
    isLoading: isFetching,
    /** The query's error, with its position. */
    queryProblem: problem && !isFetching ? problem : null,
    /** Any other failure. */
    failure: problem || isFetching ? null : error,
    refresh: () => void refetch(),
  }
}

function named(text: string): string[] | null {
  const names = namesIn(text)
  return names.length > 0 ? names : null
}
