import { notFound } from '../../problems/api-error.ts'
import type { Project } from '../../store/projects.ts'
import { changeRecordingSettings, recordingSettings } from '../../store/recording-settings.ts'
import type { Handler } from '../handler.ts'

export const getRecordingSettings: Handler<'getRecordingSettings'> = async ({ services, projects }) =>
  await recordingSettings(services.store, idOf(projects))

export const updateRecordingSettings: Handler<'updateRecordingSettings'> = async (request) =>
  await changeRecordingSettings(request.services.store, idOf(request.projects), request.body)

function idOf([project]: readonly Project[]): number {
  if (!project) throw notFound('Project not found.')
  return project.id
}
