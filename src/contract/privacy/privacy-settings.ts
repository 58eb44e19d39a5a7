import { z } from 'zod'
import { patternProblem } from './mask-pattern.ts'

/** What happens to IP addresses in captured data before it is stored. `truncate` keeps a network: /24 of IPv4, /48 of IPv6. */
export const ipAddressRules = ['keep', 'truncate', 'drop'] as const
export type IpAddressRule = (typeof ipAddressRules)[number]

/** Texts that are replaced in the properties of events and in recordings before they are stored. */
export const maskableTexts = ['email', 'card'] as const
export type MaskableText = (typeof maskableTexts)[number]

/** Types of input fields that a recording can hide one by one. */
export const maskableInputTypes = [
  'email',
  'tel',
  'number',
  'date',
  'text',
  'search',
  'url',
  'textarea',
  'select',
] as const
export type MaskableInputType = (typeof maskableInputTypes)[number]

const listMax = 50
const isPlain = (text: string) => !text.includes('\0') && text.isWellFormed()
const selector = z
  .string()
  .trim()
  .min(1)
  .max(200, { error: 'A selector has at most 200 characters.' })
  .refine(isPlain, { error: 'Null characters are not allowed.' })
const urlPattern = z
  .string()
  .trim()
  .min(1)
  .max(500, { error: 'A pattern has at most 500 characters.' })
  .refine(isPattern, {
    error: 'Enter a regular expression that matches addresses, such as /account/.',
  })
const maskPattern = z
  .string()
  .trim()
  .min(1)
  .max(200, { error: 'A pattern has at most 200 characters.' })
  .refine(isPlain, { error: 'Null characters are not allowed.' })
  .superRefine((pattern, context) => {
    const problem = patternProblem(pattern)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
const list = <Item extends z.ZodType>(item: Item) =>
  z.array(item).max(listMax, { error: `List at most ${listMax}.` })

const days = (min: number) =>
  z
    .int()
    .min(min, { error: `Keep at least ${min} days.` })
    .max(36_500, { error: 'Keep at most 36,500 days.' })
    .nullable()
const bytes = z
  .int()
  .min(1_000_000, { error: 'Keep at least 1 MB.' })
  .max(1e15, { error: 'Keep at most 1 PB.' })
  .nullable()

/**
 * What a project stores of its visitors, and for how long. A limit of null keeps data for ever. Addresses and texts are those of
 * captured events; selectors, input types and pages those of recordings.
 */
export const PrivacySettings = z.object({
  ip_addresses: z.enum(ipAddressRules),
  masked_texts: z.array(z.enum(maskableTexts)).max(maskableTexts.length),
  /** Regular expressions; asterisks replace what they match, wherever `masked_texts` are replaced. */
  masked_patterns: z.array(maskPattern).max(20, { error: 'List at most 20.' }),
  /** Whether recordings hide what visitors enter into any field; passwords are always hidden. */
  mask_inputs: z.boolean(),
  /** Fields that recordings leave out although `mask_inputs` is off. */
  masked_input_types: z.array(z.enum(maskableInputTypes)).max(maskableInputTypes.length),
  /** CSS selectors of elements whose texts, inputs and describing attributes recordings replace by asterisks. */
  masked_selectors: list(selector),
  /** CSS selectors of elements that recordings leave out. */
  blocked_selectors: list(selector),
  /** Regular expressions; a page whose address matches one is not recorded. */
  blocked_urls: list(urlPattern),
  /** Days after its arrival that an event is kept. */
  event_days: days(1),
  /** Compressed bytes of events: the oldest are removed first. */
  event_bytes: bytes,
  /** Days after its end that a run is kept; windows are compared with those of eight weeks before. */
  run_days: days(60),
  run_bytes: bytes,
  log_days: days(1),
  log_bytes: bytes,
})
export type PrivacySettings = z.infer<typeof PrivacySettings>

/** The settings of a new project. */
export const defaultPrivacySettings: PrivacySettings = {
  ip_addresses: 'keep',
  masked_texts: [],
  masked_patterns: [],
  mask_inputs: true,
  masked_input_types: [],
  masked_selectors: [],
  blocked_selectors: [],
  blocked_urls: [],
  event_days: null,
  event_bytes: null,
  run_days: null,
  run_bytes: null,
  log_days: null,
  log_bytes: null,
}

export const PrivacySettingsUpdate = PrivacySettings.partial()

function isPattern(text: string): boolean {
  try {
    return isPlain(text) && new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}
