import { formatInstant } from '../../../contract/instant.ts'
import type { RecordingSummary } from '../../../contract/recording-summary.ts'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/database.ts'
import { findSummary, storeSummary, type StoredSummary } from '../../store/recording-summaries.ts'
import type { RecordingRow } from '../../store/session-recordings.ts'
import { askModel, ModelError } from './ask-model.ts'
import { capturedEvents } from './captured-event.ts'
import { readSession } from './read-session.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { ruleSummary, type RuleSummary } from './rule-summary.ts'

type Prose = Pick<
  RecordingSummary,
  'outcome' | 'sentences' | 'problems' | 'written_by' | 'model' | 'fallback'
>

/** Time limit (ms) for the language model. */
const defaultModelTimeoutMs = 20_000

/** Summaries in progress, shared by concurrent requests for the same one. */
const inProgress = new WeakMap<Store, Map<string, Promise<StoredSummary>>>()

/** Returns a recording's summary: the stored one while it is up to date, else a new one. */
export async function summarize(
  services: Services,
  recording: RecordingRow,
  ongoing: boolean,
  modelTimeoutMs = defaultModelTimeoutMs,
): Promise<StoredSummary> {
  const stored = await findSummary(services.store, recording)
  if (stored && isFinal(stored.summary, services, ongoing)) return stored
  const pending = inProgress.get(services.store) ?? new Map<string, Promise<StoredSummary>>()
  inProgress.set(services.store, pending)
  const key = `${recording.id} ${recording.block_count} ${ongoing}`
  const summary = pending.get(key) ?? make(services, recording, ongoing, modelTimeoutMs)
  pending.set(key, summary)
  try {
    return await summary
  } finally {
    pending.delete(key)
  }
}

/** Returns whether a stored summary is still valid: the session has not ended since, and no model could improve it. */
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
  const byRules = ruleSummary(follower, { start, end, ongoing, readUntil })
  const prose = await proseOf(services, byRules, modelTimeoutMs)
  const summary = { ...byRules, ...prose }
  const content = summaryMarkdown(summary)
  const made = { content, summary: { ...summary, made_at: formatInstant(services.clock.now()) } }
  // Blocks that could not be read may be readable next time.
  if (!hasGap) await storeSummary(services.store, recording, made)
  return made
}

/** Returns the model's prose if one is configured and responds, else the rules' prose. */
async function proseOf(
  { config, logger, hosts }: Services,
  byRules: RuleSummary,
  timeoutMs: number,
): Promise<Prose> {
  const { outcome, sentences, problems } = byRules
  const rules = { outcome, sentences, problems, written_by: 'rules', model: null, fallback: null } as const
  const model = config.languageModel
  if (!model) return rules
  try {
    const prose = await askModel(hosts, model, byRules, timeoutMs)
    return { ...prose, written_by: 'model', model: model.name, fallback: null }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    logger.warn({ err: error }, 'a summary was written without the language model')
    return { ...rules, fallback: error.message }
  }
}
