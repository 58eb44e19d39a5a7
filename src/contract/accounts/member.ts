import { z } from 'zod'
import { Instant } from '../datetime.ts'
import { plainName } from '../plain-text.ts'
import { projectRoles, roles } from './roles.ts'
import { Email, Password } from './session.ts'

const projectsMax = 1000

/** The role in each project to which a member is limited, by the project's id; null: the role counts in all projects. */
export const ProjectRolesInput = z
  .record(z.string().regex(/^[1-9]\d{0,9}$/, { error: 'Name projects by their ids.' }), z.enum(projectRoles))
  .refine((given) => Object.keys(given).length > 0, {
    error: 'Name at least one project, or send null for all projects.',
  })
  .refine((given) => Object.keys(given).length <= projectsMax, {
    error: `Name at most ${projectsMax} projects.`,
  })
  .nullable()

/** A role, with the scopes that it grants; `*` stands for all. */
export const RoleWithScopes = z.object({ role: z.enum(roles), scopes: z.array(z.string()) })

const ShownProjectRoles = z.record(z.string(), z.enum(projectRoles)).nullable()

export const Member = z.object({
  /** Of the user. */
  id: z.string(),
  first_name: z.string(),
  email: z.string(),
  /** Counts where `project_roles` is null. */
  role: z.enum(roles),
  project_roles: ShownProjectRoles,
  joined_at: Instant,
  /** When a session or key of the member was last used; null if none that still exists was. */
  last_seen_at: Instant.nullable(),
})
export type Member = z.infer<typeof Member>

export const MemberUpdate = z
  .strictObject({ role: z.enum(roles).optional(), project_roles: ProjectRolesInput.optional() })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    error: 'Nothing to update: send role, project_roles or both.',
  })
export type MemberUpdate = z.infer<typeof MemberUpdate>

/** Days for which an invite can be accepted. */
export const inviteDays = 7

export const Invite = z.object({
  id: z.string(),
  /** The only address that can accept the invite; null: any. */
  email: z.string().nullable(),
  role: z.enum(roles),
  project_roles: ShownProjectRoles,
  /** Name of the member who created it. */
  created_by: z.string(),
  created_at: Instant,
  expires_at: Instant,
  /** The last e-mail with its link; null if none was sent. */
  mail: z
    .object({
      status: z.enum(['waiting', 'sent', 'failed']),
      /** When it was sent; otherwise when it was requested. */
      at: Instant,
      /** Why it has failed so far. */
      error: z.string().nullable(),
    })
    .nullable(),
})
export type Invite = z.infer<typeof Invite>

export const InviteCreate = z.strictObject({
  role: z.enum(roles),
  project_roles: ProjectRolesInput.optional(),
  email: Email.nullable().optional(),
  /** Whether the link is sent to the address. */
  send_mail: z.boolean().optional(),
})
export type InviteCreate = z.infer<typeof InviteCreate>

/** Only the response that creates an invite contains its link. */
export const CreatedInvite = Invite.extend({ url: z.string() })

const token = z.string().min(1).max(200)

export const InviteToken = z.strictObject({ token })

/** What an invite offers to anyone who has its link. */
export const InspectedInvite = z.object({
  organization: z.string(),
  role: z.enum(roles),
  /** Whether it is limited to some projects, in which roles may differ. */
  is_limited: z.boolean(),
  email: z.string().nullable(),
  expires_at: Instant,
})
export type InspectedInvite = z.infer<typeof InspectedInvite>

/** Without a name, an existing account with this password joins. */
export const InviteAccept = z.strictObject({
  token,
  email: Email,
  password: Password,
  first_name: plainName(100).optional(),
})
export type InviteAccept = z.infer<typeof InviteAccept>
