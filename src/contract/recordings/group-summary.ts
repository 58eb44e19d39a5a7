import { z } from 'zod'
import { objects } from '../bulk-action-input.ts'
import { Instant } from '../datetime.ts'
import { RecordingFilter } from './recording-filter.ts'
import { secondsBefore } from './recording-facts.ts'

/** Largest number of recordings that a summary reads; of more, it reads a random sample of this size. */
export const sampleMax = 200

/** The recordings to summarize: either their ids or a filter, in the format of the list's URL. */
export const GroupSummaryInput = z.strictObject(objects(RecordingFilter))

const Line = z.object({
  text: z.string(),
  /** Number of recordings that the line is about. */
  recordings: z.int(),
  /**
   * The recording that shows it best: its id, its name, the visitor's distinct id, and the moment in milliseconds from
   * its start. Summaries of earlier versions contain no distinct id.
   */
  example: z
    .object({ recording: z.string(), name: z.string(), distinct_id: z.string().optional(), at: z.int() })
    .nullable(),
})
const sectionNames = ['completed', 'left', 'problems', 'time'] as const
const Section = z.object({ name: z.enum(sectionNames), lines: z.array(Line) })
export type SummarySection = z.infer<typeof Section>

export const GroupSummaryResult = z.object({
  overview: z.string(),
  /** Number of recordings that completed, that the visitor left, and that an error ended. */
  outcomes: z.object({ completed: z.int(), left: z.int(), error: z.int() }),
  sections: z.array(Section),
  /** A language model's wording of the same facts; null unless requested. */
  wording: z.object({ text: z.string(), model: z.string() }).nullable(),
})
export type GroupSummaryResult = z.infer<typeof GroupSummaryResult>

/** A summary of several recordings, which the service writes in the background. */
export const GroupSummary = z.object({
  id: z.string(),
  status: z.enum(['Running', 'Completed', 'Cancelled']),
  /** Number of recordings that were selected, that are to be read, and that have been read. */
  matched: z.int(),
  total: z.int(),
  done: z.int(),
  by: z.string(),
  created_at: Instant,
  finished_at: Instant.nullable(),
  /** Null until the summary is completed. */
  result: GroupSummaryResult.nullable(),
  /** The result as markdown. */
  content: z.string().nullable(),
  /** Name of the language model that can word the result; null without one. */
  language_model: z.string().nullable(),
})
export type GroupSummary = z.infer<typeof GroupSummary>

export const sectionTitles: Record<SummarySection['name'], string> = {
  completed: 'What visitors completed',
  left: 'Where the others left',
  problems: 'What went wrong',
  time: 'Where the time went',
}

/** Formats a result as markdown, with links to the moments of the examples. */
export function groupSummaryMarkdown(result: GroupSummaryResult, origin: string): string {
  const sections = result.sections.map(({ name, lines }) => {
    const items = lines.map(({ text, example }) => {
      if (!example) return `- ${escaped(text)}`
      const url = `${origin}/recordings/${encodeURIComponent(example.recording)}?t=${secondsBefore(example.at)}`
      return `- ${escaped(text)} Example: [${escaped(example.name)}](${url})`
    })
    return `### ${sectionTitles[name]}\n\n${items.join('\n')}`
  })
  const wording = result.wording ? [escaped(result.wording.text)] : []
  return [`**${escaped(result.overview)}**`, ...wording, ...sections].join('\n\n')
}

/** Escapes Markdown in the texts of a page. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*[\]<>]/g, String.raw`\$&`)
}
