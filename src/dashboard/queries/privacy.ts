import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyInput } from '../../contract/endpoints.ts'
import type { PrivacySettings } from '../../contract/privacy/privacy-settings.ts'
import { call } from '../api/call.ts'
import { endpointQuery, invalidate } from './endpoint-query.ts'

/** What a project stores of its visitors. */
export function privacySettingsQuery(projectId: string) {
  return endpointQuery('getPrivacySettings', { params: { project_id: projectId } })
}

/**
 * Changes privacy settings optimistically: the page changes at once, and changes back if the request fails. What the next sweep
 * removes follows from them.
 */
export function useChangePrivacySettings(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = privacySettingsQuery(projectId)
  const set = (changes: Partial<PrivacySettings>) =>
    client.setQueryData(queryKey, (now) => now && { ...now, ...changes })
  return useMutation({
    mutationFn: (body: Partial<PrivacySettings>) =>
      call('updatePrivacySettings', { params: { project_id: projectId }, body }),
    onMutate: (changes) => {
      const before = client.getQueryData(queryKey)
      set(changes)
      return before
    },
    onSuccess: async (settings, changes) => {
      set(only(settings, changes))
      await invalidate(client, 'getRetention')
    },
    onError: (_error, changes, before) => before && set(only(before, changes)),
  })
}

/** Returns the changed settings alone: the others may have been changed meanwhile. */
function only(settings: PrivacySettings, changes: Partial<PrivacySettings>): Partial<PrivacySettings> {
  const names = Object.keys(changes) as (keyof PrivacySettings)[]
  return Object.fromEntries(names.map((name) => [name, settings[name]]))
}

/** An erasure, with the destinations that still hold the person. */
export function erasureQuery(projectId: string, id: string) {
  return endpointQuery('getPersonErasure', { params: { project_id: projectId, erasure_id: id } })
}

export function useErasePerson(projectId: string, personId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyInput<'erasePerson'>) =>
      call('erasePerson', { params: { project_id: projectId, person_id: personId }, body }),
    onSuccess: () => invalidate(client, 'listPersonErasures', 'listSessionRecordings'),
  })
}

/** Exports windows of an export again, so that their files or rows no longer hold the person. */
export function useExportAgain(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, windows }: { id: string; windows: { start_at: string; end_at: string }[] }) =>
      call('createBulkAction', {
        params: { project_id: projectId },
        body: { action: 'export_windows', ids: [id], windows },
      }),
    onSuccess: () => invalidate(client, 'listBulkActions', 'getPersonErasure'),
  })
}
