import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyInput, QueryInput } from '../../contract/endpoints.ts'
import { call, callForBytes } from '../api/call.ts'
import { cursorOf } from '../ui/list/pager.tsx'
import { endpointQuery } from './endpoint-query.ts'
import { useChange } from './use-change.ts'

const params = { organization_id: '@current' }

export type AuditLogFilter = QueryInput<'exportAuditLog'>

/** Who did what in the organization, newest first, page by page. */
export function auditLogQuery(filter: AuditLogFilter) {
  return infiniteQueryOptions({
    queryKey: ['listAuditLog', { params, query: filter }] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      call('listAuditLog', { params, query: { ...filter, cursor } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => cursorOf(next),
  })
}

/** Resolves to the entries as JSON lines. */
export function downloadAuditLog(filter: AuditLogFilter): Promise<ArrayBuffer> {
  return callForBytes('exportAuditLog', { params, query: filter })
}

export const auditSettingsQuery = endpointQuery('getAuditSettings', { params })

export function useChangeAuditSettings() {
  return useChange(
    (body: BodyInput<'updateAuditSettings'>) => call('updateAuditSettings', { params, body }),
    ['getAuditSettings', 'listAuditLog'],
  )
}
