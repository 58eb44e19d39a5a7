import type { RecordingSummary } from '../../../contract/recordings/recording-summary.ts'
import { capitalized, playerTime } from '../facts/english.ts'
import type { RuleSummary } from './rule-summary.ts'

type Sentence = RecordingSummary['sentences'][number]

const pagesMax = 30

/** Formats a summary as Markdown: outcome, sentences, problems, time and pages. */
export function summaryMarkdown(summary: RuleSummary): string {
  const { outcome, sentences, problems, time, segments, moments } = summary
  const timed = ({ text, moment }: Sentence) => `${escaped(text)} (${playerTime(moments[moment]?.at ?? 0)})`
  const list = (lines: readonly Sentence[]) => lines.map((line) => `- ${timed(line)}`).join('\n')
  const pages = segments.map(
    ({ name, url, start, end }) =>
      `- ${escaped(name)} (${playerTime(start)}–${playerTime(end)}), ${escaped(url)}`,
  )
  const more = pages.length > pagesMax ? [`- and ${pages.length - pagesMax} more`] : []
  return [
    `**${escaped(capitalized(outcome.text))}** (${playerTime(moments[outcome.moment]?.at ?? 0)})`,
    sentences.map(timed).join('\n'),
    '### What went wrong',
    problems.length === 0 ? 'Nothing went wrong.' : list(problems),
    ...(time.length === 0 ? [] : ['### Where the time went', list(time)]),
    '### Pages visited',
    [...pages.slice(0, pagesMax), ...more].join('\n'),
  ].join('\n\n')
}

/** Escapes Markdown in the texts of a page. */
function escaped(text: string): string {
  return text.replaceAll(/[\\`*[\]<>]/g, String.raw`\$&`)
}
