import { z } from 'zod'
import { plainName } from '../plain-text.ts'

export const tagsMax = 20
export const tagLengthMax = 50
export const ownerLengthMax = 200
export const exportNoteLengthMax = 2000

const Tag = plainName(tagLengthMax).refine((tag) => !tag.includes(','), 'A tag must not contain a comma.')

/** Tags without duplicates, in the given order. */
const Tags = z
  .array(Tag)
  .max(tagsMax, `Use at most ${tagsMax} tags.`)
  .overwrite((tags) => [...new Set(tags)])

const Owner = plainName(ownerLengthMax).or(z.literal(''))
const Note = z
  .string()
  .trim()
  .max(exportNoteLengthMax, `Use at most ${exportNoteLengthMax.toLocaleString('en')} characters.`)

/** What people note about an export, which does not affect its runs; empty by default. */
export const ExportLabels = z.object({
  tags: z.array(z.string()),
  owner: z.string(),
  note: z.string(),
})
export type ExportLabels = z.infer<typeof ExportLabels>

/** `null` clears a label, like an empty one. */
export const ExportLabelsInput = z.object({
  tags: Tags.nullable().optional().describe('Labels to filter by, each without a comma.'),
  owner: Owner.nullable()
    .optional()
    .describe('Who answers for the export: any text. The dashboard suggests the labels of API keys.'),
  note: Note.nullable().optional().describe('Plain text, which can have several lines.'),
})
