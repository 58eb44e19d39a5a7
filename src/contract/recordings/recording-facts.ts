import { z } from 'zod'

/** Equal slices of a recording that its strip shows. */
export const stripLength = 48

/** Bits of a slice of the strip; 0 means that the visitor was idle. */
export const stripBits = {
  active: 1,
  page: 2,
  click: 4,
  rage: 8,
  error: 16,
  request: 32,
} as const

export const recordingOutcomes = ['completed', 'left', 'error'] as const
export const recordingProblems = ['error', 'rage', 'request', 'form'] as const
export const recordingDevices = ['desktop', 'mobile', 'tablet'] as const

const allBits = Object.values(stripBits).reduce((sum, bit) => sum + bit, 0)

/** Milliseconds from the recording's start. */
const At = z.int().min(0)

/** What happened in a recording, for its row in the list. Texts never contain what the visitor typed. */
export const RecordingFacts = z.object({
  /** The first pages or screens, in order; `url` contains no query and no ids. */
  pages: z.array(z.object({ label: z.string(), url: z.string(), at: At })).max(30),
  page_count: z.int(),
  /** `label`: the achievement, the page that the visitor left, or the error. */
  outcome: z.object({ kind: z.enum(recordingOutcomes), label: z.string(), at: At }),
  /** The first problems, in order. */
  problems: z.array(z.object({ kind: z.enum(recordingProblems), label: z.string(), at: At })).max(10),
  /** A set of `stripBits` for each slice. */
  strip: z.array(z.int().min(0).max(allBits)).length(stripLength),
  /** The most telling moment. */
  moment: At,
  browser: z.string().nullable(),
  os: z.string().nullable(),
  device: z.enum(recordingDevices).nullable(),
  /** ISO 3166-1 alpha-2 code. */
  country: z.string().nullable(),
  /** The summary's first sentence. */
  summary: z.string().nullable(),
})
export type RecordingFacts = z.infer<typeof RecordingFacts>

/** Returns the time (s) at which a recording opens to show a moment (ms from its start): three seconds earlier. */
export function secondsBefore(at: number): number {
  return Math.max(Math.floor(at / 1000) - 3, 0)
}
