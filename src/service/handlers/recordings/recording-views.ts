import { recordingViewsMax, RecordingView } from '../../../contract/recordings/recording-view.ts'
import type { Caller } from '../../auth/caller.ts'
import { pageOfList } from '../../http/page-links.ts'
import { invalidInput, notFound, permissionDenied } from '../../problems/api-error.ts'
import { newId } from '../../store/schema/identifier.ts'
import {
  listRecordingViews as listViews,
  type RecordingViewRow,
} from '../../store/recordings/recording-views.ts'
import { deleteRows, insertUpTo, updateRow } from '../../store/schema/rows.ts'
import type { Handler } from '../handler.ts'
import { shownAs } from '../shown-as.ts'

export const listRecordingViews: Handler<'listRecordingViews'> = async (request) => {
  const { services, project, caller } = request
  const rows = await listViews(services.store, project.id, caller.userId)
  return pageOfList(rows, request, (row) => show(row, caller))
}

export const createRecordingView: Handler<'createRecordingView'> = async (request) => {
  const { services, project, caller, body } = request
  const now = services.clock.now()
  const times = { created_at: new Date(now), last_updated_at: new Date(now) }
  const row = { id: newId(now), project_id: project.id, user_id: caller.userId, ...body, ...times }
  if (!(await insertUpTo(services.store, 'recording_views', row, recordingViewsMax)))
    throw invalidInput(`A project has at most ${recordingViewsMax} views: delete one first.`, ['name'])
  return show(row, caller)
}

export const updateRecordingView: Handler<'updateRecordingView'> = async (request) => {
  const { services, caller, recordingView, body } = request
  if (body.shared === false && recordingView.user_id !== caller.userId)
    throw permissionDenied('Only the person who saved this view can stop sharing it.')
  const change = { ...body, last_updated_at: new Date(services.clock.now()) }
  const row = await updateRow(services.store, 'recording_views', { id: recordingView.id }, change)
  if (!row) throw notFound()
  return show(row, caller)
}

export const deleteRecordingView: Handler<'deleteRecordingView'> = async ({ services, recordingView }) => {
  await deleteRows(services.store, 'recording_views', { id: recordingView.id })
  return null
}

function show(row: RecordingViewRow, caller: Caller): RecordingView {
  return shownAs(RecordingView, { ...row, own: row.user_id === caller.userId })
}
