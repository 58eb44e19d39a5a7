import type { Endpoint } from '../endpoint.ts'
import { PrivacySettings, PrivacySettingsUpdate } from './privacy-settings.ts'

const project = 'project_id'
const settings = '/api/projects/:project_id/privacy_settings/'

/** The endpoints of the page of privacy. */
// prettier-ignore
export const privacyEndpoints = {
  getPrivacySettings:    { method: 'GET',   path: settings, loads: { project }, scope: 'person:read',  status: 200, response: PrivacySettings, summary: 'Retrieve what a project stores of its visitors, and for how long' },
  updatePrivacySettings: { method: 'PATCH', path: settings, loads: { project }, scope: 'person:write', body: PrivacySettingsUpdate, status: 200, response: PrivacySettings, summary: 'Change what a project stores of its visitors, and for how long' },
} as const satisfies Record<string, Endpoint>
