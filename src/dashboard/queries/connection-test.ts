import { useMutation } from '@tanstack/react-query'
import type { BodyInput } from '../../contract/endpoints.ts'
import { call } from '../api/call.ts'

export type ConnectionTestInput = BodyInput<'testConnection'>

/** Tests a destination before anything is saved; resolves within ten seconds. */
export function useTestConnection(projectId: string) {
  return useMutation({
    mutationFn: (body: ConnectionTestInput) =>
      call('testConnection', { params: { project_id: projectId }, body }),
  })
}
