import { z } from 'zod'
import { Instant } from './datetime.ts'

/** Errors or problems whose assignee or state one request changes. */
export const triagedMax = 100

/** The name of someone without a name is the address. */
export const Assignee = z.object({ uuid: z.string(), name: z.string() })
export type Assignee = z.infer<typeof Assignee>

/** The members to whom something can be assigned, by name; names that several have are followed by the address. */
export const Assignees = z.array(Assignee)

const uuid = String.raw`[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`
const given = 'Give the uuid of a member from the list of assignees'

/** `me` is the caller, null nobody; else the uuid of a member. */
export const AssigneeInput = z
  .string()
  .regex(new RegExp(`^(me|${uuid})$`), { error: `${given}, 'me', or null for nobody.` })
  .nullable()

/** Only what is assigned to the caller (`me`), to nobody (`none`) or to the member with this uuid. */
export const AssigneeFilter = z
  .string()
  .regex(new RegExp(`^(me|none|${uuid})$`), { error: `${given}, 'me' or 'none'.` })
  .optional()

const Change = z.object({ by: z.string(), at: Instant }).nullable()

/** Who works on an error or a problem, and the last change of that and of its state; null where there was none. */
export const triageShape = { assignee: Assignee.nullable(), assigned: Change, changed: Change }
