import type { Endpoint } from '../endpoint.ts'
import { offsetPage, longListQuery, offsetQuery } from '../page.ts'
import * as erasure from './person-erasure.ts'
import { Retention, RetentionQuery } from './retention.ts'
import { PrivacySettings, PrivacySettingsUpdate } from './privacy-settings.ts'

const project = 'project_id'
const person = 'person_id'
const personErasure = 'erasure_id'
const erasures = '/api/projects/:project_id/person_erasures/'
const settings = '/api/projects/:project_id/privacy_settings/'

/** The endpoints of the page of privacy. */
// prettier-ignore
export const privacyEndpoints = {
  getPrivacySettings:    { method: 'GET',   path: settings, loads: { project }, scope: 'person:read',  status: 200, response: PrivacySettings, summary: 'Retrieve what a project stores of its visitors, and for how long' },
  updatePrivacySettings: { method: 'PATCH', path: settings, loads: { project }, scope: 'person:write', body: PrivacySettingsUpdate, status: 200, response: PrivacySettings, summary: 'Change what a project stores of its visitors, and for how long' },

  getRetention:          { method: 'GET',   path: '/api/projects/:project_id/retention/', loads: { project }, scope: 'person:read', query: RetentionQuery, status: 200, response: Retention, summary: 'Show what a project stores, what the next sweep removes, and when the disk is full. Also requires the scope batch_export:read' },
  previewErasure:        { method: 'GET',  path: '/api/projects/:project_id/persons/:person_id/erase/', loads: { project, person }, scope: 'person:read', status: 200, response: erasure.ErasurePreview, summary: 'Count the recordings that an erasure of a person removes, and those that other persons share' },
  erasePerson:           { method: 'POST', path: '/api/projects/:project_id/persons/:person_id/erase/', loads: { project, person }, scope: 'person:write', body: erasure.EraseInput, status: 201, response: erasure.PersonErasure, summary: 'Erase a person: profile, events, recordings, notes and summaries' },
  listPersonErasures:    { method: 'GET',  path: erasures, loads: { project }, scope: 'person:read', query: longListQuery(100), status: 200, response: erasure.PersonErasures, summary: 'List the persons that were erased, newest first' },
  getPersonErasure:      { method: 'GET',  path: `${erasures}:erasure_id/`, loads: { project, personErasure }, scope: 'person:read', status: 200, response: erasure.PersonErasureDetails, summary: 'Retrieve an erasure, with the destinations that still hold the person. Also requires the scope batch_export:read' },
  windowsOfPersonErasure: { method: 'GET', path: `${erasures}:erasure_id/windows/`, loads: { project, personErasure }, scope: 'person:read', query: offsetQuery(100), status: 200, response: offsetPage(erasure.ErasedWindow), summary: 'List the exported windows that held the person, newest first. Also requires the scope batch_export:read' },
  certificateOfPersonErasure: { method: 'GET', path: `${erasures}:erasure_id/certificate/`, loads: { project, personErasure }, scope: 'person:read', status: 200, response: erasure.ErasureCertificate, summary: 'Retrieve the signed certificate of an erasure. Also requires the scope batch_export:read' },
} as const satisfies Record<string, Endpoint>
