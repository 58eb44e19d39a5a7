import { allowsScope, missingScope, type Scope } from '../../contract/accounts/scopes.ts'
import { notFound, permissionDenied } from '../problems/api-error.ts'
import type { Services } from '../services.ts'
import { findProject, listProjects, type Project } from '../store/accounts/projects.ts'
import { findRow } from '../store/schema/rows.ts'
import type { Caller } from './caller.ts'
import { isUuid } from './uuid.ts'

const projectIdMax = 2 ** 31 - 1

/** @throws ApiError 403 when the caller lacks the scope. */
export function assertScope(caller: Caller, scope: Scope | null): void {
  if (scope && !allowsScope(caller.scopes, scope)) throw permissionDenied(missingScope(caller.scopes, scope))
}

/**
 * Finds the project named in a path or body: a project id, or `@current` for the first project that the key can access.
 * @throws ApiError 404 when the project does not exist, 403 when the key cannot access it.
 */
export async function accessProject(services: Services, caller: Caller, name: string): Promise<Project> {
  if (name === '@current') return projectOf(await reachableProjects(services, caller))
  const id = /^\d{1,10}$/.test(name) ? Number(name) : null
  const project = id === null || id > projectIdMax ? undefined : await findProject(services.store, id)
  if (!project) throw notFound('Project not found.')
  if (project.organization_id !== caller.organizationId)
    throw permissionDenied("You don't have access to the project.")
  assertOrganizationAccess(caller, project.organization_id)
  if (!canAccessProject(caller, project))
    throw permissionDenied(`API key does not have access to the requested project: ID ${project.id}.`)
  return project
}

/**
 * Finds the organization named in a path: a UUID, or `@current` for the key's own organization.
 * @throws ApiError 404 when the organization does not exist, 403 when the key cannot access it.
 */
export async function accessOrganization(services: Services, caller: Caller, name: string) {
  const id = name === '@current' ? caller.organizationId : name
  const organization = isUuid(id) ? await findRow(services.store, 'organizations', { id }) : undefined
  if (!organization) throw notFound('Organization not found.')
  if (organization.id !== caller.organizationId)
    throw permissionDenied("You don't have access to the organization.")
  assertOrganizationAccess(caller, organization.id)
  return organization
}

/** Lists the projects of the caller's organization that its key can access, oldest first. */
export async function reachableProjects(services: Services, caller: Caller): Promise<Project[]> {
  const { scoped_organizations: organizations } = caller
  if (organizations && !organizations.includes(caller.organizationId)) return []
  const projects = await listProjects(services.store, caller.organizationId)
  return projects.filter((project) => canAccessProject(caller, project))
}

/** Returns the first of the projects of a request. @throws ApiError 404 if there is none. */
export function projectOf([first]: readonly Project[]): Project {
  if (!first) throw notFound('Project not found.')
  return first
}

function canAccessProject(caller: Caller, project: Project): boolean {
  return caller.scoped_projects?.includes(project.id) ?? true
}

function assertOrganizationAccess(caller: Caller, organizationId: string): void {
  if (caller.scoped_organizations?.includes(organizationId) ?? true) return
  throw permissionDenied(`API key does not have access to the requested organization: ID ${organizationId}.`)
}
