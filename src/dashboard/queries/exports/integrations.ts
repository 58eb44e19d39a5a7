import type { BodyInput } from '../../../contract/endpoints.ts'
import { call } from '../../api/call.ts'
import { endpointQuery } from '../endpoint-query.ts'
import { useChange } from '../use-change.ts'

/** Connections that one request lists: as many as a project can have. */
const listMax = 500

export function integrationsQuery(projectId: string) {
  return endpointQuery('listIntegrations', { params: { project_id: projectId }, query: { limit: listMax } })
}

const lists = ['listIntegrations'] as const

export function useCreateIntegration(projectId: string) {
  return useChange(
    (body: BodyInput<'createIntegration'>) =>
      call('createIntegration', { params: { project_id: projectId }, body }),
    lists,
    'onSuccess',
  )
}

export function useRotateIntegration(projectId: string) {
  return useChange(
    ({ id, ...body }: BodyInput<'rotateIntegration'> & { id: number }) =>
      call('rotateIntegration', { params: { project_id: projectId, id: String(id) }, body }),
    lists,
  )
}

export function useDeleteIntegration(projectId: string) {
  return useChange(
    (id: number) => call('deleteIntegration', { params: { project_id: projectId, id: String(id) } }),
    lists,
  )
}
