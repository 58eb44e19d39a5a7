import { formatInstant } from '../../../contract/instant.ts'
import type { RecordingSummary } from '../../../contract/recording-summary.ts'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/database.ts'
import { findSummary, keepSummary, type StoredSummary } from '../../store/recording-summaries.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { askModel, ModelError } from './ask-model.ts'
import { capturedEvents } from './captured-event.ts'
import { readSession } from './read-session.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { tellSession, type Story } from './tell-session.ts'

type Prose = Pick<
  RecordingSummary,
  'outcome' | 'sentences' | 'problems' | 'written_by' | 'model' | 'fallback'
>

/** Milliseconds that a language model has to answer. */
const modelTimeout = 20_000

/** Those being made: who asks for the same one waits for it. */
const underWay = new WeakMap<Store, Map<string, Promise<StoredSummary>>>()

/** The summary of a recording: the kept one while nothing came to it, else a new one. */
export async function summarize(
  services: Services,
  recording: RecordingRow,
  ongoing: boolean,
  modelTimeoutMs = modelTimeout,
): Promise<StoredSummary> {
  const kept = await findSummary(services.store, recording)
  if (kept && isFinal(kept.summary, services, ongoing)) return kept
  const making = underWay.get(services.store) ?? new Map<string, Promise<StoredSummary>>()
  underWay.set(services.store, making)
  const key = `${recording.id} ${recording.block_count} ${ongoing}`
  const made = making.get(key) ?? make(services, recording, ongoing, modelTimeoutMs)
  making.set(key, made)
  try {
    return await made
  } finally {
    making.delete(key)
  }
}

/** A session that was going on has ended since; a model that did not answer may do so now. */
function isFinal(summary: RecordingSummary, { config }: Services, ongoing: boolean): boolean {
  const hasEnded = summary.outcome.kind === 'unfinished' && !ongoing
  const wantsModel = config.languageModel !== null && summary.written_by === 'rules'
  return !hasEnded && !wantsModel && (summary.fallback === null || config.languageModel !== null)
}

async function make(
  services: Services,
  recording: RecordingRow,
  ongoing: boolean,
  modelTimeoutMs: number,
): Promise<StoredSummary> {
  const captured = await capturedEvents(services.warehouse, recording)
  const { follower, readUntil, hasGap } = await readSession(services, recording, captured, ongoing)
  const [start, end] = [recording.start_time.getTime(), recording.end_time.getTime()]
  const story = tellSession(follower, { start, end, ongoing, readUntil })
  const prose = await proseOf(services, story, modelTimeoutMs)
  const told = { ...story, ...prose }
  const content = summaryMarkdown(told)
  const made = { content, summary: { ...told, made_at: formatInstant(services.clock.now()) } }
  // What could not be read may be readable the next time.
  if (!hasGap) await keepSummary(services.store, recording, made)
  return made
}

/** The model's prose where one is set up and answers, else the service's own. */
async function proseOf({ config, logger }: Services, story: Story, timeoutMs: number): Promise<Prose> {
  const { outcome, sentences, problems } = story
  const rules = { outcome, sentences, problems, written_by: 'rules', model: null, fallback: null } as const
  const model = config.languageModel
  if (!model) return rules
  try {
    const prose = await askModel(model, story, timeoutMs)
    return { ...prose, written_by: 'model', model: model.name, fallback: null }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    logger.warn({ err: error }, 'a summary was written without the language model')
    return { ...rules, fallback: error.message }
  }
}
