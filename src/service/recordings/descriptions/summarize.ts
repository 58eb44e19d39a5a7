import { formatInstant } from '../../../contract/instant.ts'
import type { Services } from '../../services.ts'
import type { Store } from '../../store/schema/database.ts'
import { findSummary, storeSummary, type StoredSummary } from '../../store/recordings/recording-summaries.ts'
import { storeFirstSentence } from '../../store/recordings/recording-facts.ts'
import type { RecordingRow } from '../../store/recordings/session-recordings.ts'
import { askModel, ModelError } from '../summary/ask-model.ts'
import { summaryMarkdown } from '../summary/summary-markdown.ts'
import { readRecording } from './read-recording.ts'

/** Time limit (ms) for the language model. */
export const modelTimeoutMs = 20_000

/** Summaries in progress, shared by concurrent requests for the same one. */
const inProgress = new WeakMap<Store, Map<string, Promise<StoredSummary>>>()

/** Returns a recording's summary: the stored one if the recording has not changed since, else a new one. */
export async function summarize(services: Services, recording: RecordingRow, ongoing: boolean) {
  const stored = await findSummary(services.store, recording)
  if (stored && (stored.summary.outcome.kind === 'unfinished') === ongoing) return stored
  const pending = inProgress.get(services.store) ?? new Map<string, Promise<StoredSummary>>()
  inProgress.set(services.store, pending)
  const key = `${recording.id} ${recording.block_count} ${ongoing}`
  const summary = pending.get(key) ?? readRecording(services, recording, { ongoing, waiting: 'requests' })
  pending.set(key, summary)
  try {
    return await summary
  } finally {
    pending.delete(key)
  }
}

/** Has the language model, if one is configured, word a recording's summary; if that fails, `fallback` says why. */
export async function reword(
  services: Services,
  recording: RecordingRow,
  made: StoredSummary,
): Promise<StoredSummary> {
  const { store, config, logger, hosts, clock } = services
  const model = config.languageModel
  if (!model || made.summary.written_by === 'model') return made
  try {
    const prose = await askModel(hosts, model, made.summary, modelTimeoutMs)
    const byModel = { written_by: 'model', model: model.name, made_at: formatInstant(clock.now()) } as const
    const summary = { ...made.summary, ...prose, ...byModel }
    const reworded = { content: summaryMarkdown(summary), summary }
    await storeSummary(store, recording, reworded)
    const [first] = prose.sentences
    if (first) await storeFirstSentence(store, recording.id, first.text)
    return reworded
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    logger.warn({ err: error }, 'failed to rewrite a summary with the language model')
    return { ...made, summary: { ...made.summary, fallback: error.message } }
  }
}
