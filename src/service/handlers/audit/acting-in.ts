import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../../contract/endpoints.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Refusal } from '../../auth/refusals.ts'
import { ApiError } from '../../problems/api-error.ts'
import type { Services } from '../../services.ts'
import { actAs, type Actor } from '../../store/audit/acting.ts'

const unknownPerson: Actor = { kind: 'person', id: null, name: 'someone not signed in' }
const unknownKey: Actor = { kind: 'key', id: null, name: 'an unknown key or ended session' }

/** Returns the author of a caller's entries in the audit log. */
function actorOf({ key, userId, name }: Caller): Actor {
  return key === null ? { kind: 'person', id: userId, name } : { kind: 'key', id: key.id, name }
}

/** Performs a request, whose entries in the audit log name its caller; null: one that needs neither key nor session. */
export function actIn<Result>(request: FastifyRequest, caller: Caller | null, work: () => Result): Result {
  const actor = caller ? actorOf(caller) : unknownPerson
  return actAs({ actor, address: request.ip, requestId: request.id }, work)
}

/** Counts a request with an unknown key for the audit log. */
export function refuseKey({ refusals }: Services, request: FastifyRequest): void {
  refusals.add({
    organizationId: null,
    action: 'key.refused',
    name: null,
    acting: { actor: unknownKey, address: request.ip },
  })
}

/** Counts a request for the audit log if it failed because its caller may not make it. */
export function countRefusal(
  { refusals }: Services,
  request: FastifyRequest,
  { caller, endpoint, error }: { caller: Caller; endpoint: Endpoint; error: unknown },
): void {
  if (!(error instanceof ApiError) || error.details.code !== 'permission_denied') return
  const refusal: Refusal = {
    organizationId: caller.organizationId,
    action: 'access.refused',
    name: `${endpoint.method} ${endpoint.path}`,
    acting: { actor: actorOf(caller), address: request.ip },
  }
  refusals.add(refusal)
}
