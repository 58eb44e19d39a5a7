import { allowsScope, missingScope, type Scope } from '../../contract/scopes.ts'
import { ApiError, notFound } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { findOrganization, type Organization } from '../store/organizations.ts'
import { findProject, listProjects, type Project } from '../store/projects.ts'
import type { Caller } from './caller.ts'
import { isUuid } from './uuid.ts'

const maximumProjectId = 2 ** 31 - 1

/** @throws ApiError 403 when the key lacks the scope. */
export function assertScope(caller: Caller, scope: Scope | null): void {
  if (scope && !allowsScope(caller.key.scopes, scope)) throw denied(missingScope(scope))
}

/**
 * The project that a path or a body names: its number, or `@current` for the first one that the key reaches.
 * @throws ApiError 404 when there is none, 403 when it is out of the key's reach.
 */
export async function accessProject(services: Services, caller: Caller, name: string): Promise<Project> {
  if (name === '@current') {
    const [first] = await reachableProjects(services, caller)
    if (!first) throw notFound('Project not found.')
    return first
  }
  const id = /^\d{1,10}$/.test(name) ? Number(name) : null
  const project = id === null || id > maximumProjectId ? undefined : await findProject(services.store, id)
  if (!project) throw notFound('Project not found.')
  if (project.organization_id !== caller.organizationId) throw denied("You don't have access to the project.")
  assertOrganizationReach(caller, project.organization_id)
  if (!reachesProject(caller, project))
    throw denied(`API key does not have access to the requested project: ID ${project.id}.`)
  return project
}

/**
 * The organization that a path names: its UUID, or `@current` for the key's own.
 * @throws ApiError 404 when there is none, 403 when it is out of the key's reach.
 */
export async function accessOrganization(
  services: Services,
  caller: Caller,
  name: string,
): Promise<Organization> {
  const id = name === '@current' ? caller.organizationId : name
  const organization = isUuid(id) ? await findOrganization(services.store, id) : undefined
  if (!organization) throw notFound('Organization not found.')
  if (organization.id !== caller.organizationId) throw denied("You don't have access to the organization.")
  assertOrganizationReach(caller, organization.id)
  return organization
}

/** The projects of the caller's organization that its key reaches, the first one first. */
export async function reachableProjects(services: Services, caller: Caller): Promise<Project[]> {
  const { scoped_organizations: organizations } = caller.key
  if (organizations && !organizations.includes(caller.organizationId)) return []
  const projects = await listProjects(services.store, caller.organizationId)
  return projects.filter((project) => reachesProject(caller, project))
}

function reachesProject(caller: Caller, project: Project): boolean {
  return caller.key.scoped_projects?.includes(project.id) ?? true
}

function assertOrganizationReach(caller: Caller, organizationId: string): void {
  if (caller.key.scoped_organizations?.includes(organizationId) ?? true) return
  throw denied(`API key does not have access to the requested organization: ID ${organizationId}.`)
}

function denied(detail: string): ApiError {
  return new ApiError({ status: 403, type: 'authentication_error', code: 'permission_denied', detail })
}
