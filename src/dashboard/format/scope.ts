import type { GrantedScope } from '../../contract/accounts/scope-schema.ts'

const words: Record<string, string> = {
  '*': 'do everything',
  'batch_export:read': 'see batch exports, their runs and logs',
  'batch_export:write': 'create, change, pause, backfill, retry and delete batch exports',
  'session_recording:read': 'watch recordings',
  'session_recording:write': 'keep and delete recordings, and change what is recorded',
  'error_tracking:write': 'assign, resolve and ignore errors of recordings',
  'sharing_configuration:read': 'see how recordings are shared',
  'sharing_configuration:write': 'share recordings',
  'person:read': 'see privacy settings and certificates of erasures',
  'person:write': 'erase persons, and change what is stored of visitors and for how long',
  'integration:read': 'see connections, without their secrets',
  'integration:write': 'create, rotate and delete connections',
  'personal_api_key:read': 'see API keys',
  'personal_api_key:write': 'create and revoke API keys',
  'organization_member:read': 'see the members of the organization',
  'organization_member:write': 'invite members, change their roles and remove them',
  'organization:read': 'see how members sign in',
  'organization:write':
    'create and revoke keys of the organization and, as an owner, change how members sign in',
  'audit_log:read': 'see the audit log',
  'audit_log:write': 'change how long the audit log is kept and where it is sent',
} satisfies Record<GrantedScope, string>

/** Says what a scope allows its key to do; undefined if this version does not know the scope. */
export function scopeInWords(scope: string): string | undefined {
  return words[scope]
}
