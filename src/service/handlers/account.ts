import { projectOf } from '../auth/access.ts'
import { notFound } from '../problems/api-error.ts'
import { findRow } from '../store/schema/rows.ts'
import type { Handler } from './handler.ts'
import { offeredDestinations } from './exports/destination-input.ts'

/** Returns the user who owns the key and the projects that the key can access; the first is the current project. */
export const getUser: Handler<'getUser'> = async ({ services, caller, projects }) => {
  const [user, organization] = await Promise.all([
    findRow(services.store, 'users', { id: caller.userId }),
    findRow(services.store, 'organizations', { id: caller.organizationId }),
  ])
  if (!user) throw new Error('the key has no user')
  if (!organization) throw notFound('Organization not found.')
  const team = projectOf(projects)
  return {
    uuid: user.id,
    email: user.email,
    first_name: user.first_name,
    organization: {
      id: organization.id,
      name: organization.name,
      teams: projects.map(({ id, name, api_token }) => ({ id, name, api_token })),
    },
    team: { id: team.id, name: team.name },
  }
}

export const getInstance: Handler<'getInstance'> = async ({ services }) => ({
  destinations: offeredDestinations(services),
  exports_folder: services.exportsFolder,
  private_destinations_allowed: services.config.privateDestinations === 'all',
  settle_seconds: services.config.settleSeconds,
})
