import { projectOf } from '../../auth/access.ts'
import { changeRecordingSettings, recordingSettings } from '../../store/recordings/recording-settings.ts'
import type { Handler } from '../handler.ts'

export const getRecordingSettings: Handler<'getRecordingSettings'> = async ({ services, projects }) =>
  await recordingSettings(services.store, projectOf(projects).id)

export const updateRecordingSettings: Handler<'updateRecordingSettings'> = async (request) =>
  await changeRecordingSettings(request.services.store, projectOf(request.projects).id, request.body)
