import { Email } from '../contract/accounts/session.ts'
import { roles, type Role } from '../contract/accounts/roles.ts'
import { byAdmin } from './audit/by-admin.ts'
import { newApiKey, newProjectToken } from './auth/api-key-value.ts'
import { firstKey } from './auth/bootstrap.ts'
import { createOrganization, newKeyRow } from './auth/new-organization.ts'
import { createSignInLink, linkOrigin, signInUrl } from './auth/sign-in-link.ts'
import { isUuid } from './auth/uuid.ts'
import { systemClock } from './clock.ts'
import {
  plainText,
  readProjectId,
  readScopes,
  required,
  splitList,
  UsageError,
  type Options,
} from './command-line.ts'
import type { Config } from './config.ts'
import { openSecretBox } from './engines/secret-box.ts'
import { originOf } from './server/listen.ts'
import { withAdminStore } from './store/accounts/admin-store.ts'
import { addMember } from './store/accounts/members.ts'
import { demoteLinkedOwner } from './store/accounts/credentials.ts'
import { listProjects } from './store/accounts/projects.ts'
import { removeSecondFactor } from './store/accounts/second-factors.ts'
import { endSessions } from './store/accounts/sessions.ts'
import { endLinks } from './store/accounts/user-tokens.ts'
import { findMemberByEmail, findUserByEmail, firstOwner, type Member } from './store/accounts/users.ts'
import { audit } from './store/audit/audit-entries.ts'
import type { Store } from './store/schema/database.ts'
import { newId } from './store/schema/identifier.ts'
import { deleteRows, findRow, insertRow, updateRows } from './store/schema/rows.ts'

/** What a command about accounts prints. */
export type Result = Record<string, string | number>

export function addOrganization(config: Config, options: Options): Promise<Result> {
  const name = required(options, 'name')
  const names = {
    name,
    projectName: plainText('project', options.project ?? 'My project'),
    keyLabel: 'First key',
  }
  return withAdminStore(config, (store) =>
    store.transaction().execute((transaction) => createOrganization(transaction, Date.now(), names)),
  )
}

export function addProject(config: Config, options: Options): Promise<Result> {
  const name = required(options, 'name')
  return withAdminStore(config, async (store) => {
    const organizationId = await existingOrganization(store, options)
    const project = await store.transaction().execute(async (transaction) => {
      const row = await insertRow(transaction, 'projects', {
        organization_id: organizationId,
        name,
        api_token: newProjectToken(),
        created_at: new Date(),
      })
      await audit(transaction, byAdmin(organizationId, 'project.created', String(row.id), name))
      return row
    })
    return { project_id: project.id, project_token: project.api_token }
  })
}

export function addKey(config: Config, options: Options): Promise<Result> {
  const label = required(options, 'label')
  const scopes = readScopes(required(options, 'scopes'))
  return withAdminStore(config, async (store) => {
    const organizationId = await existingOrganization(store, options)
    const projects = options.projects === undefined ? null : splitList(options.projects).map(readProjectId)
    const known = (await listProjects(store, organizationId)).map((project) => project.id)
    const unknown = projects?.find((id) => !known.includes(id))
    if (unknown !== undefined) throw new Error(`The organization has no project ${unknown}.`)
    const owner = await firstOwner(store, organizationId)
    if (!owner) throw new Error('The organization has no owner for the key.')
    const value = newApiKey()
    const limits = { scopes, scoped_projects: projects }
    const key = newKeyRow(owner, label, value, Date.now(), limits)
    await store.transaction().execute(async (transaction) => {
      await insertRow(transaction, 'api_keys', key)
      await audit(transaction, {
        ...byAdmin(organizationId, 'key.created', key.id, label),
        after: { scopes, scoped_projects: projects },
      })
    })
    return { api_key: value }
  })
}

export function signInLink(config: Config, options: Options): Promise<Result> {
  return withAdminStore(config, async (store) => {
    if (options.email !== undefined)
      return { url: await linkFor(config, store, await memberWith(store, options), 'sign in without a code') }
    const secrets = await secretsOf(config)
    const apiKey = await firstKey({ store, config, secrets, clock: systemClock })
    return { url: signInUrl(await originFor(config, store), apiKey) }
  })
}

export function createUser(config: Config, options: Options): Promise<Result> {
  const [email, first_name, role] = [readEmail(options), required(options, 'name'), readRole(options)]
  return withAdminStore(config, async (store) => {
    const organization_id = await existingOrganization(store, options)
    const member = await store.transaction().execute(async (transaction) => {
      const created_at = new Date()
      const known = await findUserByEmail(transaction, email)
      const user_id = known?.id ?? newId(created_at.getTime())
      if (await findMemberByEmail(transaction, email, organization_id))
        throw new Error(`${email} is a member already: see "user grant".`)
      if (!known) await insertRow(transaction, 'users', { id: user_id, email, first_name, created_at })
      await audit(transaction, byAdmin(organization_id, 'member.added', user_id, first_name))
      const added = { organization_id, user_id, role, project_roles: null, created_at }
      await addMember(transaction, added)
      return added
    })
    return { user_id: member.user_id, url: await linkFor(config, store, member) }
  })
}

export function grantRole(config: Config, options: Options): Promise<Result> {
  const role = readRole(options)
  return withAdminStore(config, async (store) => {
    const organization_id = await existingOrganization(store, options)
    const { user_id, name, role: before } = await memberWith(store, options, organization_id)
    await store.transaction().execute(async (transaction) => {
      await updateRows(transaction, 'members', { organization_id, user_id }, { role, project_roles: null })
      await audit(transaction, byAdmin(organization_id, 'member.role_changed', user_id, name))
      const isDemoted = before === 'owner' && role !== 'owner'
      const after = isDemoted && (await demoteLinkedOwner(transaction, { organization_id, user_id }))
      if (after)
        await audit(transaction, { ...byAdmin(organization_id, 'member.updated', user_id, name), after })
    })
    return { user_id, role }
  })
}

export function resetPassword(config: Config, options: Options): Promise<Result> {
  return withAdminStore(config, async (store) => {
    const member = await memberWith(store, options)
    const { user_id, organization_id, name } = member
    await store.transaction().execute(async (transaction) => {
      await updateRows(transaction, 'users', { id: user_id }, { password_hash: null })
      if (options['remove-second-factor']) {
        await removeSecondFactor(transaction, user_id)
        await deleteRows(transaction, 'passkeys', { user_id })
        const entry = byAdmin(organization_id, 'member.second_factor_changed', user_id, name)
        await audit(transaction, { ...entry, after: { second_factor: false, passkeys: 0 } })
      }
      await endLinks(transaction, { id: user_id, email: member.email })
      await endSessions(transaction, { user_id }, null)
      await audit(transaction, byAdmin(organization_id, 'member.password_changed', user_id, name))
    })
    return { url: await linkFor(config, store, member) }
  })
}

export function secretsOf(config: Config) {
  return openSecretBox(config, { path: config.dataDirectory, release: async () => undefined })
}

export async function existingOrganization(store: Store, options: Options): Promise<string> {
  const id = required(options, 'organization')
  const organization = isUuid(id) ? await findRow(store, 'organizations', { id }) : undefined
  if (!organization) throw new Error(`There is no organization ${id}.`)
  return organization.id
}

/** Finds the member with the address that the options name, by default in the organization that the user joined first. */
async function memberWith(store: Store, options: Options, organizationId?: string) {
  const email = readEmail(options)
  const member = await findMemberByEmail(store, email, organizationId)
  if (!member) throw new Error(`There is no member with the address ${email}: see "user create".`)
  return { ...member, name: member.first_name }
}

async function linkFor(
  config: Config,
  store: Store,
  member: Pick<Member, 'user_id' | 'organization_id'>,
  purpose: Parameters<typeof createSignInLink>[3] = 'sign in',
): Promise<string> {
  return createSignInLink({ store, clock: systemClock }, await originFor(config, store), member, purpose)
}

/** Returns the origin at which the service was last started, or would be. */
async function originFor(config: Config, store: Store): Promise<string> {
  return (await linkOrigin({ store, config })) || originOf(config, config.port)
}

function readEmail(options: Options): string {
  const { data, error } = Email.safeParse(required(options, 'email'))
  if (error) throw new UsageError(`--email: ${error.issues[0]?.message}`)
  return data
}

function readRole(options: Options): Role {
  const text = required(options, 'role')
  const role = roles.find((known) => known === text)
  if (!role) throw new UsageError(`Unknown role "${text}". Roles: ${roles.join(', ')}.`)
  return role
}
