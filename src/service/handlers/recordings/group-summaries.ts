import { sql } from 'kysely'
import { bulkItemsMax } from '../../../contract/bulk-action.ts'
import { groupSummaryMarkdown, GroupSummary } from '../../../contract/recordings/group-summary.ts'
import type { PageLink } from '../../http/page-links.ts'
import { conflict, invalidInput } from '../../problems/api-error.ts'
import { conditionsOf } from '../../recordings/filter/filter-page.ts'
import { withPatterns } from '../../recordings/filter/filter-patterns.ts'
import { ModelError } from '../../recordings/summary/ask-model.ts'
import { wordGroup } from '../../recordings/descriptions/word-group.ts'
import type { Services } from '../../services.ts'
import { newId } from '../../store/schema/identifier.ts'
import {
  countRunning,
  endGroupSummary,
  type GroupSummaryRow,
  insertGroupSummary,
  replaceResult,
} from '../../store/recordings/group-summaries.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

/** Summaries of a project in progress at a time, so that those of other projects need not wait long. */
const runningMax = 5

/** Stores a summary of the recordings that match now; the background work writes it. */
export const createGroupSummary: Handler<'createGroupSummary'> = async (request) => {
  const { services, caller, project, body, link } = request
  const { ids, filter } = body
  if ((ids === undefined) === (filter === undefined))
    throw invalidInput('Send either ids or a filter.', ['ids'])
  if ((await countRunning(services.store, project.id)) >= runningMax)
    throw conflict('Five summaries of the project are in progress: wait for one or cancel one.')
  const now = services.clock.now()
  const row = {
    id: newId(now),
    project_id: project.id,
    actor: caller.name,
    created_at: new Date(now),
  }
  const created = await withPatterns(async () => {
    const conditions = ids
      ? [sql<boolean>`recording.session_id = ANY (${ids}::text[])`]
      : await conditionsOf(services, project.id, filter ?? {}, bulkItemsMax)
    return await insertGroupSummary(services.store, row, conditions, bulkItemsMax)
  })
  if (created === 0)
    throw invalidInput('No recordings match: choose others or widen the filter.', [ids ? 'ids' : 'filter'])
  if (typeof created === 'number') {
    const most = bulkItemsMax.toLocaleString('en')
    throw invalidInput(`This matches more than ${most} recordings: narrow the filter.`, ['filter'])
  }
  return show(services, created, link)
}

export const getGroupSummary: Handler<'getGroupSummary'> = ({ services, groupSummary, link }) =>
  Promise.resolve(show(services, groupSummary, link))

export const cancelGroupSummary: Handler<'cancelGroupSummary'> = async (request) => {
  const { services, groupSummary, link } = request
  const finished_at = new Date(services.clock.now())
  const row = await endGroupSummary(services.store, groupSummary.id, {
    status: 'Cancelled',
    result: null,
    finished_at,
  })
  if (!row) throw conflict('This summary has ended already: start a new one.')
  return show(services, row, link)
}

export const rewordGroupSummary: Handler<'rewordGroupSummary'> = async (request) => {
  const { services, groupSummary, link } = request
  const { config, hosts, store } = services
  const { result } = groupSummary
  if (!result) throw conflict('This summary is not complete: wait until its status is Completed.')
  if (!config.languageModel)
    throw conflict('No language model is configured: set SPOOL_LLM_URL, SPOOL_LLM_KEY and SPOOL_LLM_MODEL.')
  try {
    const wording = await wordGroup(hosts, config.languageModel, result)
    const worded = { ...result, wording }
    await replaceResult(store, groupSummary.id, worded)
    return show(services, { ...groupSummary, result: worded }, link)
  } catch (error) {
    if (error instanceof ModelError) throw conflict(`${error.message} Try again later.`)
    throw error
  }
}

function show({ config }: Pick<Services, 'config'>, row: GroupSummaryRow, link: PageLink): GroupSummary {
  const { result } = row
  return shownAs(GroupSummary, {
    ...row,
    by: row.actor,
    content: result && groupSummaryMarkdown(result, new URL(link({})).origin),
    language_model: config.languageModel?.name ?? null,
  })
}
