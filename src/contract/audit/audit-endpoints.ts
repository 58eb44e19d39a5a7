import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { cursorPage } from '../page.ts'
import { AuditEntry, AuditFilter, AuditQuery } from './audit-entry.ts'
import { AuditSettings, AuditSettingsUpdate, UpdatedAuditSettings } from './audit-settings.ts'

const log = '/api/organizations/:organization_id/audit_log/'
const organization = 'organization_id'

/** The endpoints of the page of the audit log. */
// prettier-ignore
export const auditEndpoints = {
  listAuditLog:        { method: 'GET',   path: log,               loads: { organization }, scope: 'audit_log:read', query: AuditQuery, status: 200, response: cursorPage(AuditEntry), summary: 'List who did what in an organization, newest first' },
  exportAuditLog:      { method: 'GET',   path: `${log}export/`,   loads: { organization }, scope: 'audit_log:read', query: AuditFilter, status: 200, response: z.string(), produces: 'application/jsonl', summary: 'Download the entries of the audit log, oldest first' },
  getAuditSettings:    { method: 'GET',   path: `${log}settings/`, loads: { organization }, scope: 'audit_log:read', status: 200, response: AuditSettings, summary: 'Show how long the audit log is kept and where it is sent' },
  updateAuditSettings: { method: 'PATCH', path: `${log}settings/`, loads: { organization }, scope: 'audit_log:write', confirm: true, body: AuditSettingsUpdate, status: 200, response: UpdatedAuditSettings, summary: 'Change how long the audit log is kept and where it is sent' },
} as const satisfies Record<string, Endpoint>
