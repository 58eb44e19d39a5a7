import { changeRecordingSettings, recordingSettings } from '../../store/recordings/recording-settings.ts'
import type { Handler } from '../handler.ts'

export const getRecordingSettings: Handler<'getRecordingSettings'> = async ({ services, project }) =>
  await recordingSettings(services.store, project.id)

export const updateRecordingSettings: Handler<'updateRecordingSettings'> = async (request) =>
  await changeRecordingSettings(request.services.store, request.project.id, request.body)
